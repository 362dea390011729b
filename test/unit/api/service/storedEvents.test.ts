import assert from 'node:assert/strict';
import { EventScan } from '../../../../src/api/events/scan';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve, type TestServer } from '../support/servers';

const id = '0123456789abcdef0123456789abcdef';
const hex = (number: number) => number.toString(16).padStart(32, '0');
const event = (number: number, timestamp = `2026-01-01T00:00:${String(number).padStart(2, '0')}.000001`) => ({
  kind: 'PauseEvent',
  id: hex(number),
  timestamp,
  source: 'user',
});

type Events = ReturnType<typeof event>[];

/** App server 1.1: every page after the first lacks its first event. */
const release11 = (events: Events, pageSize = 2) =>
  serve((request, response) => {
    const url = new URL(request.url!, 'http://service');
    if (url.pathname === '/api/v1/events') {
      const wanted = url.searchParams.getAll('id');
      json(
        response,
        wanted.length === 1 ? [events.find((one) => one.id === wanted[0]) ?? null] : {},
        wanted.length === 1 ? 200 : 500,
      );
      return;
    }
    if (url.pathname !== '/api/v1/events/search') {
      json(response, { detail: 'Not Found' }, 404);
      return;
    }
    const all = url.searchParams.get('sort_order') === 'TIMESTAMP_DESC' ? events.toReversed() : events;
    const pageId = url.searchParams.get('page_id');
    const start = pageId === null ? 0 : all.findIndex((one) => pageId.endsWith(one.id));
    const next = all[start + pageSize];
    json(response, {
      items: all.slice(start + (pageId === null ? 0 : 1), start + pageSize),
      next_page_id: next ? `20260101000000_PauseEvent_${next.id}` : null,
    });
  });

/** App server 1.2 and later. */
const newer = (answer: (pageId: string | null, query: URLSearchParams) => unknown) =>
  serve((request, response) => {
    const url = new URL(request.url!, 'http://service');
    if (url.pathname !== `/api/v1/conversation/${id}/events/search`) {
      json(response, {}, 404);
      return;
    }
    json(response, answer(url.searchParams.get('page_id'), url.searchParams));
  });

async function readAll(server: TestServer): Promise<string[]> {
  const { client } = testClient(server.origin);
  const scan = new EventScan((pageId) => client.searchEvents(id, { pageId, newestFirst: true }));
  const events = [];
  while (!scan.atEnd) events.push(...(await scan.next()));
  return events.map((one) => one.id);
}

