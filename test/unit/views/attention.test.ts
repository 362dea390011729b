import assert from 'node:assert/strict';
import type { AttentionEvent } from '../../../src/state/attention';
import { attentionNotice } from '../../../src/views/attention/words';

const titles = (events: AttentionEvent[]) => attentionNotice(events)?.actions.map(({ title }) => title);
const waits = (id: string, title = `Job ${id}`): AttentionEvent => ({ kind: 'agentWaits', id, title });

describe('notifications of what happened', () => {
  it('says nothing of nothing', () => assert.equal(attentionNotice([]), undefined));

  it('says one event in one sentence, with the fitting buttons', () => {
    for (const [event, message, fitting] of [
      [waits('1'), 'The agent of “Job 1” waits for you.', 'Open in Browser'],
      [{ kind: 'agentEnded', id: 'c-7' }, 'The agent of “c-7” has finished.', 'Open in Browser'],
      [{ kind: 'agentFailed', id: 'c-7' }, 'The agent of “c-7” failed or is stuck.', 'Open in Browser'],
      [
        { kind: 'sandboxFailed', id: 'sb', detail: 'out of disk\u001b[31m' },
        'Sandbox sb failed. The service says: “out of disk”.',
        'Show Details',
      ],
      [
        { kind: 'sandboxPaused', id: 'sb' },
        'Sandbox sb was paused, and not from here. A service pauses the oldest sandbox when too many run.',
        'Resume',
      ],
    ] as const) {
      assert.equal(attentionNotice([event])?.message, message);
      assert.deepEqual(titles([event]), ['Show', fitting, 'Don’t Show Again']);
    }
  });

  it('sums up several of a kind, and names the first', () => {
    const notice = attentionNotice(['1', '2', '3', '4', '5'].map((id) => waits(id)));
    assert.equal(notice?.message, '5 agents wait for you: “Job 1”, “Job 2”, “Job 3” and 2 more.');
    assert.deepEqual(
      notice.actions.map(({ title }) => title),
      ['Show', 'Don’t Show Again'],
    );
  });

  it('sums up several kinds, the most urgent first', () => {
    const notice = attentionNotice([
      { kind: 'agentEnded', id: 'c-1', title: 'Tidy up' },
      { kind: 'sandboxFailed', id: 'sb' },
      waits('2'),
    ]);
    assert.equal(
      notice?.message,
      'The agent of “Job 2” waits for you. Sandbox sb failed. The agent of “Tidy up” has finished.',
    );
    assert.equal(notice.severity, 'warning');
    assert.deepEqual(notice.actions[0], { title: 'Show', action: { do: 'show', event: waits('2') } });
    assert.equal(notice.actions.at(-1)?.action.do, 'chooseKinds');
  });

  it('is a warning only where something went wrong', () => {
    assert.equal(attentionNotice([waits('1')])?.severity, 'information');
    assert.equal(attentionNotice([{ kind: 'sandboxPaused', id: 'sb' }])?.severity, 'warning');
  });
});
