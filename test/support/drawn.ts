import assert from 'node:assert/strict';
import { nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';

/** A page as its templates say, without a browser. */
export interface Drawn {
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
}

type Listener = (event: unknown) => void;

/** What a directive in a template was called with. */
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
  const listeners: Listener[] = [];
  Object.assign(globalThis, { document: page });
  let html: string;
  try {
    html = htmlOf(draw(), listeners);
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
    listeners[Number(at)]?.(detail);
  };
  return {
    html,
    text: wordsIn(html),
    buttons: tags.map(({ tag, name }) =>
      tag.includes('aria-disabled="true"') ? `${name} (disabled)` : name,
    ),
    press: (name, index = 0) => call(tags.filter((one) => one.name === name)[index]?.tag, 'click'),
    dispatch: (mark, event, detail) => {
      const found = [...html.matchAll(/<[\w-]+\b[^>]*>/g)].find(([tag]) => tag.includes(mark));
      call(found?.[0], event, detail);
    },
  };
}

const wordsIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function htmlOf(part: unknown, listeners: Listener[]): string {
  if (part === nothing || part === null || part === undefined) return '';
  if (Array.isArray(part)) return part.map((one) => htmlOf(one, listeners)).join('');
  if (typeof part !== 'object') return escaped(String(part as number));
  if ('_$litDirective$' in part) return htmlOf(resultOf(part as Directive), listeners);
  const { strings, values } = part as TemplateResult;
  return strings.reduce((html, next, index) => {
    const value = values[index - 1];
    const [, sign = '', name = ''] = /([.?@]?)([\w-]+)=$/.exec(html) ?? [];
    if (name === '') return html + htmlOf(value, listeners) + next;
    const start = html.slice(0, -`${sign}${name}=`.length);
    const set = '_$litDirective$' in Object(value) ? resultOf(value as Directive) : value;
    if (sign === '@') return `${start}@${name}="${listeners.push(set as Listener) - 1}"${next}`;
    if (set === nothing || (sign === '?' && !set)) return start + next;
    const text = typeof set === 'object' || sign === '?' ? '' : String(set as number);
    return `${start}${name}="${escaped(text)}"${next}`;
  });
}

function resultOf({ _$litDirective$: directive, values }: Directive): unknown {
  if (directive === known.live) return values[0];
  if (directive === known.guard) return (values[1] as () => unknown)();
  assert.equal(directive, known.repeat, 'another directive');
  const [items, , draw] = values as [Iterable<unknown>, unknown, (item: unknown, index: number) => unknown];
  return [...items].map(draw);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
