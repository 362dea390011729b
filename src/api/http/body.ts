import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../shared/json';
import { endOfString, parseExactly, parseWithDigits } from './exactNumbers';

/** A body, as far as it was read. */
export interface Body {
  /** Decompressed. */
  bytes: Uint8Array;
  /** False when reading stopped at the cap. */
  complete: boolean;
}

/** For an answer without a body, or with one that can't be read. */
export const noBody: Body = { bytes: new Uint8Array(), complete: true };

/**
 * Reads a body. Bytes are counted after decompression and the rest is dropped at `cap`, so neither a huge answer nor a
 * small one that unpacks to a huge one fills the memory.
 */
export async function readBody(body: ReadableStream<Uint8Array> | null, cap: number): Promise<Body> {
  if (body === null) return noBody;
  const chunks: Uint8Array[] = [];
  const reader = body.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks), complete: true };
    if (length + value.byteLength > cap) {
      await discard(reader);
      return { bytes: joined(chunks), complete: false };
    }
    length += value.byteLength;
    chunks.push(value);
  }
}

/** Keeps no state between texts. Decoding piece by piece costs more than reading a small answer does. */
const utf8 = new TextDecoder();

/** A body as UTF-8, as far as it was read. */
export function bodyText({ bytes }: Body): string {
  return utf8.decode(bytes);
}

/** Cancels a body that nobody reads. A failure to cancel is ignored: it says nothing about the answer. */
export async function discard(body: Pick<ReadableStream, 'cancel'> | null): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** A small answer is one piece. */
function joined(chunks: Uint8Array[]): Uint8Array {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** The service's answers nest a few levels. Code that walks a value must not run out of stack on a made-up one. */
const deepest = 64;

/** A value, or why there is none. */
export type ParsedBody = { ok: true; value: unknown } | { ok: false; reason: 'badShape' | 'truncated' };

/**
 * Parses JSON that nests at most 64 levels. Text that ends inside a value counts as truncated.
 * @param exact keeps numbers that JavaScript can't hold, see exactNumbers.ts
 */
export const parseJson = (text: string, exact = false): ParsedBody =>
  parseShallow(text, exact ? parseExactly : JSON.parse);

function parseShallow(text: string, parse: (text: string) => unknown): ParsedBody {
  const { depth, open } = nesting(text);
  if (depth > deepest) return { ok: false, reason: 'badShape' };
  try {
    return { ok: true, value: parse(text) };
  } catch {
    return { ok: false, reason: open ? 'truncated' : 'badShape' };
  }
}

/** Marks an element that nests too deep; only its own plain members are left of it. */
export const tooDeep = Symbol('nests too deep');

/**
 * Parses JSON like `parseJson`, but marks with `tooDeep` an element of a list or a map, or the value itself, that nests
 * too deep. Numbers that JavaScript can't hold become text, because people approve them.
 * @param list name of the member that is the list or the map
 */
export function parseElements(text: string, list = 'items'): ParsedBody {
  const parsed = parseShallow(text, parseWithDigits);
  if (parsed.ok || parsed.reason !== 'badShape') return parsed;
  const cut = randomUUID();
  const shallow = parseShallow(withoutDeep(text, JSON.stringify(cut)), parseWithDigits);
  if (!shallow.ok) return shallow;
  const marked = (value: unknown): unknown => {
    if (!isJsonObject(value) || !JSON.stringify(value).includes(cut)) return value;
    const plain = Object.entries(value).filter(([, member]) => typeof member !== 'object');
    return { ...Object.fromEntries(plain), [tooDeep]: true };
  };
  const { value } = shallow;
  if (Array.isArray(value)) return { ok: true, value: value.map(marked) };
  const elements = isJsonObject(value) ? value[list] : undefined;
  if (!isJsonObject(value) || typeof elements !== 'object' || elements === null)
    return { ok: true, value: marked(value) };
  const named = Object.entries<unknown>({ ...elements }).map(([name, one]) => [name, marked(one)] as const);
  const all = Array.isArray(elements) ? elements.map(marked) : Object.fromEntries(named);
  return { ok: true, value: { ...value, [list]: all } };
}

/** JSON with `instead` for every value that nests too deep. */
function withoutDeep(text: string, instead: string): string {
  const kept: string[] = [];
  let level = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return text;
    } else if (code === 0x5b || code === 0x7b) {
      level += 1;
      if (level === deepest + 1) kept.push(text.slice(from, at), instead);
    } else if (code === 0x5d || code === 0x7d) {
      level -= 1;
      if (level === deepest) from = at + 1;
    }
  }
  return kept.join('') + text.slice(from);
}

/** How deep brackets nest outside of strings, and whether something is still open at the end. */
function nesting(text: string): { depth: number; open: boolean } {
  let level = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        if (at < 0) return { depth, open: true };
        break;
      case 0x5b: // [
      case 0x7b: // {
        level += 1;
        if (level > depth) depth = level;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        level -= 1;
        break;
    }
  }
  return { depth, open: level > 0 };
}
