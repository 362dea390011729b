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

/** Maximum size of a configuration file, in bytes of UTF-8. Claude Code keeps what was ever asked beside its servers. */
export const maxMcpFileBytes = 32 * 1024 * 1024;

const maxDepth = 64;

/** Begins with a table or setting of TOML, or a member of YAML, perhaps after comments. */
const isOtherFormat =
  /^(?:\s*#[^\n]*\n)*\s*(?:\[{1,2}[\w." -]+\]{1,2}\s*\n|[\w.-]+\s*=|(?:-\s+)?[\w.-]+:\s|---\s*\n)/;

/** A number as it’s written: JavaScript can’t hold all of them, and changes how others look. */
export class NumberText {
  constructor(readonly source: string) {}
}

/** A JSON value with maps as objects: they keep their order and have no special names such as `__proto__`. */
export type Value = string | NumberText | boolean | null | Value[] | ReadonlyMap<string, Value>;

export type JsonText =
  { ok: true; root: Node; positionOf: (node: Node) => Position; valueOf: (node: Node) => Value } | Unusable;

/** Why a text can't be used, with the place to blame. */
export function unusableAt(at: Position, what: string): Unusable {
  return { ok: false, reason: l10n.t('Line {0}, column {1}: {2}', at.line, at.column, what), at };
}

/** Blanks that JSON doesn’t have, and where texts and comments begin. */
const oddBlanks = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/;
const apart = new RegExp(`"|//|/\\*|${oddBlanks.source}+`, 'g');

/** The text with spaces for the blanks that came along from a page, apart from those in texts and comments. */
function withPlainBlanks(text: string): string {
  if (!oddBlanks.test(text)) return text;
  const parts: string[] = [];
  let copied = 0;
  const skip = (end: RegExp, from: number) => {
    end.lastIndex = from;
    return end.exec(text) ? end.lastIndex : text.length;
  };
  apart.lastIndex = 0;
  for (let found = apart.exec(text); found !== null; found = apart.exec(text)) {
    const [start] = found;
    const { lastIndex: from } = apart;
    if (start === '"') {
      let at = from;
      while (at < text.length && !/["\n\r]/.test(text[at] ?? '')) at += text[at] === '\\' ? 2 : 1;
      apart.lastIndex = at + 1;
    } else if (start === '//') apart.lastIndex = skip(/[\n\r]/g, from);
    else if (start === '/*') apart.lastIndex = skip(/\*\//g, from);
    else {
      parts.push(text.slice(copied, found.index), ' '.repeat(start.length));
      copied = from;
    }
  }
  return parts.join('') + text.slice(copied);
}

/** Reads JSON with comments, trailing commas and a byte order mark. The braces around it may be missing. */
export function readJsonText(source: string): JsonText {
  if (Buffer.byteLength(source) > maxMcpFileBytes)
    return {
      ok: false,
      reason: l10n.t('The text is longer than {0} MiB.', maxMcpFileBytes / 1024 / 1024),
      at: null,
    };
  const bare = withPlainBlanks(source.replace(/^\uFEFF/, ''));
  if (bare.trim() === '') return { ok: false, reason: l10n.t('The text is empty.'), at: null };
  const added = startsWithMember(bare) ? '{' : '';
  const text = added === '' ? bare : `{${bare}\n}`;
  const positions = positionsIn(bare);
  const positionAt = (offset: number) => positions(Math.max(0, offset - added.length));
  const failure = (offset: number, what: string) => unusableAt(positionAt(offset), what);

  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) return failure(tooDeep, l10n.t('Objects and lists are nested too deeply here.'));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined && isOtherFormat.test(text))
    return { ok: false, reason: l10n.t('This looks like TOML or YAML, which can’t be imported.'), at: null };
  if (error !== undefined) return failure(error.offset, syntaxMessage(printParseErrorCode(error.error)));
  const isList = root?.type === 'array' && root.children?.some(({ type }) => type === 'object') === true;
  if (root === undefined || (root.type !== 'object' && !isList))
    return failure(root?.offset ?? 0, l10n.t('This isn’t a JSON object.'));
  return {
    ok: true,
    root,
    positionOf: (node) => positionAt(node.offset),
    valueOf: (node) => valueOf(node, text),
  };
}

/** True for members of an object without its braces, as manuals show them. */
function startsWithMember(text: string): boolean {
  const scanner = createScanner(text, true);
  scanner.scan();
  const isName = text[scanner.getTokenOffset()] === '"';
  scanner.scan();
  return isName && text[scanner.getTokenOffset()] === ':';
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

/** What the parser missed, by its code. */
const missing: Partial<Record<string, string>> = {
  ColonExpected: ':',
  CommaExpected: ',',
  CloseBraceExpected: '}',
  CloseBracketExpected: ']',
};

function syntaxMessage(code: string): string {
  const mark = missing[code];
  if (mark !== undefined) return l10n.t('“{0}” is missing.', mark);
  switch (code) {
    case 'PropertyNameExpected':
      return l10n.t('Expected a name in double quotes.');
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

/** The members of an object in order, those with the same name among them; none for anything else. */
export function allMembersOf(node: Node | undefined): [name: string, value: Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }): [string, Node][] => {
    const [name, value] = children ?? [];
    return name === undefined || value === undefined ? [] : [[String(name.value), value]];
  });
}

/** The members of an object; none for anything else. Of several with one name the last counts, as everywhere. */
export function nodeMembers(node: Node | undefined): Map<string, Node> {
  return new Map(allMembersOf(node));
}

/** Names that an object, or one directly in it, has more than once. */
export function repeatedIn(node: Node): string[] {
  const members = allMembersOf(node);
  const names = [
    ...members.map(([name]) => name),
    ...members.flatMap(([name, value]) => allMembersOf(value).map(([inner]) => `${name}.${inner}`)),
  ];
  const seen = new Set<string>();
  const repeated = names.filter((name) => seen.size === seen.add(name).size);
  return [...new Set(repeated)];
}

function valueOf(node: Node, text: string): Value {
  if (node.type === 'object')
    return new Map([...nodeMembers(node)].map(([name, value]) => [name, valueOf(value, text)]));
  if (node.type === 'array') return (node.children ?? []).map((child) => valueOf(child, text));
  if (node.type === 'number') return new NumberText(text.slice(node.offset, node.offset + node.length));
  return node.value as string | boolean | null;
}

export function isMap(value: Value | undefined): value is ReadonlyMap<string, Value> {
  return value instanceof Map;
}

/**
 * Names and their values, also from a list of them: `A=b`, `{"name": "A", "value": "b"}`, `{"A": "b"}`. What can’t be read
 * in a list has its place as a name, and an empty list as a value. Undefined for anything else.
 */
export function namedValues(value: Value, separator: '=' | ':'): ReadonlyMap<string, Value> | undefined {
  if (isMap(value)) return value;
  const all = typeof value === 'string' ? value.split(/[\r\n]+/).filter((line) => line.trim() !== '') : value;
  if (!Array.isArray(all)) return undefined;
  return new Map(all.flatMap((item, index) => pairsIn(item, separator, String(index + 1))));
}

function pairsIn(item: Value, separator: string, place: string): [string, Value][] {
  const unread: [string, Value][] = [[place, []]];
  if (typeof item === 'string') {
    const at = item.indexOf(separator);
    if (at > 0) return [[item.slice(0, at).trim(), item.slice(at + 1)]];
    // Containers get such a variable from outside.
    return separator === '=' && /^[a-z_]\w*$/i.test(item) ? [[item, `\${${item}}`]] : unread;
  }
  if (!isMap(item)) return unread;
  const name = item.get('name') ?? item.get('key');
  if (typeof name === 'string') return [[name, item.get('value') ?? null]];
  return item.size === 1 ? [...item] : unread;
}
