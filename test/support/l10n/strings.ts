import ts from 'typescript';
import { literal, place, walk } from './sources';

/** The strings that some files pass to `l10n.t`. */
export interface Extracted {
  /** Every string, sorted. */
  strings: string[];
  /** Calls that a translation can't reach, one sentence each, with their locations. */
  problems: string[];
}

/** Extracts the strings that the code passes to `l10n.t`. */
export function extract(files: readonly ts.SourceFile[]): Extracted {
  const strings = new Set<string>();
  const problems: string[] = [];
  for (const file of files) {
    walk(file, (node) => {
      if (!isTranslation(node)) return;
      const [message, ...args] = node.arguments;
      const text = literal(message);
      if (text === undefined) {
        problems.push(`${place(node)}: l10n.t needs a literal, or the string can’t be found for translation`);
        return;
      }
      strings.add(text);
      if (!isInsideFunction(node)) {
        problems.push(
          `${place(node)}: “${text}” is made before the language is known; make it in a function`,
        );
      }
      const holes = placeholders(text);
      if (holes.some((hole, index) => hole !== String(index)) || holes.length !== args.length) {
        problems.push(`${place(node)}: “${text}” has ${holes.length} placeholders and ${args.length} values`);
      }
    });
  }
  return { strings: [...strings].sort(), problems };
}

/** The distinct placeholders of a string, sorted: `0`, `1`. */
export function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))].sort();
}

/** Whether a node is a call of `l10n.t`. */
export function isTranslation(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 't' &&
    /(^|\.)l10n$/.test(node.expression.expression.getText())
  );
}

function isInsideFunction(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionLike(at)) return true;
    // Runs in the constructor of each instance.
    if (
      ts.isPropertyDeclaration(at) &&
      !at.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
    )
      return true;
  }
  return false;
}
