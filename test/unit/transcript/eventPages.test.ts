import assert from 'node:assert/strict';
import type { AgentClient } from '../../../src/api/agent/client';
import type { AgentEvent } from '../../../src/api/events/event';
import { byTime, timeOf } from '../../../src/api/events/schema';
import { ApiError } from '../../../src/api/http/errors';
import { agentPages, storedPages, type ReadPage } from '../../../src/features/transcript';
import { aClient } from '../../support/builders/client';
import { everyCase } from '../../support/everyCase';
import { anEvent } from './events';

type Query = Parameters<AgentClient['searchEvents']>[0];

const tooLarge = () => Promise.reject(new ApiError('tooLarge', 'GET', '/events/search'));
const at = (id: string, time: string) => anEvent({ kind: 'paused' }, { id, timestamp: `2026-01-01T${time}` });

/** Everything, as it’s put in order of time: by id, `unread` for what is too large. */
async function inOrder(readPage: ReadPage): Promise<string[]> {
  const events: AgentEvent[] = [];
  let next: string | undefined;
  do {
    const { items, nextPageId } = await readPage(next);
    events.push(...items);
    next = nextPageId ?? undefined;
  } while (next !== undefined);
  return events.toSorted(byTime).map(({ id, kind }) => (kind === 'unread' ? kind : id));
}

/** An agent server with these events; what is too large fails every page that begins with it. */
function agent(log: readonly AgentEvent[]) {
  return {
    searchEvents: ({ pageId, from = '', before = '9', newestFirst, limit = 2 }: Query = {}) => {
      const asked = log.filter(({ timestamp }) => timestamp >= from && timestamp < before);
      const rest = newestFirst ? asked.toReversed() : asked;
      const start = pageId === undefined ? 0 : rest.findIndex(({ id }) => id === pageId);
      const page = rest.slice(start, start + limit);
      const large = page.findIndex(({ id }) => id.startsWith('large'));
      if (large === 0) return tooLarge();
      const items = large < 0 ? page : page.slice(0, large);
      return Promise.resolve({ items, nextPageId: rest[start + items.length]?.id ?? null });
    },
  };
}

describe('an event that’s too large to be read', () => {
  it('comes right after the event before it, however exact the server’s times are', () =>
    everyCase(
      [
        ['00:00:01', '00:00:01.000001', '00:00:01.000002'],
        ['00:00:01.5', '00:00:01.500001', '00:00:01.500002'],
        ['00:00:01.123456', '00:00:01.123457', '00:00:01.123458'],
        ['00:00:01.123456787', '00:00:01.123456788', '00:00:01.123456789'],
        ['00:00:01.999999', '00:00:02', '00:00:02.000001'],
        ['00:00:01', '00:00:02', '00:00:03'],
      ] as const,
      ([time]) => time,
      async ([before, large, after]) => {
        const log = [
          ...[at('first', '00:00:00'), at('before', before), at('large', large)],
          ...[at('after', after), at('last', '00:01:00')],
        ];
        const order = ['first', 'before', 'unread', 'after', 'last'];
        for (const newestFirst of [false, true])
          assert.deepEqual(
            await inOrder(agentPages(agent(log), { newestFirst }, () => undefined)),
            order,
            newestFirst ? 'newest first' : 'oldest first',
          );
      },
    ));

  it('comes right before the event after it where nothing is before it, or the store’s pages are numbered', () =>
    everyCase(
      [
        ['00:00:00.999999', '00:00:01'],
        ['00:00:00.999999', '00:00:01.000000'],
        ['00:00:01', '00:00:01.000000001'],
        ['00:00:01.499999', '00:00:01.5'],
        ['00:00:01.123455', '00:00:01.123456'],
        ['00:00:01.123456787', '00:00:01.123456789'],
      ] as const,
      ([, time]) => time,
      async ([before, after]) => {
        const pages = [[at('after', after)], undefined, [at('before', before)]];
        const client = aClient({
          searchEvents: (_id, { pageId = '0' } = {}) => {
            const items = pages[Number(pageId)];
            const next = Number(pageId) + 1;
            return items
              ? Promise.resolve({ items, nextPageId: next < pages.length ? String(next) : null })
              : tooLarge();
          },
        });
        assert.deepEqual(await inOrder(storedPages(client, 'c')), ['before', 'unread', 'after']);
        const log = [at('large', before), at('after', after)];
        const read = inOrder(agentPages(agent(log), { newestFirst: true }, () => undefined));
        assert.deepEqual(await read, ['unread', 'after']);
      },
    ));

  it('comes beside another one that’s too large', async () => {
    const [one, two] = [at('large one', '00:00:01.000002'), at('large two', '00:00:01.000004')];
    const log = [at('before', '00:00:01'), one, two, at('after', '00:00:01.000006')];
    for (const newestFirst of [false, true])
      assert.deepEqual(
        await inOrder(agentPages(agent(log), { newestFirst }, () => undefined)),
        ['before', 'unread', 'unread', 'after'],
        newestFirst ? 'newest first' : 'oldest first',
      );
  });

  it('comes first, at a time that can be shown, where nothing else is known', async () => {
    const client = aClient({
      searchEvents: (_id, { pageId } = {}) =>
        pageId === undefined
          ? tooLarge()
          : Promise.resolve({ items: [at('a', '00:00:01')], nextPageId: null }),
    });
    assert.deepEqual(await inOrder(storedPages(client, 'c')), ['unread', 'a']);
    const { items } = await storedPages(client, 'c')(undefined);
    assert.deepEqual(items.map(timeOf), [0]);
  });

  it('hides no other failure behind it', async () => {
    const log = [at('before', '00:00:01'), at('large', '00:00:02'), at('after', '00:00:03')];
    const { searchEvents } = agent(log);
    const failure = new ApiError('serverError', 'GET', '/events/search', { status: 500 });
    let asked = 0;
    const failing = (query?: Query) => ((asked += 1) > 2 ? Promise.reject(failure) : searchEvents(query));
    const pages = agentPages({ searchEvents: failing }, {}, () => undefined);
    await assert.rejects(inOrder(pages), failure);
  });
});
