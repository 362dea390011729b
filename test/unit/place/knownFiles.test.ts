import assert from 'node:assert/strict';
import { mayChangeFiles } from '../../../src/features/place/model/knownFiles';
import type { StepEntry } from '../../../src/shared/transcript';
import { error, message, read, separator, step, terminal } from '../../support/conversation/entries';

describe('what may have changed files', () => {
  const edit = (more: Partial<StepEntry>) => {
    const of = { step: 'edit', path: 'a', isNew: false, added: 1, removed: 0, diff: [], hasContents: false };
    return step(of as StepEntry['detail'], more);
  };

  it('is a step that has ended, however it did', () => {
    for (const state of ['done', 'failed', 'unanswered'] as const) assert.ok(mayChangeFiles(edit({ state })));
    for (const state of ['running', 'pending', 'rejected', 'left'] as const)
      assert.ok(!mayChangeFiles(edit({ state })), state);
    assert.ok(mayChangeFiles(terminal('make', 'made')));
    assert.ok(mayChangeFiles(step({ step: 'other', tool: 'x', input: '', output: null })));
  });

  it('is what nobody saw', () => {
    for (const what of ['gap', 'unread', 'other'] as const) assert.ok(mayChangeFiles(separator(what)));
    assert.ok(!mayChangeFiles(separator('paused')));
  });

  it('isn’t what only reads or speaks', () => {
    for (const one of [
      message('agent', 'Done.'),
      message('user', 'Go.'),
      error('Error', 'Out of credit'),
      read('a'),
      step({ step: 'think', text: 'Hm' }),
      step({ step: 'plan', tasks: [] }),
      step({ step: 'finish', text: 'Done' }),
    ])
      assert.ok(!mayChangeFiles(one), JSON.stringify(one));
  });
});
