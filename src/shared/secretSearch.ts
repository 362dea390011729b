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
 * a terminal breaks lines), invisible and control characters, marks, terminal sequences; between letters and digits of a
 * long one also signs, such as those of quotes, lists, tables, and diffs; in upper or lower case; in other widths; in every
 * form of `secretForms`; and most of a long one before an ellipsis or a mask, as of a title that was cut. The cost depends
 * on the text’s length, not on the number of secrets.
 *
 * @param shortest in characters: shorter secrets occur by chance; at most 8
 */
export function secretSearch(secrets: readonly string[], shortest: number): SecretSearch {
  const wanted = secrets.filter((secret) => secret.length >= shortest);
  const written = wanted.flatMap(secretForms);
  const finders = [
    finder(seen, written, shortest, shortest),
    finder(lettered, written, shortestBare, shortest),
  ];
  // Mostly of characters that don’t show: exactly as they are.
  const unsolid = wanted.filter((secret) => seen.solid(secret).length < shortest);
  return (text, blot) => {
    let places = 0;
    const add = (amount: number) => (places += amount);
    const exact = unsolid.reduce((rest, secret) => {
      const parts = rest.split(secret);
      add(parts.length - 1);
      return parts.join(blot);
    }, text);
    if (wanted.length === 0) return { text: exact, places };
    let now = exact;
    throughViews(exact, (view) => {
      const found = finders.flatMap((find) => find(view.text));
      const ranges = merged(found.map(([start, end]) => view.origin(start, end)));
      add(ranges.length);
      return (now = blotted(now, ranges, blot));
    });
    return { text: now, places };
  };
}

/** What isn’t told apart, or isn’t seen, between the characters of a secret. */
const unseen = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{1d159}]/u;

/** Letters and digits of a secret that is also found with signs in between. */
const shortestBare = 12;

const uncounted = 1;
const mostPairs = 10_000;

/** Tells which characters of a text count, and as what. */
class Counting {
  /** What the characters count as, by their code: 0 for one that isn’t known yet, 1 for one that doesn’t count. */
  readonly known = new Uint16Array(0x10000);
  private readonly pairs = new Map<number, number>();

  /** @param ignored what doesn’t count */
  constructor(private readonly ignored: RegExp) {}

  private of(code: number): number {
    const character = String.fromCodePoint(code);
    if (this.ignored.test(character)) return uncounted;
    const plain = Array.from(character.normalize('NFKD').toLowerCase()).filter(
      (part) => !this.ignored.test(part),
    );
    // Without a single plain character, its own code: two that have the same by chance are blotted out alike.
    const [own = ''] = plain.length === 1 ? plain : [character];
    return Math.max((own.codePointAt(0) ?? code) & 0xffff, uncounted + 1);
  }

  /** What the character at a place counts as. */
  at(text: string, place: number): number {
    const { known } = this;
    const unit = text.charCodeAt(place);
    const code = text.codePointAt(place) ?? unit;
    // Half a pair doesn't count by itself, and must not go into the table: with its other half, it may.
    if ((unit & 0xf800) === 0xd800 && code === unit) return uncounted;
    if (code === unit) {
      if (known[unit] === 0) known[unit] = this.of(unit);
      return known[unit] ?? uncounted;
    }
    const pair = this.pairs.get(code) ?? this.of(code);
    if (this.pairs.size < mostPairs) this.pairs.set(code, pair);
    return pair;
  }

  /** The text as it’s compared: one unit for each character that counts. */
  readonly solid = (text: string): string => {
    let solid = '';
    for (let at = 0; at < text.length; at += 1) {
      let code = this.known[text.charCodeAt(at)] ?? 0;
      if (code === 0) {
        code = this.at(text, at);
        at += widthAt(text, at) - 1;
      }
      if (code !== uncounted) solid += String.fromCharCode(code);
    }
    return solid;
  };
}

const seen = new Counting(unseen);
const lettered = new Counting(/[^\p{L}\p{N}]/u);

const widthAt = (text: string, place: number) => ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

/** Finds texts of at least `least` characters that count, by the first `firsts` of these. */
function finder(
  counting: Counting,
  texts: readonly string[],
  least: number,
  firsts: number,
): (text: string) => Range[] {
  const forms = [...new Set(texts.map(counting.solid))].filter(({ length }) => length >= least);
  if (forms.length === 0) return () => [];
  const { known } = counting;
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
      let code = known[text.charCodeAt(at)] ?? 0;
      if (code === 0) {
        code = counting.at(text, at);
        at += widthAt(text, at) - 1;
      }
      if (code === uncounted) continue;
      starts[count & 7] = begin;
      count += 1;
      number = next(number, code);
      if (isKnown[slotOf(number)] === 0 || count < firsts) continue;
      const start = starts[(count - firsts) & 7] ?? 0;
      for (const form of starting.get(number) ?? []) {
        const end = endOf(counting, text, start, form);
        if (end !== undefined) found.push([start, end]);
      }
    }
    return found;
  };
}

/** Characters of a secret that are enough if the rest was cut off, with an ellipsis. */
const shortestCut = 12;

/** Or a mask, as programs put in place of the rest. */
const ellipsis = /…|\.{3}|[*•●█]{2}|x{4}/iy;

function isEllipsis(text: string, place: number): boolean {
  ellipsis.lastIndex = place;
  return ellipsis.test(text);
}

/** Where a form ends, or was cut off, that begins at a place of the text; undefined if it doesn’t. */
function endOf(counting: Counting, text: string, start: number, form: string): number | undefined {
  let matched = 0;
  for (let at = start; at < text.length; at += widthAt(text, at)) {
    const code = counting.at(text, at);
    if (code === uncounted) continue;
    if (code !== form.charCodeAt(matched)) {
      const isCut = matched >= shortestCut && matched * 2 >= form.length && isEllipsis(text, at);
      return isCut ? at : undefined;
    }
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
