import assert from 'node:assert/strict';
import { parseMarkdown, type Block, type Inline } from '../../../../src/webview/conversation/markdown';

const text = (content: string): Inline => ({ kind: 'text', text: content });
const paragraph = (...content: Inline[]): Block => ({ kind: 'paragraph', content });

/** All the text that people see, and all addresses. */
function seen(blocks: readonly Block[]): string {
  return JSON.stringify(blocks);
}

function linksIn(blocks: readonly Block[]): string[] {
  return [...seen(blocks).matchAll(/"kind":"link","url":"([^"]*)"/g)].map(([, url]) => url ?? '');
}

describe('markdown of a transcript', () => {
  it('reads what agents write', () => {
    assert.deepEqual(parseMarkdown('# A\n\n**b** _c_ `d` ~~e~~\n\n---\n\n> f'), [
      { kind: 'heading', depth: 1, content: [text('A')] },
      paragraph(
        { kind: 'strong', content: [text('b')] },
        text(' '),
        { kind: 'emphasis', content: [text('c')] },
        text(' '),
        { kind: 'code', text: 'd' },
        text(' '),
        { kind: 'deleted', content: [text('e')] },
      ),
      { kind: 'rule' },
      { kind: 'quote', content: [paragraph(text('f'))] },
    ]);
    assert.deepEqual(parseMarkdown('```ts\nlet <a>;\n```'), [{ kind: 'code', text: 'let <a>;' }]);
    assert.deepEqual(parseMarkdown('3. a\n4. b'), [
      {
        kind: 'list',
        ordered: true,
        start: 3,
        items: ['a', 'b'].map((item) => ({ checked: null, content: [paragraph(text(item))] })),
      },
    ]);
    assert.deepEqual(parseMarkdown('- [x] a\n- [ ] b'), [
      {
        kind: 'list',
        ordered: false,
        start: 1,
        items: [
          { checked: true, content: [paragraph(text('a'))] },
          { checked: false, content: [paragraph(text('b'))] },
        ],
      },
    ]);
    assert.deepEqual(parseMarkdown('| a |\n| - |\n| **b** |'), [
      { kind: 'table', head: [[text('a')]], rows: [[[{ kind: 'strong', content: [text('b')] }]]] },
    ]);
  });

  it('keeps line ends within a paragraph', () => {
    assert.deepEqual(parseMarkdown('a\nb'), [paragraph(text('a'), { kind: 'break' }, text('b'))]);
  });

  it('shows HTML as its source', () => {
    for (const html of [
      '<b>x</b>',
      '<script>alert(1)</script>',
      'a <img src=x onerror=alert(1)> b',
      '<!-- hidden -->',
    ]) {
      const blocks = parseMarkdown(html);
      const words = blocks.flatMap((block) => (block.kind === 'paragraph' ? block.content : []));
      assert.equal(words.map((word) => (word.kind === 'text' ? word.text : '')).join(''), html);
    }
    assert.deepEqual(parseMarkdown('a &amp;&lt;b&gt; c'), [paragraph(text('a &<b> c'))]);
  });

  it('makes links of web addresses only', () => {
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'command:workbench.action.quit',
      'vscode://x/y',
      'file:///etc/passwd',
      '//example.com',
      '/etc/passwd',
      'https://user:pass@example.com',
      'https:\\\\example.com',
    ]) {
      assert.deepEqual(linksIn(parseMarkdown(`[Save](${address})`)), [], address);
      assert.deepEqual(linksIn(parseMarkdown(`[Save](<${address}>)`)), [], address);
      assert.deepEqual(linksIn(parseMarkdown(`[Save][1]\n\n[1]: ${address}`)), [], address);
      assert.deepEqual(linksIn(parseMarkdown(`![Save](${address})`)), [], address);
    }
    assert.deepEqual(linksIn(parseMarkdown('[a](https://example.com/x) http://b.example')), [
      'https://example.com/x',
      'http://b.example/',
    ]);
    assert.match(seen(parseMarkdown('[Save](javascript:x)')), /Save.*\(javascript:x\)/);
  });

  it('names pictures and never shows them', () => {
    assert.deepEqual(parseMarkdown('![a cat](https://example.com/cat.png)'), [
      paragraph({ kind: 'link', url: 'https://example.com/cat.png', content: [text('[Picture: a cat]')] }),
    ]);
    assert.deepEqual(parseMarkdown('![a](data:image/png;base64,AA)'), [
      paragraph(text('[Picture: a]'), text(' (data:image/png;base64,AA)')),
    ]);
  });

  it('removes invisible characters, and keeps everything else', () => {
    assert.deepEqual(parseMarkdown('a\u202eb\u200bc\u001b[31md'), [paragraph(text('abcd'))]);
  });

  const many = 60_000;
  const intricate: [string, string][] = [
    ['a megabyte of words', 'word '.repeat(200_000)],
    ['a megabyte without a gap', 'x'.repeat(1_000_000)],
    ['stars', '*a '.repeat(many / 3)],
    ['stars and underscores', '**_a'.repeat(many / 4)],
    ['underscores', '_a_'.repeat(many / 3)],
    ['brackets', '['.repeat(many)],
    ['links in links', '[a]('.repeat(many / 4)],
    ['pictures in pictures', '![a]('.repeat(many / 5)],
    ['quotes in quotes', `${'> '.repeat(5_000)}a`],
    ['lists in lists', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['backticks', Array.from({ length: 300 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['tags', '<a b="'.repeat(many / 6)],
    ['comments', '<!--'.repeat(many / 4)],
    ['addresses', 'http://'.repeat(many / 7)],
    ['a mail address', `${'a'.repeat(many)}@`],
    ['line ends', '\n'.repeat(many)],
    ['definitions', '[a]: '.repeat(many / 5)],
    ['a wide table', `${'|'.repeat(many / 2)}\n${'|-'.repeat(many / 4)}`],
  ];
  for (const [what, source] of intricate) {
    it(`is done quickly with ${what}, and loses none of it`, function () {
      this.timeout(8_000);
      const began = process.cpuUsage();
      const blocks = parseMarkdown(source);
      const { user } = process.cpuUsage(began);
      assert.ok(user < 2_500_000, `${Math.round(user / 1000)} ms`);
      const letters = (all: string) => all.match(/a|word|x/g)?.length ?? 0;
      const shown = seen(blocks).replace(
        /"(?:kind|text|content|paragraph|items|checked|ordered|start|false|null)":?/g,
        '',
      );
      assert.ok(letters(shown) >= letters(source) * 0.9, `${letters(shown)} of ${letters(source)}`);
    });
  }

  it('shows the source of what is nested too deep', () => {
    const blocks = parseMarkdown(`${'> '.repeat(30)}deep`);
    assert.match(seen(blocks), /> > deep/);
  });
});
