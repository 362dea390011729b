import assert from 'node:assert/strict';
import type { Entry, StepDetail } from '../../../src/shared/transcript';
import { entryText } from '../../../src/features/transcript';
import { clipped, error, message, separator, step } from '../../support/conversation/entries';

const output = clipped('said');
const tasks = [{ title: 'Task', notes: 'Notes', status: 'todo' as const }];
const details: readonly [detail: StepDetail, text: string][] = [
  [{ step: 'terminal', command: 'ls', output, exitCode: 0 }, 'ls said'],
  [{ step: 'terminal', command: 'ls', output: null, exitCode: null }, 'ls'],
  [{ step: 'read', path: '/a', output }, '/a said'],
  [{ step: 'read', path: '/a', output: null }, '/a'],
  [{ step: 'plan', tasks }, 'Task Notes'],
  [{ step: 'mcp', tool: 'fetch', input: 'url', output }, 'fetch url said'],
  [{ step: 'mcp', tool: 'fetch', input: 'url', output: null }, 'fetch url'],
  [{ step: 'browser', tool: 'click', input: 'here', output }, 'click here said'],
  [{ step: 'browser', tool: 'click', input: 'here', output: null }, 'click here'],
  [{ step: 'think', text: 'Hm' }, 'Hm'],
  [{ step: 'finish', text: 'Done' }, 'Done'],
  [{ step: 'other', tool: 'x', input: 'in', output }, 'x in said'],
  [{ step: 'other', tool: 'x', input: 'in', output: null }, 'x in'],
  [
    {
      ...{ step: 'edit', path: '/a', isNew: false, added: 1, removed: 1, hasContents: true },
      diff: [
        { kind: 'removed', text: 'old' },
        { kind: 'added', text: 'new' },
      ],
    },
    '/a old new',
  ],
];

describe('the text of an entry', () => {
  const words = (entry: Entry) => entryText(entry).split('\n').join(' ');

  for (const [detail, text] of details)
    it(`is all that a step says, and nothing else: ${JSON.stringify(detail)}`, () => {
      assert.equal(words(step(detail)), text);
      const around = { summary: 'Why', thought: 'Hm', problem: clipped('No') };
      assert.equal(words(step(detail, around)), `Why Hm ${text} No`);
    });

  it('is what somebody said, what failed, or what came in between', () => {
    assert.equal(words(message('agent', 'Hi', { thought: 'Hm' })), 'Hi Hm');
    assert.equal(words(error('Failed', 'Why')), 'Failed Why');
    assert.equal(words(separator('condensed', 'Summary')), 'Summary');
  });
});
