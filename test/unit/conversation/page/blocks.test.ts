import assert from 'node:assert/strict';
import { parseMarkdown, type Block, type Inline } from '../../../../src/features/conversation/page/markdown';

const words = (all: readonly Inline[]): string =>
  all.map((one) => ('content' in one ? words(one.content) : one.kind === 'break' ? '/' : one.text)).join('');
/** Blocks in short: `p:text`, `h1:text`, `code:text`, `quote(…)`, `ul(…, …)`, `ol3(…)`, `table:head`, `rule`. */
const outline = (blocks: readonly Block[]): string => blocks.map(inShort).join(' ');
function inShort(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `p:${words(block.content)}`;
    case 'heading':
      return `h${block.depth}:${words(block.content)}`;
    case 'code':
      return `code:${block.text.replaceAll('\n', '/')}`;
    case 'quote':
      return `quote(${outline(block.content)})`;
    case 'list':
      return `${block.ordered ? `ol${block.start}` : 'ul'}(${block.items.map(({ content }) => outline(content)).join(', ')})`;
    case 'table':
      return `table:${[block.head, ...block.rows].map((row) => row.map(words).join('|')).join('/')}`;
    case 'rule':
    case 'plain':
      return block.kind;
  }
}

describe('the blocks of a text', () => {
  for (const [source, expected] of [
    ['>a', 'quote(p:a)'],
    ['x\n   > a', 'p:x quote(p:a)'],
    ['x\n\n    > a', 'p:x code:> a'],
    ['a > b', 'p:a > b'],
    ['> a\nb', 'quote(p:a/b)'],
    ['> a\n- b', 'quote(p:a) ul(p:b)'],
    ['> a\n\nb', 'quote(p:a) p:b'],
    ['> # a\nb', 'quote(h1:a) p:b'],
    ['> > a\nb', 'quote(quote(p:a/b))'],
    ['> - a\nb', 'quote(ul(p:a/b))'],
    ['> ```\n> a\nb', 'quote(code:a) p:b'],
    ['> ```\n> a\n> ```\n> b\nc', 'quote(code:a p:b/c)'],
    ['>     a\nb', 'quote(code:a) p:b'],
    ['> ---\nb', 'quote(rule) p:b'],
    ['a\n> b', 'p:a quote(p:b)'],
    ['- a\nb', 'ul(p:a/b)'],
    ['- a\n  b', 'ul(p:a/b)'],
    ['- a\n\n  b', 'ul(p:a p:b)'],
    ['- a\n\nb', 'ul(p:a) p:b'],
    ['- # a\nb', 'ul(h1:a) p:b'],
    ['- a\n  - b', 'ul(p:a ul(p:b))'],
    ['- a\n- b\n\n- c', 'ul(p:a, p:b, p:c)'],
    ['- a\n+ b', 'ul(p:a) ul(p:b)'],
    ['-\n  a', 'ul(p:a)'],
    ['-\n\n  a', 'ul() p:a'],
    ['-     a', 'ul(code:a)'],
    ['7) a\n8) b', 'ol7(p:a, p:b)'],
    ['a\n1. b', 'p:a ol1(p:b)'],
    ['a\n2. b', 'p:a/2. b'],
    ['a\n-', 'h2:a'],
    ['- a\n---', 'ul(p:a) rule'],
    ['* * *', 'rule'],
    ['x\n\n    * * *', 'p:x code:* * *'],
    ['a\n===', 'h1:a'],
    ['a\n---', 'h2:a'],
    ['## a ##', 'h2:a'],
    ['## a#', 'h2:a#'],
    ['####### a', 'p:####### a'],
    ['#a', 'p:#a'],
    ['x\n\n\ta', 'p:x code:a'],
    ['x\n\n    a\n\n    b', 'p:x code:a//b'],
    ['a\n    b', 'p:a/b'],
    ['```\na\n````', 'code:a'],
    ['````\na\n```\nb', 'code:a/```/b'],
    ['~~~\na\n```\n~~~\nb', 'code:a/``` p:b'],
    ['x\n  ```\n  a\n   b\n  ```', 'p:x code:a/ b'],
    ['``` a `b`', 'p:``` a b'],
    ['```two words\na\n```', 'code:two words/a'],
    ['a|b\n-|-\nc|d\n\ne', 'table:a|b/c|d p:e'],
    ['x\na|b\n-|-', 'p:x table:a|b'],
    ['a|b\n-|-\n> c', 'table:a|b quote(p:c)'],
    ['a|b\n-', 'h2:a|b'],
    ['a\n-|-', 'p:a/-|-'],
    ['a|b\n-|x', 'p:a|b/-|x'],
  ] as const)
    it(`of ${JSON.stringify(source)} are ${expected}`, () => {
      assert.equal(outline(parseMarkdown(source)), expected);
    });
});
