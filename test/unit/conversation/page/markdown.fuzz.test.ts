import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Lexer } from 'marked';
import { parseMarkdown, type Block, type Inline } from '../../../../src/features/conversation/page/markdown';
import { fuzz } from '../../fuzz/support';

const word = fc.constantFrom('a', 'bc', 'de', '中', '「', '」', '。', '1', 'é', '(', ')', '.', '"');
const mark = fc.constantFrom(
  ...[
    '*',
    '**',
    '***',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '[',
    ']',
    '](',
    '![',
    '](https://e.example/a)',
    '<',
    '>',
    '\\',
  ],
  ...[
    'https://e.example/',
    'www.e.example',
    '&amp;',
    '&',
    '<b>',
    '<!--',
    '|',
    '[a]: /b',
    ':',
    ' ',
    ' ',
    ' ',
    '!',
  ],
  ...['javascript:x', '](javascript:x)', '](data:x)', '\u202e', '\x1b[31m'],
);
const start = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '- ',
    '* ',
    '1. ',
    '2) ',
    '> ',
    '# ',
    '### ',
    '    ',
    '  ',
    '\t',
    '```',
    '~~~',
    '---',
    '===',
    '***',
  ],
  ...['| a | b', '|---|---|', '- [ ] ', '- [x] ', '> - ', '1. > ', '-', '>'],
);
const line = fc
  .tuple(start, fc.array(fc.oneof(word, mark), { maxLength: 8 }))
  .map(([first, rest]) => first + rest.join(''));
const source = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

interface Found {
  texts: string[];
  urls: string[];
  deepest: number;
}

function collect(value: unknown, found: Found, depth: number): Found {
  if (typeof value !== 'object' || value === null) return found;
  found.deepest = Math.max(found.deepest, depth);
  for (const [key, one] of Object.entries(value)) {
    if (key === 'text' && typeof one === 'string') found.texts.push(one);
    else if (key === 'url' && typeof one === 'string') found.urls.push(one);
    else collect(one, found, depth + 1);
  }
  return found;
}

/** The text of what is bold, as this reader and the other one see it. */
const boldOf = (blocks: readonly Block[]) => {
  const texts: string[] = [];
  const words = (inline: Inline): string =>
    'content' in inline ? inline.content.map(words).join('') : inline.kind === 'break' ? '\n' : inline.text;
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'strong')
      texts.push(words(value as Inline));
    return value;
  });
  return texts;
};

/** What both kinds of tokens have that have others within. */
interface AnyToken {
  type: string;
  raw: string;
  text?: string;
  tokens?: AnyToken[];
  items?: AnyToken[];
}

function boldOfMarked(tokens: readonly AnyToken[]): string[] {
  const words = ({ tokens: inner, text }: AnyToken): string =>
    inner ? inner.map(words).join('') : (text ?? '\n');
  return tokens.flatMap((token) => [
    ...(token.type === 'strong' ? [words(token)] : []),
    ...boldOfMarked([...(token.tokens ?? []), ...(token.items ?? [])]),
  ]);
}

describe('fuzz: markdown', () => {
  fuzz('loses no letter, opens web addresses only, and nests a few levels', source, (text) => {
    const { texts, urls, deepest } = collect(parseMarkdown(text), { texts: [], urls: [], deepest: 0 }, 0);
    const letters = (all: string) => all.match(/[bcde中é「」。]/gu)?.length ?? 0;
    const shown = letters(texts.join('') + urls.join(''));
    // The marks of an address are letters, too, entities are read, and languages aren't shown.
    const hidden = [
      ...text.matchAll(/https:\/\/e\.example\/a?|&amp;|\[a\]: \/b|\x1b\[31m|\[x\]|(?:`{3}|~{3})(?: *\S+)*/g),
    ].join('');
    assert.ok(shown >= letters(text) - letters(hidden), `${JSON.stringify(text)}: ${texts.join('')}`);
    for (const url of urls) assert.match(url, /^https?:\/\//);
    assert.ok(deepest < 80);
    assert.doesNotMatch(texts.join(''), /[\u202e\x1b]/);
  });

  const plainWords = fc.constantFrom('one', 'two', 'three', 'snake_case', '2', 'x,', 'end.');
  const styled = fc
    .tuple(
      fc.constantFrom('**', '*', '_', '__', '`', ''),
      fc.array(plainWords, { minLength: 1, maxLength: 3 }),
    )
    .map(([style, words]) => `${style}${words.join(' ')}${style}`);
  const sentence = fc.array(styled, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
  const ordinary = fc
    .array(fc.tuple(fc.constantFrom('', '- ', '1. ', '> ', '## '), sentence), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.map(([first, rest]) => first + rest).join('\n\n'));

  fuzz('finds what is bold in ordinary text where another reader finds it', ordinary, (text) => {
    assert.deepEqual(boldOf(parseMarkdown(text)), boldOfMarked(Lexer.lex(text) as AnyToken[]), text);
  });
});
