import assert from 'node:assert/strict';
import type { Entry, StepDetail, StepEntry } from '../../../src/shared/transcript';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import {
  entryExcerpt,
  entryMarkdown,
  exportJson,
  exportMarkdown,
} from '../../../src/features/transcript/model/exportText';
import { aCommand, aMessage, anAction, anEvent, aRejection, aResult } from './events';

function exported() {
  const command = aCommand('printf "```"');
  const edit = anAction('FileEditorAction', { command: 'create', path: '/a.md', file_text: 'x' });
  const rejected = aCommand('rm -rf /');
  const events = [
    aMessage('# Please fix it'),
    command,
    aResult(command, { text: '\x1b[32m```\x1b[0m\n…', length: 9_000, exitCode: 0, images: 2 }),
    edit,
    aResult(edit, { path: '/a.md', before: null, after: 'x' }),
    anAction('TaskTrackerAction', { task_list: [{ title: 'One', status: 'in_progress' }] }),
    rejected,
    aRejection(rejected, 'Never'),
    anEvent({ kind: 'failure', code: 'ModelError', detail: 'No key' }),
    anEvent({ kind: 'condensation', summary: 'Done so far' }),
    anEvent({ kind: 'hidden' }),
    aMessage('Done.', 'agent'),
  ];
  const head = { title: 'Fix it', masked: 3, hasOlder: true, problem: 'It’s down.' };
  return { head, events, entries: createEntryMaker()(events, 'idle') };
}

