import { terminalSequences } from './plainText';

/** A text as somebody may see it, with the way back to where each part of it comes from. */
export interface TextView {
  text: string;
  /** Where a part of the text comes from. */
  origin: (start: number, end: number) => [start: number, end: number];
}

/** What a terminal obeys, even if it’s cut off; of texts that it doesn’t show, such as titles, all of it. */
const obeyed =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

/** What a terminal obeys, with only the beginnings of texts that it doesn’t show: other programs may show them. */
const obeyedMarks = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;

const hasSequences = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/** Lines in which something is written over. */
const overwrittenLines = /(?<![^\n])[^\n]*?(?:\x08|\r(?!\n))[^\n]*/g;
const hasOverwriting = /\x08|\r(?!\n)/;

/** Bytes of a file, or its characters, in lines after their place in it, and perhaps before what they are as text. */
const dumps =
  /^(?:[\da-f]{8}: ((?:[\da-f]{2} ?)+)|[\da-f]{6,8} {1,2}((?: {0,2}[\da-f]{2})+)(?= *(?:\||$))|[0-7]{7}((?: +[^ \n]{1,3}){1,16}) *$)[^\n]*/gim;
const hasDumps = /^(?:[\da-f]{6,8}:? {1,2}[\da-f]{2}|[0-7]{7} +[^ \n]{1,3}(?: |$))/im;

/** What numbers a line, and perhaps names its file, as the listings of an agent’s editor and of searches do. */
const numbers = /^[ \t]{0,20}(?:[^\s:]{1,200}:)?\d{1,7} ?[:.|)→│\t -]/gm;
const hasNumbers = new RegExp(numbers, 'm');

/** Marks of HTML, as those around what a search found. */
const tags = /<\/?[a-z][^<>]{0,200}>/gi;
const hasTags = /<\/?[a-z]/i;

/** Characters that were decoded byte by byte, as from an address, or read in the wrong encoding. */
const bytes = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const hasBytes = /[\xc2-\xf4][\x80-\xbf]/;
const utf8 = new TextDecoder();

const hasEscapes = /%u?[\da-f]{2}|\\|&#?\w+;|=(?:[\dA-F]{2}|\r?\n)|\^[?-_]|ESC\[|[␀-␟]/i;

