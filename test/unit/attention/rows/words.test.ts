import assert from 'node:assert/strict';
import type { AttentionEvent } from '../../../../src/core/lists/attention';
import { attentionNotice as noticeOf } from '../../../../src/features/attention/rows/words';

const attentionNotice = (events: readonly AttentionEvent[]) =>
  noticeOf(events, ({ id, title }) => title ?? id);
const titles = (events: AttentionEvent[]) => attentionNotice(events)?.actions.map(({ title }) => title);
const waits = (id: string, title = `Job ${id}`): AttentionEvent => ({
  kind: 'agentWaits',
  id,
  title,
  since: 0,
});

describe('event notifications', () => {
  it('show nothing without events', () => assert.equal(attentionNotice([]), undefined));

  it('show one event in one sentence, with matching buttons', () => {
    for (const [event, message, ...fitting] of [
      [waits('1'), '“Job 1” is waiting for you.'],
      [{ kind: 'agentEnded', id: 'c-7', since: 0 }, '“c-7” has finished.'],
      [{ kind: 'agentFailed', id: 'c-7', since: 0 }, '“c-7” failed or got stuck.'],
      [
        { kind: 'sandboxFailed', id: 'sb', since: 0, detail: 'out of disk.\u001b[31m' },
        'Sandbox “sb” failed: “out of disk”.',
        'Show Details',
      ],
      [
        { kind: 'sandboxPaused', id: 'sb', since: 0 },
        'Sandbox “sb” was paused by the service or someone else. The service pauses the oldest sandbox when too many are running.',
        'Resume',
      ],
    ] as const) {
      assert.equal(attentionNotice([event])?.message, message);
      assert.deepEqual(titles([event]), ['Show', ...fitting, 'Don’t Show Again']);
    }
  });

  it('say why the run of an automation failed', () => {
    const failed = (id: string, detail?: string): AttentionEvent => ({
      ...{ kind: 'automationFailed', id, automation: 'a', since: 0, title: 'Report', detail },
    });
    const words = (...events: AttentionEvent[]) => noticeOf(events, ({ title }) => title ?? '');
    const notice = words(failed('1', 'No model.'));
    assert.equal(notice?.message, 'The automation “Report” failed: “No model”.');
    assert.equal(notice.severity, 'warning');
    assert.deepEqual(
      notice.actions.map(({ title }) => title),
      ['Show', 'Don’t Show Again'],
    );
    assert.equal(
      words(failed('1', 'Step 1. No model'))?.message,
      'The automation “Report” failed: “Step 1. No model”.',
    );
    assert.equal(words(failed('1'))?.message, 'The automation “Report” failed.');
    assert.equal(words(failed('1'), failed('2'))?.message, '2 automation runs failed: “Report”, “Report”.');
  });

  it('summarize several events of a kind, and name the first', () => {
    const three = attentionNotice(['1', '2', '3'].map((id) => waits(id)));
    assert.equal(three?.message, '3 agents are waiting for you: “Job 1”, “Job 2”, “Job 3”.');
    const notice = attentionNotice(['1', '2', '3', '4', '5'].map((id) => waits(id)));
    assert.equal(notice?.message, '5 agents are waiting for you: “Job 1”, “Job 2”, “Job 3” and 2 more.');
    assert.deepEqual(
      notice.actions.map(({ title }) => title),
      ['Show', 'Don’t Show Again'],
    );
  });

  it('summarize several kinds, most urgent first', () => {
    const notice = attentionNotice([
      { kind: 'agentEnded', id: 'c-1', title: 'Tidy up', since: 0 },
      { kind: 'sandboxFailed', id: 'sb', since: 0 },
      waits('2'),
    ]);
    assert.equal(notice?.message, '“Job 2” is waiting for you. Sandbox “sb” failed. “Tidy up” has finished.');
    assert.equal(notice.severity, 'warning');
    assert.deepEqual(notice.actions[0], { title: 'Show', action: { do: 'show', event: waits('2') } });
    assert.equal(notice.actions.at(-1)?.action.do, 'chooseKinds');
  });

  it('are warnings only if something went wrong', () => {
    assert.equal(attentionNotice([waits('1')])?.severity, 'information');
    assert.equal(attentionNotice([{ kind: 'sandboxPaused', id: 'sb', since: 0 }])?.severity, 'warning');
  });
});