describe('stored events', () => {
  afterEach(closeServers);

  it('are read completely, although 1.1 omits the first event of each page after the first', async () => {
    const events = [1, 2, 3, 4, 5, 6, 7].map((number) => event(number));
    const server = await release11(events);
    assert.deepEqual(await readAll(server), events.map((one) => one.id).reverse());
    const single = server.requests.map(({ url }) => url!).filter((url) => url.startsWith('/api/v1/events?'));
    assert.equal(single.length, 3);
    for (const url of single) assert.match(url, /^\/api\/v1\/events\?id=[0-9a-f]{32}$/);
  });

  it('are requested on the newer route only until the older one has answered', async () => {
    const server = await release11([event(1)]);
    const { client } = testClient(server.origin);
    await client.searchEvents(id);
    await client.searchEvents(id);
    assert.deepEqual(
      server.requests.map(({ url }) => url!.split('?')[0]),
      [`/api/v1/conversation/${id}/events/search`, '/api/v1/events/search', '/api/v1/events/search'],
    );
  });

  it('are found again after an update of the service has moved them, or a downgrade', async () => {
    let place = '/api/v1/events/search';
    const server = await serve((request, response) => {
      const isThere = request.url?.startsWith(`${place}?`) === true;
      json(response, isThere ? { items: [event(1)] } : { detail: 'Not Found' }, isThere ? 200 : 404);
    });
    const { client } = testClient(server.origin);
    const places = [place, `/api/v1/conversation/${id}/events/search`, place];
    for (place of places) assert.equal((await client.searchEvents(id)).items.length, 1, place);
  });

  it('are asked for by conversation on the older route, which has those of all', async () => {
    const server = await release11([event(1)]);
    const { client } = testClient(server.origin);
    await client.searchEvents(id);
    await client.searchEvents(id);
    const asked = server.requests
      .map(({ url }) => new URL(url!, server.origin))
      .map(({ pathname, searchParams }) => [pathname, searchParams.get('conversation_id__eq')]);
    assert.deepEqual(asked, [
      [`/api/v1/conversation/${id}/events/search`, null],
      ['/api/v1/events/search', id],
      ['/api/v1/events/search', id],
    ]);
  });

  it('are always the one that was requested', async () => {
    const server = await serve((_request, response) => json(response, [event(2), event(1)]));
    const { client } = testClient(server.origin);
    assert.equal((await client.getStoredEvent(id, hex(1)))?.id, hex(1));
    assert.equal(await client.getStoredEvent(id, hex(3)), null);
    assert.equal(await client.getStoredEvent(id, `${hex(1)}0`), null);
    assert.equal((await failureOf(client.getStoredEvent(`${id}0`, hex(1)))).reason, 'badId');
  });

  it('are sorted by time and then id, as 1.1 sorts by kind inside one second', async () => {
    const at = '2026-01-01T00:00:01';
    const server = await newer(() => ({
      items: [event(9, `${at}.9`), event(3, `${at}.3`), event(2, `${at}.3`), event(1, at)],
      next_page_id: null,
    }));
    const { items } = await testClient(server.origin).client.searchEvents(id);
    assert.deepEqual(
      items.map((one) => one.id),
      [1, 2, 3, 9].map(hex),
    );
  });

  it('end although 1.2 always names a next page with all events', async () => {
    let pages = 0;
    const server = await newer(() => ({ items: [event(1), event(2)], next_page_id: String((pages += 1)) }));
    assert.deepEqual(await readAll(server), [2, 1].map(hex));
    assert.equal(pages, 3);
  });

  it('are read once although the pages of 1.6 shift while events arrive', async () => {
    const server = await newer((pageId) =>
      pageId === null
        ? { items: [event(4), event(3)], next_page_id: '2' }
        : pageId === '2'
          ? { items: [event(3), event(2)], next_page_id: '4' }
          : { items: [event(1)], next_page_id: null },
    );
    assert.deepEqual(await readAll(server), [4, 3, 2, 1].map(hex));
  });

  it('are read completely, although more than a page of them arrives at 1.6 between two pages', async () => {
    const at = (number: number) => event(number, `2026-01-01T00:00:00.${String(number).padStart(6, '0')}`);
    const all = Array.from({ length: 450 }, (_, number) => at(number + 1));
    let present = 300;
    const server = await newer((pageId) => {
      if (pageId === '200') present = 450;
      const [events, start] = [all.slice(0, present).reverse(), Number(pageId ?? 0)];
      const next_page_id = start + 100 < present ? String(start + 100) : null;
      return { items: events.slice(start, start + 100), next_page_id };
    });
    assert.deepEqual(
      (await readAll(server)).sort(),
      all.slice(0, 300).map((one) => one.id),
    );
  });

  it('are never filtered by time, and never requested more than 100 at a time', async () => {
    const asked: URLSearchParams[] = [];
    const server = await newer((_page, query) => {
      asked.push(query);
      return { items: [], next_page_id: null };
    });
    await readAll(server);
    assert.deepEqual(
      asked.map((query) => Object.fromEntries(query)),
      [{ sort_order: 'TIMESTAMP_DESC', limit: '100' }],
    );
  });

  it('are read one at a time by id', async () => {
    const server = await release11([event(1), event(2)]);
    const { client } = testClient(server.origin);
    assert.equal((await client.getStoredEvent(id, hex(2)))?.id, hex(2));
    assert.equal(await client.getStoredEvent(id, hex(3)), null);
    assert.equal(await client.getStoredEvent(id, '*'), null);
    assert.ok(server.requests.every(({ url }) => !url!.includes('*')));
  });

  it('are never requested without a valid conversation ID, since 1.1 would answer those of all', async () => {
    const server = await release11([event(1)]);
    for (const bad of ['', '*', 'abc', `${id}0`]) {
      assert.equal((await failureOf(testClient(server.origin).client.searchEvents(bad))).reason, 'badId');
    }
    assert.equal(server.requests.length, 0);
  });

  it('don’t exist on a service without either route', async () => {
    const server = await serve((_request, response) => json(response, {}, 404));
    assert.equal((await failureOf(testClient(server.origin).client.searchEvents(id))).reason, 'notFound');
  });

  it('keep a failure of the newer route that isn’t about the route', async () => {
    const server = await serve((_request, response) => json(response, {}, 403));
    assert.equal((await failureOf(testClient(server.origin).client.searchEvents(id))).reason, 'forbidden');
    assert.equal(server.requests.length, 1);
  });
});

describe('getConversation', () => {
  afterEach(closeServers);

  it('requests one ID, and finds it in a complete list as well', async () => {
    const bare = '0b8e6f3ac1d24e5f8a7b9c0d1e2f3a4b';
    const id = '0B8E6F3A-C1D2-4E5F-8A7B-9C0D1E2F3A4B';
    const server = await serve((_request, response) => json(response, [{ id: 'other' }, { id }]));
    const { client } = testClient(server.origin);
    assert.equal((await client.getConversation(bare))?.id, id);
    assert.equal(server.requests[0]!.url, `/api/v1/app-conversations?ids=${bare}`);
  });

  it('finds one beyond the first page of a service that lists all in pages', async () => {
    const pages = [['a'], ['b'], ['c']];
    const server = await serve((request, response) => {
      const at = Number(new URL(request.url!, 'http://service').searchParams.get('page_id') ?? 0);
      const items = pages[at]!.map((one) => ({ id: one }));
      json(response, { items, next_page_id: at + 1 < pages.length ? `${at + 1}` : null });
    });
    const { client } = testClient(server.origin);
    assert.equal((await client.getConversation('b'))?.id, 'b');
    assert.equal(server.requests.length, 2);
    assert.equal(await client.getConversation('d'), null);
  });

  it('answers null for a conversation that is gone', async () => {
    const server = await serve((_request, response) => json(response, [null]));
    assert.equal(await testClient(server.origin).client.getConversation('ab'), null);
  });
});
