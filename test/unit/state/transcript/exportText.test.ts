import assert from 'node:assert/strict';
import { createEntryMaker } from '../../../../src/state/transcript/entries';
import { exportJson, exportMarkdown } from '../../../../src/state/transcript/exportText';
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
  const head = { title: 'Fix it', masked: 3, hasOlder: true };
  return { head, events, entries: createEntryMaker()(events, 'idle') };
}

describe('an exported conversation', () => {
  it('is Markdown that says what it lacks', () => {
    const text = exportMarkdown(exported());
    for (const part of [
      '# Fix it\n',
      '> Older events are left out.',
      '> Long texts shortened: 1.',
      '> Pictures left out: 2.',
      '> Secrets masked: 3.',
      '> Internal events left out: 1.',
      '## You · 2026-01-01 00:00:00\n\n# Please fix it',
      '````\n$ printf "```"\n````\n\n````\n```\n…\n````\n\nExit code: 0',
      '## Edited /a.md (+1 −0)',
      '```\n+x\n```',
      '- [~] One',
      '> Never',
      '## Error: ModelError',
      '## History condensed',
      '## Agent · 2026-01-01 00:00:00\n\nDone.\n',
    ])
      assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
    assert.ok(text.indexOf('Please fix it') < text.indexOf('Done.'));
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
      ['Fix it', 5, from.events.length - 1],
    );
    assert.ok(json.events.every(({ kind }) => kind !== 'hidden'));
  });

  it('lacks nothing that it needn’t', () => {
    const events = [aMessage('Hi')];
    const entries = createEntryMaker()(events, 'idle');
    const text = exportMarkdown({ head: { title: 'T', masked: 0, hasOlder: false }, events, entries });
    assert.match(text, /^# T\n\n## You · [-\d]+ [:\d]+\n\nHi\n$/);
  });
});
