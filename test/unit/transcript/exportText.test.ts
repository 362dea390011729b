import assert from 'node:assert/strict';
import type { Entry, StepDetail, StepEntry } from '../../../src/shared/transcript';
import { eventSchema } from '../../../src/api/events/schema';
import { compactAction } from '../../../src/features/transcript/model/compact';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import {
  entryExcerpt,
  entryMarkdown,
  exportJson,
  exportMarkdown,
} from '../../../src/features/transcript/model/exportText';
import type { ActionEvent } from '../../../src/features/transcript/model/outcomes';
import { words } from '../../../src/features/transcript/model/words';
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

  it('says that secrets may be in it, and counts the pictures and shortened arguments of steps', () => {
    const command = compactAction(aCommand('x'.repeat(50_000)) as ActionEvent);
    const call = eventSchema.parse({
      ...{ id: 'c1', timestamp: '2026-01-01T00:00:00', source: 'agent', kind: 'ACPToolCallEvent' },
      ...{ tool_call_id: 'c1', title: 'Look', status: 'completed' },
      content: [{ type: 'content', content: { type: 'image', mimeType: 'image/png', data: 'AQID' } }],
    });
    const events = [command, call];
    const entries = createEntryMaker()(events, 'idle');
    const head = { title: 'T', masked: 0, areSecretsUnread: true, hasOlder: false, problem: '' };
    const notes = exportMarkdown({ head, events, entries }).match(/^> .*/gm);
    assert.deepEqual(notes, [
      '> Long texts shortened: 1.',
      '> Pictures left out: 1.',
      `> ${words.secretsUnread()}`,
    ]);
  });

  it('lacks nothing that it needn’t', () => {
    const events = [aMessage('Hi')];
    const entries = createEntryMaker()(events, 'idle');
    const head = { title: 'T', masked: 0, hasOlder: false, problem: '' };
    const text = exportMarkdown({ head, events, entries });
    assert.match(text, /^# T\n\n## You · [-\d]+ [:\d]+\n\n> Hi\n$/);
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
    // What closes a fence, and what doesn’t.
    ['```\nx ```\n<i>\n```\n<b>', '```\nx ```\n<i>\n```\n&lt;b>'],
    ['```\n<i>\n ```\n<b>\n```', '```\n<i>\n ```\n&lt;b>\n```'],
    ['```\n<i>\n`````\n<b>', '```\n<i>\n`````\n&lt;b>'],
    ['~~~\n<i>\n```\n<i>\n~~~\n<b>', '~~~\n<i>\n```\n<i>\n~~~\n&lt;b>'],
    // What opens one, and what doesn’t.
    ['a\n\n```\n<i>\n```\n```\n<i>\n```\n<b>', 'a\n\n```\n<i>\n```\n```\n<i>\n```\n&lt;b>'],
    ['a ```x```\n```\n<i>\n```', 'a ```x```\n```\n<i>\n```'],
    ['~ a\n<b>', '~ a\n&lt;b>'],
    ['```a`b\n<b>', '```a`b\n&lt;b>'],
    ['1. ```\n```\n<b>', '1. ```\n```\n&lt;b>'],
    ['```<i>\nx\n```\n`<i>`', '```<i>\nx\n```\n`<i>`'],
    ['[a\n```\nx\n```\n`<i>`', '[a\n```\nx\n```\n`<i>`'],
    // Code beside an address, and after backquotes that may belong to other code.
    ['https://a.example/b `<i>`', 'https://a.example/b `<i>`'],
    ['``a\nb `c``<b>`', '``a\nb `c``&lt;b>`'],
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