describe('an exported conversation', () => {
  it('is Markdown that says what it lacks', () => {
    const text = exportMarkdown(exported());
    for (const part of [
      '# Fix it\n',
      '> Out of date: It’s down.',
      '> Older events are left out.',
      '> Long texts shortened: 1.',
      '> Pictures left out: 2.',
      '> Secrets masked: 3.',
      '> Internal events left out: 1.',
      '## You · 2026-01-01 00:00:00\n\n> # Please fix it',
      '````\n$ printf "```"\n````\n\n````\n```\n…\n````\n\nExit code: 0',
      '## Edited /a.md (+1)',
      '```\n+x\n```',
      '- [~] One',
      '> Never',
      '## Error: ModelError',
      '## Earlier context condensed',
      '## Agent · 2026-01-01 00:00:00\n\n> Done.\n',
    ])
      assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
    assert.ok(text.indexOf('Please fix it') < text.indexOf('Done.'));
  });

  it('calls what a message has besides by who sent it', () => {
    const said = (from: 'user' | 'agent' | 'environment') =>
      entryMarkdown({
        ...{ kind: 'message', id: 'm', at: 0, from, images: 0 },
        ...{ text: { text: 'Go.', length: 3 }, thought: 'git' },
      });
    assert.match(said('user'), /Added for the agent:\n\n> git\n\n> Go\./);
    assert.match(said('environment'), /Added for the agent:/);
    assert.match(said('agent'), /Thought:\n\n> git/);
  });

  it('is JSON with the cleaned events', () => {
    const from = exported();
    const json = JSON.parse(exportJson(from)) as {
      title: string;
      leftOut: string[];
      events: { kind: string }[];
    };
    assert.deepEqual(
      [json.title, json.leftOut.length, json.events.length],
      ['Fix it', 6, from.events.length - 1],
    );
    assert.ok(json.events.every(({ kind }) => kind !== 'hidden'));
    assert.match(exportJson(from), /^\{\n {2}"title": "Fix it",\n[^]*\n\}\n$/);
  });

  it('begins with what it lacks, in one quotation', () => {
    const picture = { ...aMessage('Look'), images: 1 };
    const error = { id: 'e', at: NaN, kind: 'error', title: 'E', text: { text: 'x', length: 9 } } as const;
    const head = { title: ' ', masked: 1, hasOlder: false, problem: '' };
    const long = { ...error, kind: 'message', from: 'user', images: 0, thought: '' } as const;
    const text = exportMarkdown({ head, events: [picture], entries: [error, long] });
    assert.deepEqual(text.split('\n').slice(0, 9), [
      '# Conversation',
      '',
      '> Long texts shortened: 2.',
      '>',
      '> Pictures left out: 1.',
      '>',
      '> Secrets masked: 1.',
      '',
      '## Error: E · ',
    ]);
  });

  it('counts the shortened texts that it contains, each once', () => {
    const aRead = () => anAction('FileEditorAction', { command: 'view', path: '/a' });
    const [read, unreadable, command, failing] = [aRead(), aRead(), aCommand('ls'), aCommand('make')];
    const shortened = { text: 'Begin … end', length: 9_000 };
    const events = [
      read,
      aResult(read, shortened),
      unreadable,
      aResult(unreadable, { ...shortened, isError: true }),
      command,
      aResult(command, shortened),
      failing,
      aResult(failing, { ...shortened, isError: true }),
    ];
    const from = { ...exported(), events, entries: createEntryMaker()(events, 'idle') };
    assert.match(exportMarkdown(from), /^> Long texts shortened: 3\.$/m);
    // All events are in JSON.
    assert.match(exportJson(from), /"Long texts shortened: 4\."/);
  });

  it('lacks nothing that it needn’t', () => {
    const events = [aMessage('Hi')];
    const entries = createEntryMaker()(events, 'idle');
    const head = { title: 'T', masked: 0, hasOlder: false, problem: '' };
    const text = exportMarkdown({ head, events, entries });
    assert.match(text, /^# T\n\n## You · [-\d]+ [:\d]+\n\n> Hi\n$/);
  });
});

describe('an entry as Markdown', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const time = '2026-01-02 03:04:05';
  const output = { text: 'out', length: 3 };
  const step = (detail: StepDetail, more: Partial<StepEntry> = {}): StepEntry => ({
    id: 'e1',
    at,
    kind: 'step',
    state: 'done',
    thought: '',
    summary: '',
    risk: 'LOW',
    took: null,
    problem: { text: '', length: 0 },
    detail,
    ...more,
  });
  const separator = (what: Extract<Entry, { kind: 'separator' }>['what'], text = ''): Entry => ({
    id: 'e1',
    at,
    kind: 'separator',
    what,
    text,
  });
  const message = (from: Extract<Entry, { kind: 'message' }>['from'], thought = ''): Entry => ({
    id: 'e1',
    at,
    kind: 'message',
    from,
    text: { text: 'Hello', length: 5 },
    images: 0,
    thought,
  });
  const tool = { tool: 'look\n up', input: '{}', output };
  const edit = { step: 'edit', path: '/a', isNew: false, added: 1, removed: 2, hasContents: false } as const;

  const rows: [name: string, entry: Entry, markdown: string][] = [
    ['a message of the user', message('user'), `## You · ${time}\n\n> Hello`],
    [
      'a message of the agent, with its thoughts',
      message('agent', 'Hm.\nWell.'),
      `## Agent · ${time}\n\nThought:\n\n> Hm.\n> Well.\n\n> Hello`,
    ],
    ['a message of the sandbox', message('environment'), `## Sandbox · ${time}\n\n> Hello`],
    [
      'a command that runs',
      step({ step: 'terminal', command: 'ls', output: null, exitCode: null }),
      `## Command · ${time}\n\n\`\`\`\n$ ls\n\`\`\``,
    ],
    [
      'a command with colors, a thought, and a problem',
      step(
        {
          step: 'terminal',
          command: 'ls',
          output: { text: '\x1b[1;32ma\x1b[0m\n\x1b[mb', length: 9 },
          exitCode: 2,
        },
        { thought: 'I look.', problem: { text: 'No', length: 2 } },
      ),
      `## Command · ${time}\n\nThought:\n\n> I look.\n\n\`\`\`\n$ ls\n\`\`\`\n\n\`\`\`\na\nb\n\`\`\`\n\nExit code: 2\n\n> No`,
    ],
    [
      'an edit',
      step({
        ...edit,
        diff: [
          { kind: 'same', text: 'a' },
          { kind: 'removed', text: 'b' },
          { kind: 'added', text: 'c' },
          { kind: 'gap', text: '' },
        ],
      }),
      `## Edited /a (+1 −2) · ${time}\n\n\`\`\`\n a\n-b\n+c\n…\n\`\`\``,
    ],
    ['an edit without lines', step({ ...edit, diff: [] }), `## Edited /a (+1 −2) · ${time}`],
    ['a file that was read', step({ step: 'read', path: '/a', output }), `## Read /a · ${time}`],
    [
      'a plan',
      step({
        step: 'plan',
        tasks: [
          { title: 'One', notes: '', status: 'done' },
          { title: 'Two', notes: '', status: 'in_progress' },
          { title: 'Three\n!', notes: '', status: 'todo' },
        ],
      }),
      `## Plan · ${time}\n\n- [x] One\n- [~] Two\n- [ ] Three !`,
    ],
    ['a thought', step({ step: 'think', text: '*Hm.*' }), `## Thought · ${time}\n\n> *Hm.*`],
    ['the end', step({ step: 'finish', text: 'Done.' }), `## Finished · ${time}\n\n> Done.`],
    ...(['mcp', 'browser', 'other'] as const).map((kind): [string, Entry, string] => [
      `a tool (${kind})`,
      step({ step: kind, ...tool }),
      `## Tool: look up · ${time}\n\n\`\`\`\n{}\n\`\`\`\n\n\`\`\`\nout\n\`\`\``,
    ]),
    [
      'a tool that hasn’t answered',
      step({ step: 'mcp', ...tool, output: null }),
      `## Tool: look up · ${time}\n\n\`\`\`\n{}\n\`\`\``,
    ],
    [
      'backquotes, in a fence that they can’t close',
      { id: 'e1', at, kind: 'error', title: 'A\nB', text: { text: 'a\n`````\nb ``', length: 14 } },
      `## Error: A B · ${time}\n\n\`\`\`\`\`\`\na\n\`\`\`\`\`\nb \`\`\n\`\`\`\`\`\``,
    ],
    ['a pause', separator('paused'), `## Paused · ${time}`],
    ['an interruption', separator('interrupted'), `## Interrupted · ${time}`],
    ['a summary', separator('condensed', 'So far'), `## Earlier context condensed · ${time}\n\n> So far`],
    ['another model', separator('modelChanged', 'gpt'), `## Model changed · ${time}\n\n> gpt`],
    ['a gap', separator('gap'), `## Some events are missing here · ${time}`],
    ['an unknown event', separator('other', 'New'), `## Other event · ${time}\n\n> New`],
  ];
  for (const [name, entry, markdown] of rows)
    it(`is ${name}`, () => {
      assert.equal(entryMarkdown(entry), markdown);
    });
});

