import assert from 'node:assert/strict';
import type { Entry, StepDetail, StepEntry } from '../../../src/shared/transcript';
import { entryExcerpt, entryMarkdown } from '../../../src/features/transcript/model/exportText';

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
    [
      'an edit that changes nothing',
      step({ ...edit, added: 0, removed: 0, diff: [] }),
      `## Edited /a · ${time}`,
    ],
    [
      'an edit of several files',
      step({
        ...edit,
        files: 3,
        diff: [
          { kind: 'file', text: '/a' },
          { kind: 'added', text: 'x' },
        ],
      }),
      `## Edited /a and 2 more (+1 −2) · ${time}\n\n\`\`\`\n/a\n+x\n\`\`\``,
    ],
    ['a file that was read', step({ step: 'read', path: '/a', output }), `## Read /a · ${time}`],
    ['a folder', step({ step: 'read', how: 'list', path: '/a', output }), `## Listed /a · ${time}`],
    ['a search', step({ step: 'read', how: 'search', path: 'x+', output }), `## Searched for x+ · ${time}`],
    [
      'a step with what its hooks said, and what can be done about its failure',
      step(
        { step: 'think', text: '' },
        {
          problem: { text: 'No', length: 2 },
          remedy: 'retry',
          hooks: [
            { on: 'PreToolUse', outcome: 'passed', text: '' },
            { on: 'PostToolUse', outcome: 'failed', text: 'lint' },
          ],
        },
      ),
      [
        `## Thought · ${time}`,
        ...['> No', 'This may work if you try again.', 'Hook ran: PreToolUse'],
        ...['A hook failed: PostToolUse', '```\nlint\n```'],
      ].join('\n\n'),
    ],
    [
      'an error with what can be done about it',
      { id: 'e1', at, kind: 'error', title: 'E', text: { text: 'x', length: 1 }, remedy: 'settings' },
      `## Error: E · ${time}\n\n\`\`\`\nx\n\`\`\`\n\nCheck the settings: this can’t work until they change.`,
    ],
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

  it('is an excerpt of what it says, as far as that fits', () => {
    const answer = { ...message('agent', '\u202eHm.'), at };
    const lines = ['Thought:', '', '> Hm.', '', '> Hello'];
    const quoted = lines.map((line) => `> ${line}`).join('\n');
    assert.equal(entryExcerpt(answer, 100), `## Agent · ${time}\n\n${quoted}`);
    assert.equal(entryExcerpt(answer, 10), `## Agent · ${time}\n\n> Thoug\n> · · ·\n> Hello`);
    const failure: Entry = { id: 'e1', at, kind: 'error', title: 'E', text: { text: '', length: 0 } };
    assert.equal(entryExcerpt(failure, 100), `## Error: E · ${time}`);
  });
});
