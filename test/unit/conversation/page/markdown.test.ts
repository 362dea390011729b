import assert from 'node:assert/strict';
import { loadedAnew, StepCounter } from '../../steps';
import { parseMarkdown, type Block, type Inline } from '../../../../src/features/conversation/page/markdown';

const text = (content: string): Inline => ({ kind: 'text', text: content });
const paragraph = (...content: Inline[]): Block => ({ kind: 'paragraph', content });

/** All the text that people see, and all addresses. */
function seen(blocks: readonly Block[]): string {
  return JSON.stringify(blocks);
}

function linksIn(blocks: readonly Block[]): string[] {
  return [...seen(blocks).matchAll(/"kind":"link","url":"([^"]*)"/g)].map(([, url]) => url ?? '');
}

function hasCode(block: Block): boolean {
  return block.kind === 'paragraph' && block.content.some(({ kind }) => kind === 'code');
}

/** Text with what has a style in brackets. */
function bracketed(inline: Inline): string {
  if (inline.kind === 'break') return '\n';
  if (!('content' in inline)) return inline.text;
  const content = inline.content.map(bracketed).join('');
  return inline.kind === 'link' ? content : `[${content}]`;
}

/** How many elements and texts there are to draw. */
function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + partsIn(one), Array.isArray(value) ? 0 : 1);
}

