import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../../../src/api/http/clock';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { Attention } from '../../../src/core/lists/attention';
import { OtherConnections, ToldNews } from '../../../src/features/attention';
import { aClient } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import { FakeClock } from '../../unit/api/support/clock';
import { atMost, figure, never, type Figure } from '../support/figures';
import type { Section } from '../support/section';

const conversations = 500;
const pageSize = 100;
const minutes = 60;

/** What a window does, with the most requests a minute that each connection may get meanwhile. */
const states = [
  { name: 'in sight', visible: true, focused: true, most: 2 },
  { name: 'out of sight', visible: false, focused: true, most: 2 },
  { name: 'without the focus', visible: true, focused: false, most: 0.4 },
] as const;

export const watching: Section = {
  title: `other connections with ${conversations} idle conversations each, for ${minutes} min of each state`,
  measure: async (runs = 1) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const figures: Figure[] = [];
    for (const count of [1, 5, 20]) {
      const perMinute = new Map<string, number[]>(states.map(({ name }) => [name, []]));
      const heaps: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const clock = new FakeClock();
        collect();
        const before = process.memoryUsage().heapUsed;
        const asked = { requests: 0 };
        const watched = watch(count, clock, asked);
        await watched.follow();
        await clock.pass(0);
        for (const { client } of watched.reached)
          for (let more = pageSize; more < conversations; more += pageSize)
            await watched.loadMore(client.baseUrl);
        const listed = watched.shown?.map(({ list }) => list.items.length) ?? [];
        if (listed.some((length) => length !== conversations))
          throw new Error(`Lists have ${listed.join(', ')}.`);
        for (const { name, visible, focused } of states) {
          watched.setVisible(visible);
          watched.setFocused(focused);
          await clock.pass(60_000);
          asked.requests = 0;
          await clock.pass(minutes * 60_000);
          perMinute.get(name)?.push(asked.requests / minutes / count);
        }
        collect();
        heaps.push((process.memoryUsage().heapUsed - before) / 1024 / count);
        watched.dispose();
      }
      for (const { name, most } of states)
        figures.push(
          figure(`${count}, ${name}: requests a minute for each`, '', perMinute.get(name) ?? [], never(most)),
        );
      figures.push(figure(`  heap for each`, 'kB', heaps, atMost(500)));
    }
    return figures;
  },
};

function watch(count: number, clock: Clock, asked: { requests: number }): OtherConnections {
  const reached = Array.from({ length: count }, (_, at) => {
    const baseUrl = `https://service-${at}.example`;
    return {
      connection: { name: `Service ${at}`, baseUrl, origin: baseUrl },
      client: clientOf(baseUrl, asked),
    };
  });
  const attentions = new Map(reached.map(({ client }) => [client.baseUrl, new Attention()]));
  const kept = new Map<string, unknown>();
  const store = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  return new OtherConnections({
    others: () => Promise.resolve(reached),
    // As set unless the user changes it.
    intervalMs: () => 60_000,
    showsAll: () => true,
    shownMs: () => 30_000,
    attentionOf: (baseUrl) => attentions.get(baseUrl) ?? new Attention(),
    told: new ToldNews(store, 'told', clock.date),
    starts: { underWay: () => new Set() },
    isKnownHere: () => false,
    isLookedAt: () => false,
    clock,
  });
}

/** A service whose answers are new objects, as those from a wire are. */
const clientOf = (baseUrl: string, asked: { requests: number }) =>
  aClient({
    baseUrl,
    listConversations: ({ pageId } = {}) => {
      asked.requests += 1;
      const from = Number(pageId ?? 0);
      const items = Array.from({ length: pageSize }, (_, at) => recordOf(from + at));
      const next = from + pageSize;
      return Promise.resolve({ items, nextPageId: next < conversations ? String(next) : null });
    },
  });

const recordOf = (number: number): Conversation =>
  aConversation({
    id: String(number).padStart(32, '0'),
    title: `Mend part ${number} of the slugs`,
    execution_status: 'finished',
    updated_at: new Date(FakeClock.start - (number + 1) * 3_600_000).toISOString(),
    selected_repository: `example/part-${number % 20}`,
  });