/** Characters as JSON, addresses, HTML, shells, mail, and pagers write them; of escapes within escapes, all at once. */
const escapes =
  /%(?:25)*([\da-fA-F]{2})|%(?:25)*u([\da-fA-F]{4})|\\+(?:[ux]\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(0?[0-3]?[0-7]{2})|([abefnrtv0]|\r?\n))|(\\+)|&(?:amp;)*(?:#0*(\d{1,7})|#[xX]0*([\da-fA-F]{1,6})|([a-zA-Z]\w{1,23}));|=(?:([\dA-F]{2})|\r?\n)|\^([?-_])|([␀-␟])|ESC(?=\[)/g;

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/**
 * Calls `look` with each way in which a text may be seen: as it is; without what a terminal obeys; after a terminal
 * wrote over what was there; with characters of its bytes; without the marks of HTML; without the numbers of its lines; only the bytes of a dump; with
 * its escapes decoded; and all of these at once. `look` returns the text without what it found, which the next ways start
 * from.
 */
export function throughViews(text: string, look: (view: TextView) => string): void {
  const asIs = (now: string): TextView => ({ text: now, origin: (start, end) => [start, end] });
  const seen = [terminalSequences, obeyed, obeyedMarks].map(
    (pattern) => (now: string) => hasSequences.test(now) && rewritten(now, pattern, () => ''),
  );
  const overwritten = (now: string) =>
    hasOverwriting.test(now) &&
    rewritten(now, overwrittenLines, ([line]) => lastWritten(line.replace(obeyed, '')));
  const ways = [
    ...seen,
    overwritten,
    (now: string) =>
      hasBytes.test(now) &&
      rewritten(now, bytes, ([all]) => utf8.decode(Uint8Array.from(all, (one) => one.charCodeAt(0)))),
    (now: string) => hasTags.test(now) && rewritten(now, tags, () => ''),
    (now: string) => hasNumbers.test(now) && rewritten(now, numbers, () => ''),
    (now: string) =>
      hasDumps.test(now) && rewritten(now, dumps, ([, one, other, third]) => one ?? other ?? third ?? ''),
  ];
  let rest = look(asIs(text));
  for (const way of ways) {
    const view = way(rest);
    if (view) rest = look(view);
  }
  if (!hasEscapes.test(rest)) return;
  let plain = { of: rest, view: rewritten(rest, escapes, decoded) };
  for (const way of [asIs, ...ways]) {
    if (plain.of !== rest) plain = { of: rest, view: rewritten(rest, escapes, decoded) };
    const view = way(plain.view.text);
    if (view) rest = look(behind(view, plain.view));
  }
}

/** The text with its escapes decoded, as `throughViews` shows it, too. */
export const withoutEscapes = (text: string): string => rewritten(text, escapes, decoded).text;

/** A view of a view’s text. */
function behind(view: TextView, before: TextView): TextView {
  return { text: view.text, origin: (start, end) => before.origin(...view.origin(start, end)) };
}

function decoded(found: RegExpExecArray): string {
  const [
    ,
    percent,
    escaped,
    braced,
    unicode,
    wide,
    hex,
    octal,
    short,
    slashes,
    decimal,
    entity,
    name,
    mail,
    caret,
    picture,
  ] = found;
  const code = percent ?? escaped ?? braced ?? unicode ?? wide ?? hex ?? entity ?? mail;
  if (code !== undefined) return characterOf(Number.parseInt(code, 16));
  if (octal !== undefined) return characterOf(Number.parseInt(octal, 8));
  if (decimal !== undefined) return characterOf(Number(decimal));
  const control = caret ?? picture;
  if (control !== undefined) return characterOf(control.charCodeAt(0) & 0x1f);
  if (found[0] === 'ESC') return '\x1b';
  if (short !== undefined) return short === 'e' ? '\x1b' : short === 'b' ? '\b' : ' ';
  return slashes === undefined ? (named.get(name ?? '') ?? '') : '';
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');

/** What a line shows after backspaces and carriage returns. */
function lastWritten(line: string): string {
  const cells: string[] = [];
  let at = 0;
  for (const character of line) {
    if (character === '\r') at = 0;
    else if (character === '\b') at = Math.max(0, at - 1);
    else cells[at++] = character;
  }
  return cells.join('');
}

/** The text with each match replaced. What is found in a replacement comes from all of its match. */
function rewritten(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => string): TextView {
  const pieces: string[] = [];
  /** Where pieces begin, in the view and in the text, in turn as they are and replaced. */
  const shownAt = [0];
  const from = [0];
  let [shown, last] = [0, 0];
  const add = (piece: string, next: number) => {
    pieces.push(piece);
    shownAt.push((shown += piece.length));
    from.push((last = next));
  };
  for (const match of text.matchAll(pattern)) {
    add(text.slice(last, match.index), match.index);
    add(replace(match), match.index + match[0].length);
  }
  pieces.push(text.slice(last));
  /** The last piece that begins at or before a place of the view: an empty one shows nothing there. */
  const pieceAt = (place: number) => {
    let [low, high] = [0, shownAt.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((shownAt[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const isReplaced = (piece: number) => piece % 2 === 1;
  const startOf = (place: number) => {
    const piece = pieceAt(place);
    return (from[piece] ?? 0) + (isReplaced(piece) ? 0 : place - (shownAt[piece] ?? 0));
  };
  const endOf = (place: number) => {
    const piece = pieceAt(place - 1);
    return isReplaced(piece) ? (from[piece + 1] ?? text.length) : startOf(place - 1) + 1;
  };
  return { text: pieces.join(''), origin: (start, end) => [startOf(start), endOf(end)] };
}
