import * as l10n from '@vscode/l10n';
// The package's main module can't be bundled; this is its ES module.
import {
  createScanner,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser/lib/esm/main.js';
import type { Position, Unusable } from './types';

/** Maximum size of a configuration file, in bytes of UTF-8. */
export const maxMcpFileBytes = 1024 * 1024;

const maxDepth = 64;

/** A JSON value with maps as objects: they keep their order and have no special names such as `__proto__`. */
export type Value = string | number | boolean | null | Value[] | ReadonlyMap<string, Value>;

export type JsonText = { ok: true; root: Node; positionOf: (node: Node) => Position } | Unusable;

/** Why a text can't be used, with the place to blame. */
export function unusableAt(at: Position, what: string): Unusable {
  return { ok: false, reason: l10n.t('Line {0}, column {1}: {2}', at.line, at.column, what), at };
}

/** Reads JSON with comments, trailing commas and a byte order mark. */
export function readJsonText(source: string): JsonText {
  if (Buffer.byteLength(source) > maxMcpFileBytes)
    return { ok: false, reason: l10n.t('The text is longer than 1 MiB.'), at: null };
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { ok: false, reason: l10n.t('The text is empty.'), at: null };
  const positionAt = positionsIn(text);
  const failure = (offset: number, what: string) => unusableAt(positionAt(offset), what);

  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) return failure(tooDeep, l10n.t('Objects and lists are nested too deeply here.'));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) return failure(error.offset, syntaxMessage(printParseErrorCode(error.error)));
  if (root?.type !== 'object') return failure(root?.offset ?? 0, l10n.t('This isn’t a JSON object.'));
  return { ok: true, root, positionOf: (node) => positionAt(node.offset) };
}

/** The parser calls itself for every level, so depth is measured before. Offset of the first bracket beyond it. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Tells line and column of an offset; lines are looked for once, since a file may have an error in every entry. */
function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function syntaxMessage(code: string): string {
  switch (code) {
    case 'PropertyNameExpected':
      return l10n.t('Expected a name in double quotes.');
    case 'ColonExpected':
      return l10n.t('Expected a colon.');
    case 'CommaExpected':
      return l10n.t('Expected a comma.');
    case 'CloseBraceExpected':
      return l10n.t('Expected a closing brace.');
    case 'CloseBracketExpected':
      return l10n.t('Expected a closing bracket.');
    case 'EndOfFileExpected':
      return l10n.t('Unexpected text after the JSON value.');
    case 'UnexpectedEndOfString':
      return l10n.t('The string that starts here isn’t closed on the same line.');
    case 'UnexpectedEndOfComment':
      return l10n.t('The comment that starts here isn’t closed.');
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return l10n.t('Double the backslashes in strings, as in "C:\\\\tools".');
    case 'InvalidCharacter':
      return l10n.t('Escape control characters in strings, for example as \\t.');
    default:
      return l10n.t('This isn’t valid JSON.');
  }
}

/** The members of an object; none for anything else. Of several with one name the last counts, as everywhere. */
export function membersOf(node: Node | undefined): Map<string, Node> {
  const result = new Map<string, Node>();
  if (node?.type !== 'object') return result;
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? [];
    if (name !== undefined && value !== undefined) result.set(String(name.value), value);
  }
  return result;
}

export function valueOf(node: Node): Value {
  if (node.type === 'object')
    return new Map([...membersOf(node)].map(([name, value]) => [name, valueOf(value)]));
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  return node.value as string | number | boolean | null;
}

export function isMap(value: Value | undefined): value is ReadonlyMap<string, Value> {
  return value instanceof Map;
}
