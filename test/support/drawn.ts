import assert from 'node:assert/strict';
import { nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';

/** A page as its templates say, without a browser. */
interface Drawn {
  /** With listeners as attributes, such as `@click="3"`. */
  html: string;
  /** The words, also of buttons, in order. */
  text: string;
  /** The names of its buttons; those that do nothing now have ` (disabled)`. */
  buttons: string[];
  /** Does what a click on the button of this name does, or on the given one of several. */
  press: (name: string, index?: number) => void;
  /** Does what an event does on the element with this in its tag. */
  dispatch: (mark: string, event: string, detail?: object) => void;
  /** What a property of that element was set to, if that’s an object. */
  property: (mark: string, name: string) => unknown;
}

type Listener = (event: unknown) => void;

/** What isn’t text: the number of each is in the HTML. */
type Kept = (Listener | object)[];

/** What a template can hold, apart from listeners. */
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof nothing
  | TemplateResult
  | Directive
  | readonly Value[];

/** What a directive was called with. */
interface Directive {
  _$litDirective$: unknown;
  values: readonly unknown[];
}
const directiveOf = (made: unknown) => (made as Directive)._$litDirective$;
const known = {
  guard: directiveOf(guard([], () => '')),
  live: directiveOf(live('')),
  repeat: directiveOf(repeat([], () => '')),
};

/** What a page takes from its document. */
const page = { documentElement: { lang: 'en' } };

/** Draws what a view returns. */
export function drawn(draw: () => unknown): Drawn {
  const kept: Kept = [];
  Object.assign(globalThis, { document: page });
  let html: string;
  try {
    html = htmlOf(draw() as Value, kept);
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  const tags = [...html.matchAll(/<button\b([^>]*)>([^]*?)<\/button>/g)].map(
    ([, tag = '', content = '']) => ({
      tag,
      name: /aria-label="([^"]*)"/.exec(tag)?.[1] ?? wordsIn(content),
    }),
  );
  const call = (tag: string | undefined, name: string, detail: object = {}) => {
    const at = new RegExp(`@${name}="(\\d+)"`).exec(tag ?? '')?.[1];
    assert.ok(at !== undefined, `nothing listens to ${name}`);
    (kept[Number(at)] as Listener)(detail);
  };
  const tagWith = (mark: string) =>
    [...html.matchAll(/<[\w-]+\b[^>]*>/g)].find(([tag]) => tag.includes(mark))?.[0];
  return {
    html,
    text: wordsIn(html),
    buttons: tags.map(({ tag, name }) =>
      tag.includes('aria-disabled="true"') ? `${name} (disabled)` : name,
    ),
    press: (name, index = 0) => call(tags.filter((one) => one.name === name)[index]?.tag, 'click'),
    dispatch: (mark, event, detail) => call(tagWith(mark), event, detail),
    property: (mark, name) => kept[Number(new RegExp(`\\s${name}="(\\d+)"`).exec(tagWith(mark) ?? '')?.[1])],
  };
}

const wordsIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function htmlOf(part: Value, kept: Kept): string {
  if (part === nothing || part === null || part === undefined) return '';
  if (typeof part !== 'object') return escaped(String(part));
  if ('_$litDirective$' in part) {
    const html = htmlOf(resultOf(part), kept);
    if (directiveOf(part) === known.guard) assertGuarded(part.values[0] as readonly unknown[], html);
    return html;
  }
  if (!('strings' in part)) return part.map((one) => htmlOf(one, kept)).join('');
  return part.strings.reduce((html, next, index) => {
    const value = part.values[index - 1] as Value | Listener;
    // Only the end, since a page is long.
    const [, sign = '', name = ''] = /([.?@]?)([\w-]+)=$/.exec(html.slice(-100)) ?? [];
    const start = html.slice(0, -`${sign}${name}=`.length);
    if (typeof value === 'function') return `${start}@${name}="${kept.push(value) - 1}"${next}`;
    if (name === '') return html + htmlOf(value, kept) + next;
    const isKept = typeof value === 'object' && value !== null && '_$litDirective$' in value;
    const set = isKept ? resultOf(value) : value;
    if (set === nothing || (sign === '?' && !set)) return start + next;
    // The properties of elements can be anything.
    const text =
      typeof set === 'object' && set !== null ? String(kept.push(set) - 1) : sign === '?' ? '' : String(set);
    return `${start}${name}="${escaped(text)}"${next}`;
  });
}

/** What was drawn for the same values before, by the first of them. */
const guarded = new WeakMap<object, { values: readonly unknown[]; html: string }[]>();

/** Fails if a part would look different now, though the values that decide when it’s drawn again are the same. */
function assertGuarded(values: readonly unknown[], drawnNow: string): void {
  const [about] = values;
  if (typeof about !== 'object' || about === null) return;
  // Listeners and properties are numbered through the page.
  const html = drawnNow.replace(/([@\s][\w-]+)="\d+"/g, '$1');
  const all = guarded.get(about) ?? [];
  guarded.set(about, all);
  const before = all.find((one) => one.values.every((value, at) => value === values[at]));
  if (before) assert.equal(html, before.html, 'it isn’t drawn again');
  else all.push({ values, html });
}

function resultOf({ _$litDirective$: directive, values }: Directive): Value {
  if (directive === known.live) return values[0] as Value;
  if (directive === known.guard) return (values[1] as () => Value)();
  assert.equal(directive, known.repeat, 'another directive');
  const [items, , draw] = values as [Iterable<unknown>, unknown, (item: unknown, index: number) => Value];
  return [...items].map(draw);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
