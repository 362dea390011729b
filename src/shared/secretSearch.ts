import { secretForms } from './secretForms';
import { throughViews } from './textViews';

/** A text without secrets. */
interface Hidden {
  text: string;
  /** Number of places that were blotted out. */
  places: number;
}

/** Blots secrets out of a text. */
export type SecretSearch = (text: string, blot: string) => Hidden;

type Range = readonly [start: number, end: number];

/**
 * Makes a search for secrets in texts as people see them, whatever is between two characters: white space (so also where
 * a terminal breaks lines), invisible and control characters, marks, terminal sequences; in upper or lower case; in other
 * widths; in every form of `secretForms`. The cost depends on the text’s length, not on the number of secrets.
 *
 * @param shortest in characters: shorter secrets occur by chance; at most 8
 */
export function secretSearch(secrets: readonly string[], shortest: number): SecretSearch {
  const wanted = secrets.filter((secret) => secret.length >= shortest);
  const forms = [...new Set(wanted.flatMap((secret) => secretForms(secret).map(solid)))];
  const find = finder(
    forms.filter((form) => form.length >= shortest),
    shortest,
  );
  // Mostly of characters that don’t show: exactly as they are.
  const unsolid = wanted.filter((secret) => solid(secret).length < shortest);
  return (text, blot) => {
    let places = 0;
    const found = (amount: number) => (places += amount);
    const exact = unsolid.reduce((rest, secret) => {
      const parts = rest.split(secret);
      found(parts.length - 1);
      return parts.join(blot);
    }, text);
    if (forms.length === 0) return { text: exact, places };
    let now = exact;
    throughViews(exact, (view) => {
      const ranges = merged(find(view.text).map(([start, end]) => view.origin(start, end)));
      found(ranges.length);
      return (now = blotted(now, ranges, blot));
    });
    return { text: now, places };
  };
}

/** What isn’t told apart, or isn’t seen, between the characters of a secret. */
const unseen = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{1d159}]/u;

/** What the characters count as, by their code: 0 for one that isn’t known yet, 1 for one that doesn’t count. */
const counted = new Uint16Array(0x10000);
const countedPairs = new Map<number, number>();
const uncounted = 1;
const mostPairs = 10_000;

function countsAs(code: number): number {
  const character = String.fromCodePoint(code);
  if (unseen.test(character)) return uncounted;
  const plain = Array.from(character.normalize('NFKD').toLowerCase()).filter((part) => !unseen.test(part));
  // Without a single plain character, its own code: two that have the same by chance are blotted out alike.
  const [own = ''] = plain.length === 1 ? plain : [character];
  return Math.max((own.codePointAt(0) ?? code) & 0xffff, uncounted + 1);
}

/** What the character at a place counts as. */
function countedAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  const code = text.codePointAt(place) ?? unit;
  // Half a pair doesn't count by itself, and must not go into the table: with its other half, it may.
  if ((unit & 0xf800) === 0xd800 && code === unit) return uncounted;
  if (code === unit) {
    if (counted[unit] === 0) counted[unit] = countsAs(unit);
    return counted[unit] ?? uncounted;
  }
  const known = countedPairs.get(code) ?? countsAs(code);
  if (countedPairs.size < mostPairs) countedPairs.set(code, known);
  return known;
}

const widthAt = (text: string, place: number) => ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

/** The text as it’s compared: one unit for each character that counts. */
function solid(text: string): string {
  const codes = Array.from(text, (character) => countedAt(character, 0)).filter((code) => code !== uncounted);
  return codes.map((code) => String.fromCharCode(code)).join('');
}

/** Finds texts, as `solid` makes them, by their first characters. */
function finder(forms: readonly string[], firsts: number): (text: string) => Range[] {
  const shift = 32 / firsts;
  // What was added `firsts` characters ago has left the number.
  const next = (number: number, code: number) => (number << shift) ^ code;
  const starting = new Map<number, string[]>();
  const isKnown = new Uint8Array(0x10000);
  const slotOf = (number: number) => Math.imul(number, 0x9e3779b1) >>> 16;
  for (const form of forms) {
    let number = 0;
    for (let at = 0; at < firsts; at += 1) number = next(number, form.charCodeAt(at));
    starting.set(number, [...(starting.get(number) ?? []), form]);
    isKnown[slotOf(number)] = 1;
  }
  const starts = new Int32Array(8);
  return (text) => {
    const found: Range[] = [];
    let [number, count] = [0, 0];
    for (let at = 0; at < text.length; at += 1) {
      const begin = at;
      // Halves of pairs are never in the table.
      let code = counted[text.charCodeAt(at)] ?? 0;
      if (code === 0) {
        code = countedAt(text, at);
        at += widthAt(text, at) - 1;
      }
      if (code === uncounted) continue;
      starts[count & 7] = begin;
      count += 1;
      number = next(number, code);
      if (isKnown[slotOf(number)] === 0 || count < firsts) continue;
      const start = starts[(count - firsts) & 7] ?? 0;
      for (const form of starting.get(number) ?? []) {
        const end = endOf(text, start, form);
        if (end !== undefined) found.push([start, end]);
      }
    }
    return found;
  };
}

/** Where a form ends that begins at a place of the text; undefined if it doesn’t. */
function endOf(text: string, start: number, form: string): number | undefined {
  let matched = 0;
  for (let at = start; at < text.length; at += widthAt(text, at)) {
    const code = countedAt(text, at);
    if (code === uncounted) continue;
    if (code !== form.charCodeAt(matched)) return undefined;
    matched += 1;
    if (matched === form.length) return at + widthAt(text, at);
  }
  return undefined;
}

/** In order, with those that overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

function blotted(text: string, ranges: readonly Range[], blot: string): string {
  if (ranges.length === 0) return text;
  let last = 0;
  const parts = ranges.map(([start, end]) => {
    const before = text.slice(last, start);
    last = end;
    return before + blot;
  });
  return parts.join('') + text.slice(last);
}
