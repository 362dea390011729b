import assert from 'node:assert/strict';
import {
  likelyPaused,
  pauseHint,
  pauseWarnings,
  runningNow,
} from '../../../src/features/sandboxes/model/serviceLimit';
import { aConversation, aSandbox } from '../../support/builders/records';

const now = Date.parse('2026-01-10T00:00:00Z');
/** Returns `count` running sandboxes; the highest number is the oldest. */
const running = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aSandbox({ id: `sb-${index}`, created_at: `2026-01-0${9 - index}T00:00:00Z` }),
  );
const paused = (sandboxes: ReturnType<typeof running>, more = 1) =>
  likelyPaused({ sandboxes }, more).map(({ id }) => id);

describe('sandboxes the service may pause to start another', () => {
  it('include none while fewer than five run', () => {
    assert.deepEqual(paused(running(4)), []);
    assert.deepEqual(pauseWarnings({ sandboxes: running(4), conversations: [] }, 'start'), []);
    assert.equal(pauseHint({ sandboxes: running(4), conversations: [] }), undefined);
  });

  it('include the oldest running sandboxes, as many as exceed the limit', () => {
    assert.deepEqual(paused(running(5)), ['sb-4']);
    assert.deepEqual(paused(running(5), 3), ['sb-4', 'sb-3', 'sb-2']);
    assert.deepEqual(paused(running(2), 9), ['sb-1', 'sb-0']);
  });

  it('count starting sandboxes, but not paused ones', () => {
    const others = [aSandbox({ id: 'a', status: 'STARTING' }), aSandbox({ id: 'b', status: 'PAUSED' })];
    assert.deepEqual(paused([...running(4), ...others]), ['sb-3']);
  });

  it('include only one if the service already runs more than five', () => {
    assert.deepEqual(paused(running(7)), ['sb-6']);
  });

  it('are named by their work', () => {
    const conversations = [aConversation({ sandbox_id: 'sb-4', title: 'Port tariff parser' })];
    const agentsStop = 'Agents working in a paused sandbox stop until you resume it.';
    const known = { sandboxes: running(5), conversations };
    assert.deepEqual(pauseWarnings(known, 'start', 1, now), [
      'Starting this sandbox may pause “Port tariff parser”.',
      agentsStop,
    ]);
    assert.deepEqual(pauseWarnings(known, 'resume', 1, now), [
      'Resuming this sandbox may pause “Port tariff parser”.',
      agentsStop,
    ]);
    assert.deepEqual(pauseWarnings(known, 'resume', 5, now), [
      'Resuming these sandboxes may pause “Port tariff parser”, “agent:1.0 · 4 d ago”, “agent:1.0 · 3 d ago” and 2 more.',
      agentsStop,
    ]);
    assert.equal(pauseHint(known, 1, now), 'May pause “Port tariff parser”');
  });

  it('follow what this window is doing to them', () => {
    const known = (via: 'starting' | 'paused') => ({
      sandboxes: { state: { items: [...running(4), aSandbox({ id: 'own', status: 'PAUSED' })] } },
      conversations: { state: { items: [aConversation()] } },
      pending: { get: (id: string) => (id === 'own' || id === 'sb-3' ? { via } : undefined) },
    });
    const now = runningNow(known('starting'));
    assert.deepEqual(now.conversations, [aConversation()]);
    assert.deepEqual(
      likelyPaused(now, 1).map(({ id }) => id),
      ['sb-2'],
    );
    assert.deepEqual(likelyPaused(runningNow(known('paused')), 1), []);
  });

  it('may include attempts themselves if there are more than a service runs', () => {
    const hint = (count: number, more: number) =>
      pauseHint({ sandboxes: running(count), conversations: [] }, more, now);
    const own = 'Services rarely run more than 5 sandboxes at once, so attempts may be paused, too';
    assert.equal(hint(0, 5), undefined);
    assert.equal(hint(0, 6), own);
    assert.equal(hint(1, 6), `May pause “agent:1.0 · 1 d ago”. ${own}`);
  });
});
