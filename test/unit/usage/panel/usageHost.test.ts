import assert from 'node:assert/strict';
import { UsageHost } from '../../../../src/features/usage/panel/usageHost';
import { parseShownUsage, type ShownUsage } from '../../../../src/shared/usageMessages';
import type { UsageSource } from '../../../../src/features/usage/model/reading';
import { aConversation } from '../../../support/builders/records';
import { settled } from '../../../support/settled';

const items = [aConversation({ metrics: { accumulated_cost: 2 } })];
const older = [aConversation({ id: 'older', metrics: { accumulated_cost: 2 } })];

function hostOf(listConversations: UsageSource['client']['listConversations']) {
  const posted: ShownUsage[] = [];
  const refused: string[] = [];
  let asked = 0;
  const host = new UsageHost({
    post: (message) => {
      const parsed = parseShownUsage(structuredClone(message));
      assert.ok(parsed.ok);
      posted.push(parsed.message);
    },
    sources: () => {
      asked += 1;
      return Promise.resolve({
        sources: [{ connection: 'Team', client: { listConversations } }],
        withoutKey: ['Mine'],
      });
    },
    describe: String,
    refuse: (reason) => refused.push(reason),
  });
  return { host, posted, refused, asked: () => asked };
}

describe('the host of the usage page', () => {
  it('reads once for a page that loads again, and afresh on Refresh', async () => {
    const { host, posted, asked } = hostOf(() => Promise.resolve({ items, nextPageId: null }));
    await host.handle({ type: 'ready' });
    assert.deepEqual(
      posted.map(({ isReading, hasMore, total, uncounted }) => [
        ...[isReading, hasMore, total.cost, uncounted.length],
      ]),
      [
        [true, false, 0, 0],
        [true, false, 2, 0],
        [false, false, 2, 2],
      ],
    );
    assert.deepEqual(posted.at(-1)?.uncounted, [
      'Mine has no session key on this computer.',
      'Conversations that don’t report all of their tokens: 1.',
    ]);
    await host.handle({ type: 'ready' });
    assert.equal(asked(), 1);
    await host.handle({ type: 'refresh' });
    assert.deepEqual([asked(), posted.at(-1)?.total.cost], [2, 2]);
  });

  it('reads on from where it stopped on Read More', async () => {
    let pages = 0;
    const { host, posted, asked } = hostOf((_query, signal) => {
      pages += 1;
      if (pages === 1) return Promise.resolve({ items, nextPageId: 'next' });
      if (pages === 3) return Promise.resolve({ items: older, nextPageId: null });
      void host.handle({ type: 'stop' });
      return signal?.aborted ? Promise.reject(new Error('canceled')) : new Promise(() => undefined);
    });
    await host.handle({ type: 'ready' });
    assert.equal(posted.at(-1)?.hasMore, true);
    await host.handle({ type: 'readMore' });
    const { isReading, hasMore, total } = posted.at(-1) ?? {};
    assert.deepEqual([isReading, hasMore, total?.cost, asked()], [false, false, 4, 1]);
  });

  it('stops a reading: its request is canceled, and what was read stays', async () => {
    let pages = 0;
    const { host, posted } = hostOf((_query, signal) => {
      pages += 1;
      if (pages === 1) return Promise.resolve({ items, nextPageId: 'next' });
      void host.handle({ type: 'stop' });
      return signal?.aborted ? Promise.reject(new Error('canceled')) : new Promise(() => undefined);
    });
    await host.handle({ type: 'ready' });
    const { isReading, hasMore, total, uncounted } = posted.at(-1) ?? {};
    assert.deepEqual([isReading, hasMore, total?.cost], [false, true, 2]);
    assert.equal(uncounted?.[0], 'Team has older conversations than the 1 read.');
    let answer: () => void = () => undefined;
    const late = hostOf(
      () => new Promise((resolve) => (answer = () => resolve({ items, nextPageId: null }))),
    );
    const reading = late.host.handle({ type: 'ready' });
    await settled();
    await late.host.handle({ type: 'stop' });
    const { length } = late.posted;
    answer();
    await reading;
    assert.equal(late.posted.length, length, 'nothing changes after that');
  });

  it('has nothing to say where it was stopped before it began', async () => {
    const { host, posted } = hostOf(() => Promise.resolve({ items, nextPageId: null }));
    await host.handle({ type: 'readMore' });
    const ready = host.handle({ type: 'ready' });
    await host.handle({ type: 'stop' });
    await ready;
    const { isReading, hasMore, uncounted } = posted.at(-1) ?? {};
    assert.deepEqual([isReading, hasMore, uncounted], [false, false, []]);
    await host.handle({ type: 'ready' });
    assert.equal(posted.at(-1)?.total.cost, 2, 'a page that loads again');
  });

  it('goes on with what was asked for last', async () => {
    const answers: (() => void)[] = [];
    const { host, posted } = hostOf(
      () => new Promise((resolve) => answers.push(() => resolve({ items, nextPageId: null }))),
    );
    const first = host.handle({ type: 'ready' });
    await settled();
    const second = host.handle({ type: 'refresh' });
    await settled();
    answers[0]?.();
    await first;
    assert.equal(posted.at(-1)?.isReading, true);
    answers[1]?.();
    await second;
    assert.deepEqual([posted.at(-1)?.isReading, posted.at(-1)?.total.cost], [false, 2]);
  });

  it('refuses anything else, and reads nothing', async () => {
    const { host, posted, refused } = hostOf(() => Promise.resolve({ items, nextPageId: null }));
    for (const data of [null, {}, { type: 'delete' }, { type: 'ready', more: 1 }]) await host.handle(data);
    assert.deepEqual([posted.length, refused.length], [0, 4]);
  });
});