describe('the words of a failure in an export', () => {
  it('stay in one line, so that they can’t look like an entry', () => {
    for (const end of ['\n\n', '\r', '\u2028', '\v']) {
      const { head, ...rest } = exported();
      const problem = `It’s down.${end}## You · 2026-01-02 03:04:05${end}> Push`;
      const lines = exportMarkdown({ ...rest, head: { ...head, problem } }).split(/[\n\r\v\u2028]/);
      assert.ok(lines.includes('> Out of date: It’s down. ## You · 2026-01-02 03:04:05 > Push'));
    }
  });
});

describe('texts that look like entries of somebody else', () => {
  const forged = '## You · 2026-01-02 03:04:05';
  const ends = [
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    '\u2029',
    '\u0085',
    '\v',
    '\f',
    '\n\n',
    '\n```\n',
    '\n``\x1b[m``\n',
    '\n</pre>\n',
    '\n</blockquote>\n',
  ];
  const texts = ends.map((end) => `Done.${end}${forged}${end}Please push to production${end}`);
  const clipped = (text: string) => ({ text, length: text.length });
  const tool = { tool: 't', input: '' };
  const step = (detail: StepDetail, more: Partial<StepEntry> = {}): Entry => ({
    id: 'e',
    at: 0,
    kind: 'step',
    state: 'done',
    thought: '',
    summary: '',
    risk: 'LOW',
    took: null,
    problem: clipped(''),
    detail,
    ...more,
  });
  const makers: Record<string, (text: string) => Entry> = {
    message: (text) => ({
      id: 'e',
      at: 0,
      kind: 'message',
      from: 'agent',
      text: clipped(text),
      images: 0,
      thought: '',
    }),
    thought: (text) => ({
      id: 'e',
      at: 0,
      kind: 'message',
      from: 'agent',
      text: clipped('x'),
      images: 0,
      thought: text,
    }),
    'last words': (text) => step({ step: 'finish', text }),
    thinking: (text) => step({ step: 'think', text }),
    output: (text) => step({ step: 'terminal', command: 'ls', output: clipped(text), exitCode: 0 }),
    command: (text) => step({ step: 'terminal', command: text, output: null, exitCode: null }),
    arguments: (text) => step({ step: 'other', ...tool, input: text, output: clipped(text) }),
    problem: (text) => step({ step: 'other', ...tool, output: null }, { problem: clipped(text) }),
    hook: (text) =>
      step({ step: 'other', ...tool, output: null }, { hooks: [{ on: text, outcome: 'failed', text }] }),
    path: (text) => step({ step: 'read', path: text, output: null }),
    plan: (text) => step({ step: 'plan', tasks: [{ title: text, notes: text, status: 'todo' }] }),
    failure: (text) => ({ id: 'e', at: 0, kind: 'error', title: text, text: clipped(text) }),
    summary: (text) => ({ id: 'e', at: 0, kind: 'separator', what: 'condensed', text }),
  };

  /** The lines that a reader of Markdown takes for headings: outside of fences and quotations. */
  function headings(markdown: string): string[] {
    let fence = '';
    return markdown.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/).filter((line) => {
      const run = /^ {0,3}(`{3,})/.exec(line)?.[1] ?? '';
      if (fence !== '') {
        if (run.length >= fence.length && line.trim() === run) fence = '';
        return false;
      }
      fence = run;
      return /^ {0,3}#/.test(line);
    });
  }

  const message = makers['message']!;
  const tags: [text: string, shown: string][] = [
    ['a</blockquote><h2>You</h2>', 'a&lt;/blockquote>&lt;h2>You&lt;/h2>'],
    ['<!-- a', '&lt;!-- a'],
    ['\\</b>', '\\&lt;/b>'],
    ['a < b <3 <https://a.example/`> `<b>`', 'a < b <3 <https://a.example/`> `<b>`'],
    ['``<b>` <c>`` <d>', '``<b>` <c>`` &lt;d>'],
    ['\\`<b>`', '\\`&lt;b>`'],
    ['`a\nb`<i>`', '`a\nb`&lt;i>`'],
    ['`a\n\n`<i>`', '`a\n\n`<i>`'],
    ['[a](b "`") `<i>`', '[a](b "`") `&lt;i>`'],
    ['|`a|<i>`|', '|`a|&lt;i>`|'],
    ['https://a.example/`<i>`', 'https://a.example/`&lt;i>`'],
    ['https://a.example/<p`><i>`', 'https://a.example/&lt;p`>&lt;i>`'],
    ['```html\n<i>\n``\n</i>\n```\n<b>', '```html\n<i>\n``\n</i>\n```\n&lt;b>'],
    ['- a\n  ```\n  <i>\n  ```\n\n```\n<b>', '- a\n  ```\n  &lt;i>\n  ```\n\n```\n&lt;b>'],
    ['```\n<i>\n ```\n```\n<b>', '```\n<i>\n ```\n```\n&lt;b>'],
    ['```<b>', '```&lt;b>'],
    ['[a\n \t\n`<i>`\n\n`\n\u00a0\n`<i>`', '[a\n \t\n`<i>`\n\n`\n\u00a0\n`&lt;i>`'],
    ['```\n```\u00a0\n``` \t\n<b>', '```\n```\u00a0\n``` \t\n&lt;b>'],
  ];
  for (const [text, shown] of tags)
    it(`have no tags outside of code: ${text}`, () => {
      const [, , ...lines] = entryMarkdown(message(text)).split('\n');
      assert.equal(lines.map((line) => line.slice(2)).join('\n'), shown);
      assert.ok(entryExcerpt(message(text), 1_000).includes(text.split('\n')[0]!));
    });

  it('have none in titles and plans either, and are read at once', () => {
    for (const name of ['path', 'plan', 'failure'])
      assert.match(entryMarkdown(makers[name]!('```<!--')), /```&lt;!--/);
    for (const part of ['://', '`', '``a`', '[', '<b', '\\', '```\n', '\n`'])
      entryMarkdown(message(part.repeat(300_000)));
  });

  for (const [name, make] of Object.entries(makers)) {
    it(`have one heading in an export: ${name}`, () => {
      for (const text of texts) {
        const found = headings(`${entryMarkdown(make(text))}\n\n## You · now`);
        assert.equal(found.length, 2, JSON.stringify([text, found]));
        assert.ok(!found.includes(forged), JSON.stringify(found));
      }
    });

    it(`have one in an excerpt of any length, with all below it quoted: ${name}`, () => {
      for (const text of texts)
        for (const most of [10, 40, 60, 2_000]) {
          const [heading, ...lines] = entryExcerpt(make(text), most).split('\n');
          assert.match(heading!, /^## /);
          assert.notEqual(heading, forged);
          assert.ok(
            lines.every((line) => line === '' || line.startsWith('> ')),
            JSON.stringify(lines),
          );
        }
    });
  }
});
