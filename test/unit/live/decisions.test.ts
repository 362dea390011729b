import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import type { Entry, Execution } from '../../../src/shared/transcript';
import { separatorTitle } from '../../../src/shared/entryTitles';
import { Decisions } from '../../../src/features/live/model/decisions';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { aCommand, aMessage, anEvent, aRejection, aResult } from '../transcript/events';

const becomes = (status: Execution) => anEvent({ kind: 'status', status });
const waits = () => becomes('waiting_for_confirmation');
const runs = () => becomes('running');

/** Events in this order, all in one millisecond. */
const inOrder = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.map((event, index) => ({
    ...event,
    timestamp: `2026-01-01T00:00:00.000${String(index).padStart(3, '0')}`,
  }));

/** The entries in a few words, with the decisions among them. */
function told(events: readonly AgentEvent[], decisions = new Decisions()): string[] {
  return entriesIn(inOrder(events), decisions).map((entry) => {
    if (entry.kind === 'step') return [entry.kind, entry.problem.text].filter(Boolean).join(': ');
    if (entry.kind !== 'separator') return entry.kind;
    return [separatorTitle(entry), entry.text].filter(Boolean).join(': ');
  });
}

const entriesIn = (events: readonly AgentEvent[], decisions: Decisions): readonly Entry[] =>
  decisions.among(createEntryMaker()(events, 'idle'), events);

describe('decisions in a transcript', () => {
  it('are approvals if an agent continues with all that it asked for', () => {
    const [one, two] = [aCommand('a'), aCommand('b')];
    const events = [aMessage('Go'), runs(), one, two, waits(), runs(), aResult(one), aResult(two)];
    assert.deepEqual(told(events), ['message', 'step', 'step', '2 actions approved']);
    // As soon as it goes on.
    assert.deepEqual(told(events.slice(0, 6)), ['message', 'step', 'step', '2 actions approved']);
    assert.deepEqual(told(events.slice(0, 5)), ['message', 'step', 'step']);
  });

  it('are the user’s own where this window made them', () => {
    const [one, two] = [aCommand('a'), aCommand('b')];
    const events = [one, waits(), runs(), aResult(one), two, waits(), runs(), aResult(two)];
    const decisions = new Decisions();
    assert.deepEqual(told(events, decisions), ['step', '1 action approved', 'step', '1 action approved']);
    decisions.add([two.id]);
    assert.deepEqual(told(events, decisions), ['step', '1 action approved', 'step', 'You approved 1 action']);
  });

  it('are rejections, together if they were, with their reason once', () => {
    const [one, two, three] = [aCommand('a'), aCommand('b'), aCommand('c')];
    const first = [one, two, waits(), becomes('idle'), aRejection(one, 'No'), aRejection(two, 'No')];
    const events = [
      ...first,
      aMessage('Go on'),
      runs(),
      three,
      waits(),
      becomes('idle'),
      aRejection(three, ''),
    ];
    const decisions = new Decisions();
    decisions.add([three.id]);
    assert.deepEqual(told(events, decisions), [
      ...['step', 'step: No', '2 actions rejected', 'message', 'step', 'You rejected 1 action'],
    ]);
    const byMessage = [...first, aMessage('No'), runs()];
    const all = ['step', 'step', '2 actions rejected', 'message'];
    assert.deepEqual(told(byMessage), all);
    const growing = new Decisions();
    for (let count = 1; count <= byMessage.length; count += 1) told(byMessage.slice(0, count), growing);
    assert.deepEqual(told(byMessage, growing), all);
  });

  it('are none where an agent that asked for nothing runs, or a hook said no', () => {
    const [one, two] = [aCommand('a'), aCommand('b')];
    const blocked = anEvent({ kind: 'rejection', actionId: two.id, reason: 'No', byHook: true });
    for (const events of [
      [runs(), one, aResult(one), runs(), becomes('finished')],
      [one, becomes('idle'), runs(), aResult(one)],
      [runs(), two, blocked, runs()],
      [one, waits(), becomes('idle'), aRejection(one, 'No'), runs()].slice(0, 3),
    ])
      assert.ok(told(events).every((entry) => /^step(: No)?$/.test(entry)));
  });

  it('don’t count what an error or a result answered before', () => {
    const [one, two, three] = [aCommand('a'), aCommand('b'), aCommand('c')];
    const failed = two.kind === 'action' ? two.callId : '';
    const error = anEvent({ kind: 'toolError', callId: failed, tool: 't', error: 'No' });
    const events = [one, aResult(one), two, error, three, waits(), becomes('idle'), runs(), aResult(three)];
    assert.deepEqual(told(events), ['step', 'step: No', 'step', '1 action approved']);
  });

  it('are the same objects as long as nothing changes', () => {
    const [one, two] = [aCommand('a'), aCommand('b')];
    const events = inOrder([one, waits(), runs(), aResult(one), two, waits(), runs()]);
    const decisions = new Decisions();
    const before = entriesIn(events.slice(0, 4), decisions)[1];
    const later = entriesIn(events, decisions);
    assert.equal(later[1], before);
    assert.equal(later.length, 4);
  });

  it('are the same whether events come one by one or at once, and when earlier ones come last', () => {
    const [one, two, three] = [aCommand('a'), aCommand('b'), aCommand('c')];
    const events = inOrder([
      ...[aMessage('Go'), one, two, waits(), runs(), aResult(one), aResult(two), three, waits()],
      ...[becomes('idle'), aRejection(three, 'No'), aMessage('Go on'), runs()],
    ]);
    const all = entriesIn(events, new Decisions());
    const growing = new Decisions();
    for (let count = 1; count < events.length; count += 1) entriesIn(events.slice(0, count), growing);
    assert.deepEqual(entriesIn(events, growing), all);
    const older = new Decisions();
    for (let from = events.length - 1; from > 0; from -= 1) entriesIn(events.slice(from), older);
    assert.deepEqual(entriesIn(events, older), all);
    assert.deepEqual(
      all.flatMap((entry) => (entry.kind === 'separator' ? [separatorTitle(entry)] : [])),
      ['2 actions approved', '1 action rejected'],
    );
  });
});
