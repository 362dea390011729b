import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { wellFormed } from '../../shared/wellFormed';

/**
 * JavaScript rounds numbers such as 12345678901234567890 or 1e400, so sending them back would change them. They're kept
 * as a text instead: this mark, which no service can guess or forge, then the digits.
 */
const mark = `number ${randomUUID()} `;
const marked = new RegExp(`"${mark}([-+.\\deE]+)"`, 'g');

/** A number that JavaScript can't hold, as `parseExactly` gives it. */
export const exactNumberSchema = z.string().check(z.refine((text) => text.startsWith(mark)));

/** The digits of a number that JavaScript can't hold; undefined for any other value. */
export function exactDigits(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/**
 * Like JSON.parse, but numbers that JavaScript can't hold become what `exactNumberSchema` reads. Throws SyntaxError.
 */
export const parseExactly = (text: string): unknown => parsed(text, mark);

/**
 * Like JSON.parse, but numbers that JavaScript can't hold become text with their digits, for display. Throws
 * SyntaxError.
 */
export const parseWithDigits = (text: string): unknown => parsed(text, '');

function parsed(text: string, before: string): unknown {
  const value: unknown = JSON.parse(text);
  const kept = withMarks(text, before);
  return kept === text ? value : JSON.parse(kept);
}

const withoutHalves = (_name: string, value: unknown) =>
  typeof value === 'string' ? wellFormed(value) : value;

/**
 * Like JSON.stringify, for any value but `undefined`; numbers that `parseExactly` kept are written as they came. Lone
 * surrogates, for which servers refuse the whole body, are replaced.
 */
export function stringifyExactly(value: unknown): string {
  const json = JSON.stringify(value);
  const whole = json.includes('\\ud') ? JSON.stringify(value, withoutHalves) : json;
  return whole.replace(marked, '$1');
}

/** Where there may be a number that JavaScript would change: one with many digits, or with an exponent. */
const unsure = /[:,[]\s*-?(?:[\d.]{16}|[\d.]+e)/i;

/** Whether JavaScript holds the number. */
function isHeld(number: string): boolean {
  const held = String(Number(number));
  return held === number || decimalOf(number) === decimalOf(held);
}

/** The JSON with each number that JavaScript can't hold as a text, after a mark. */
function withMarks(json: string, before: string): string {
  if (!unsure.test(json) && !/^\s*-?\d/.test(json)) return json;
  const token = /"|-?\d[-+.\deE]*/g;
  let result = '';
  let copied = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [text] = found;
    if (text === '"') token.lastIndex = endOfString(json, found.index) + 1;
    else if (!isHeld(text)) {
      result += `${json.slice(copied, found.index)}"${before}${text}"`;
      copied = token.lastIndex;
    }
  }
  return result + json.slice(copied);
}

/** The canonical form of a number: `-1.50e3` is `-15e2`. What isn't digits, such as Infinity, counts as 0. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/**
 * Where the string that begins at `start` ends; -1 if it doesn't. Searches only for quotes: most of a text is strings.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}