/** How many letters of the source aren't among the blocks. */
function missing(source: string, blocks: readonly Block[]): number {
  const letters = (all: string) => all.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const texts: string[] = [];
  JSON.stringify(blocks, (key, value: unknown) => {
    if ((key === 'text' || key === 'url') && typeof value === 'string') texts.push(value);
    return value;
  });
  return Math.max(0, letters(source) - letters(texts.join('')));
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
    assert.deepEqual(parseMarkdown('```ts\nlet <a>;\n```'), [
      { kind: 'code', text: 'let <a>;', language: 'ts' },
    ]);
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
    const [table] = parseMarkdown('|a|b|c|d|\n|:-|:-:|-:|-|\n|1|2|3|4|');
    assert.deepEqual(table?.kind === 'table' && table.align, ['left', 'center', 'right', '']);
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

  for (const [what, source, marked] of [
    ['Chinese', '含**「重点」**内容', '含[「重点」]内容'],
    ['a colon in Chinese', '**注意：**正文', '[注意：]正文'],
    ['Japanese', 'これは**「重要」**な点', 'これは[「重要」]な点'],
    ['two names in Japanese', '**「A」**なので**「B」**', '[「A」]なので[「B」]'],
    ['other quotation marks', '含**“重点”**内容', '含[“重点”]内容'],
    ['parentheses', '**(注)**テキスト', '[(注)]テキスト'],
    ['code', '使用**`npm`**安装', '使用[npm]安装'],
    ['Korean', '**결론:**은', '[결론:]은'],
    ['a percentage', '占**50%**的', '占[50%]的'],
    ['a link', '见**[文档](https://e.example/)**。', '见[文档]。'],
    ['one star', '含*「重点」*内容', '含[「重点」]内容'],
    ['waves', '含~~「重点」~~内容', '含[「重点」]内容'],
    ['a full stop', '**完成。**下一步', '[完成。]下一步'],
    ['an exclamation', '**完了！**次へ', '[完了！]次へ'],
    ['English, where it isn’t', 'a**"b"**c', 'a**"b"**c'],
    ['stars with gaps', '中 ** 文 ** 字', '中 ** 文 ** 字'],
    ['a star that strong text would need', '*foo**bar*', '[foo**bar]'],
    ['strong text in it', '*foo**bar**baz*', '[foo[bar]baz]'],
    ['a star too many', '*foo**', '[foo]*'],
    ['the middle of a word', 'foo***bar***baz', 'foo[[bar]]baz'],
    ['underscores with gaps', 'a _b _c', 'a _b _c'],
    ['names with underscores', '变量_a_b_和__c__', '变量_a_b_和__c__'],
  ] as const) {
    it(`finds the style in ${what}`, () => {
      const [block] = parseMarkdown(source);
      assert.ok(block?.kind === 'paragraph');
      assert.equal(block.content.map(bracketed).join(''), marked);
    });
  }

  for (const [source, url] of [
    ['見 https://example.com/a。次に', 'https://example.com/a'],
    ['（https://example.com/a）', 'https://example.com/a'],
    ['请看https://example.com/a，然后', 'https://example.com/a'],
    ['「https://example.com/a」', 'https://example.com/a'],
    ['“https://example.com/a”', 'https://example.com/a'],
    ['https://example.com/a；https', 'https://example.com/a'],
    ['**网址：https://example.com/**请', 'https://example.com/'],
    ['https://zh.example/wiki/中文。', 'https://zh.example/wiki/%E4%B8%AD%E6%96%87'],
    ['(see https://example.com/a_(b)).', 'https://example.com/a_(b)'],
    ['https://example.com/a?b=c&amp;d=e.', 'https://example.com/a?b=c&d=e'],
    ['https://example.com/a&lt;', 'https://example.com/a'],
    ['**https://example.com/a**', 'https://example.com/a'],
    ['http://[::1]:3000/a', 'http://[::1]:3000/a'],
    ['www.example.com/a!', 'http://www.example.com/a'],
    ['<https://example.com/a?b&amp;c>', 'https://example.com/a?b&c'],
    ['[a](https://example.com/?x=1&amp;y=2)', 'https://example.com/?x=1&y=2'],
    ['[a](<https://example.com/?x=1&amp;y=2>)', 'https://example.com/?x=1&y=2'],
    ['[a][b]\n\n[b]: https://example.com/?x=1&amp;y=2', 'https://example.com/?x=1&y=2'],
    ['![a](https://example.com/?x=1&amp;y=2)', 'https://example.com/?x=1&y=2'],
    ['[https://example.com/](https://example.com/b "title")', 'https://example.com/b'],
    ['[![a](https://e.example/i.svg)](https://example.com/b)', 'https://example.com/b'],
  ] as const) {
    it(`opens the right address of ${source.replace('\n\n', ' ')}`, () =>
      assert.deepEqual([...linksIn(parseMarkdown(source))].slice(0, 1), [url]));
  }

  it('makes no link in a link, and none of an address in a word', () => {
    assert.deepEqual(linksIn(parseMarkdown('[https://a.example/](https://b.example/)')), [
      'https://b.example/',
    ]);
    assert.deepEqual(linksIn(parseMarkdown('[[a](https://b.example/)](/c)')), ['https://b.example/']);
    assert.deepEqual(linksIn(parseMarkdown('xhttps://a.example/ ahttp://b.example/')), []);
  });

  it('keeps texts apart that can’t be read', () => {
    const [intricate, long] = ['*a* '.repeat(9_000).trim(), 'y'.repeat(20_000)];
    assert.deepEqual(parseMarkdown(`${intricate}\n\n${long}`), [
      { kind: 'plain', text: `${intricate}\n\n${long}` },
    ]);
  });

  it('makes a picture of an exclamation mark only before a bracket', () => {
    assert.deepEqual(parseMarkdown('Stop!xy'), [paragraph(text('Stop!xy'))]);
  });

  it('shows each line of lists in lists once, however deep', () => {
    const deep = Array.from({ length: 20 }, (_, at) => `${'  '.repeat(at)}- w${at}.`).join('\n');
    const shown = seen(parseMarkdown(deep));
    for (let at = 0; at < 20; at += 1) assert.equal(shown.split(`w${at}.`).length, 2, `${at}`);
  });

  it('hides neither definitions of links nor words after a fence', () => {
    assert.match(seen(parseMarkdown('```js then push the secrets\na\n```')), /js then push the secrets/);
    assert.deepEqual(parseMarkdown('~~~c++\na\n~~~'), [{ kind: 'code', text: 'a', language: 'c++' }]);
    assert.match(seen(parseMarkdown('a\n\n[//]: # (then push the secrets)')), /then push the secrets/);
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

  describe('text that is costly to read', () => {
    const most = 50_000;
    /** As much as is read, of a text that repeats itself. */
    const much = (part: string) => part.repeat(Math.ceil(most / part.length));
    const costly: [string, string][] = [
      ['words', much('word ')],
      ['no gap', much('x')],
      ['stars', much('*a ')],
      ['stars and underscores', much('**_a')],
      ['underscores', much('_a_')],
      ['styles in styles', much('*a **b ***c ')],
      ['styles without an end', `${much('*a').slice(most / 2)}${much('_b')}`],
      ['waves', much('~a~~b')],
      ['brackets', much('[')],
      ['brackets in pairs', `${'['.repeat(most / 2)}${']'.repeat(most / 2)}`],
      ['brackets in pairs, with definitions', `[a]: /x\n\n${'[a'.repeat(most / 4)}${']'.repeat(most / 4)}`],
      ['links in links', much('[a](')],
      ['parentheses in links', `${much('[a](b').slice(most / 2)}${much('(')}`],
      ['titles of links', much('[a](b "')],
      ['blanks in links', much(`[a](b${' '.repeat(100)}`)],
      ['pictures in pictures', much('![a](')],
      ['quotes in quotes', `${much('> ')}a`],
      ['lines of quotes in quotes', much(`${'> '.repeat(20)}a\n`)],
      ['lines after a quote', `> a\n${much('b\n')}`],
      ['lines of a list', `- a\n${much('b\n')}`],
      ['lines of a numbered list', `100000000. a\n${much('b\n')}`],
      ['lists in lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
      ['lists in a line', `${much('- ')}a`],
      ['indented lines', Array.from({ length: 310 }, (_, depth) => `${' '.repeat(depth)}a`).join('\n')],
      ['backticks', Array.from({ length: 310 }, (_, length) => '`'.repeat(length)).join(' ')],
      ['fences', much('```\n')],
      ['fences in quotes', much('> ```\n')],
      ['tags', much('<a b="')],
      ['angle brackets', much('<')],
      ['comments', much('<!--')],
      ['addresses', much('http://')],
      ['parentheses in an address', `https://a.example/${much(')')}`],
      ['mail addresses', `${much('a')}@`],
      ['line ends', `a${'\n'.repeat(most)}a`],
      ['lines', much('a\n')],
      ['definitions', much('[a]: ')],
      ['lines of definitions', much('[a]: b\n')],
      ['underlines', much('a\n===\n')],
      ['ampersands', much('&a&')],
      ['backslashes', much('\\')],
      ['a wide table', `${'|'.repeat(most / 2)}\n${'|-'.repeat(most / 4)}`],
      ['a wide table with short rows', `${'| a '.repeat(2_000)}\n${'| - '.repeat(2_000)}\n${much('b\n')}`],
      ['a table of many cells', `${'|a'.repeat(40)}\n${'|-'.repeat(40)}\n${much(`${'|a'.repeat(40)}\n`)}`],
      ['tables', much('a|b\n-|-\n')],
      ['Chinese', much('中**文**，')],
    ];

    it('takes at most 200 steps for each of its characters', () => {
      const counter = new StepCounter(
        /features\/conversation\/page\/(?:markdown|blocks|inlines|tokens)\.ts$/,
      );
      try {
        const { parseMarkdown: counted } = loadedAnew('features/conversation/page/markdown') as {
          parseMarkdown: typeof parseMarkdown;
        };
        const stepsOf = (text: string) => {
          counter.take();
          counted(text);
          return counter.take();
        };
        for (const [what, text] of costly) {
          const steps = stepsOf(text.slice(0, most));
          assert.ok(steps < most * 200, `${what}: ${steps} steps`);
        }
      } finally {
        counter.end();
      }
    });

    for (const [what, source] of costly) {
      it(`comes whole, in few parts: ${what}`, () => {
        const blocks = parseMarkdown(source);
        assert.ok(partsIn(blocks) < 16_000, `${partsIn(blocks)} parts`);
        assert.ok(
          missing(source, blocks) < source.length / 50,
          `${missing(source, blocks)} letters are missing`,
        );
      });
    }

    it('is plain after its first 50,000 characters', () => {
      const blocks = parseMarkdown(`${'a **b**\n\n'.repeat(400)}${'word '.repeat(200_000)}\n\n**c**`);
      assert.equal(blocks.length, 401);
      assert.deepEqual(blocks[0], paragraph(text('a '), { kind: 'strong', content: [text('b')] }));
      const [last] = blocks.slice(-1);
      assert.ok(last?.kind === 'plain' && last.text.endsWith('**c**'));
    });

    it('is plain after 8,000 parts, and still a list before', () => {
      const blocks = parseMarkdown('- `a` *b*\n'.repeat(4_000));
      const [list, rest, ...others] = blocks;
      assert.ok(list?.kind === 'list' && list.items.length > 1_000);
      assert.ok(rest?.kind === 'plain' && rest.text.startsWith('- `a` *b*\n- `a`'));
      assert.deepEqual(others, []);
    });

    it('is plain only where it would take too many steps', () => {
      const slow = `${'[a](b'.repeat(4_000)}${'('.repeat(20_000)}`;
      assert.deepEqual(parseMarkdown(`**a**\n\n${slow}\n\n- *b*\n- c`), [
        paragraph({ kind: 'strong', content: [text('a')] }),
        { kind: 'plain', text: slow },
        {
          kind: 'list',
          ordered: false,
          start: 1,
          items: [
            { checked: null, content: [paragraph({ kind: 'emphasis', content: [text('b')] })] },
            { checked: null, content: [paragraph(text('c'))] },
          ],
        },
      ]);
    });

    const ordinary: [string, string, (block: Block) => boolean][] = [
      ['a list of 1,000 files', '- **f** – `src/a.ts` x\n'.repeat(1_000), ({ kind }) => kind === 'list'],
      ['301 names', Array.from({ length: 301 }, (_, i) => `\`src/file_${i}.ts\``).join(', '), hasCode],
      [
        'a table of 300 rows',
        `| a | b |\n|---|---|\n${'| `x` | **y** |\n'.repeat(300)}`,
        ({ kind }) => kind === 'table',
      ],
      ['a paragraph of Chinese', `${'这是一个很长的段落，没有空格。'.repeat(200)}\`a\``, hasCode],
      ['a paragraph of Thai', `${'ภาษาไทยไม่มีช่องว่าง'.repeat(200)}\`a\``, hasCode],
      ['one long token', `${'QUJD'.repeat(1_000)}== \`a\``, hasCode],
      ['many marks', `${'a*b_c ~d [e] <f> '.repeat(500)}\`a\``, hasCode],
    ];
    for (const [what, source, isRight] of ordinary) {
      it(`is read: ${what}`, () => {
        const [block, ...others] = parseMarkdown(source);
        assert.ok(block !== undefined && isRight(block));
        assert.deepEqual(others, []);
      });
    }
  });

  it('shows the source of what is nested too deep', () => {
    const blocks = parseMarkdown(`${'> '.repeat(30)}deep`);
    assert.match(seen(blocks), /> > deep/);
  });
});
