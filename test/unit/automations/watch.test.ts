import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { AgentServerCalls } from '../../../src/api/service/agentServerStart';
import type { Automation, AutomationRun } from '../../../src/api/service/automations';
import type { ApiClient } from '../../../src/api/service/client';
import type { News } from '../../../src/features/attention';
import { ToldNews } from '../../../src/features/attention';
import { AutomationWatch, insteadOfRows } from '../../../src/features/automations';
import { aClient } from '../../support/builders/client';
import { settled } from '../../support/settled';
import { FakeClock } from '../api/support/clock';

const minute = 60_000;
const [one, two] = ['https://one.example', 'https://two.example'];
const at = (minutes: number) => new Date(FakeClock.start + minutes * minute).toISOString();

/** What the automation service of a server answers. */
interface Server {
  hasAutomations: boolean;
  automations: Automation[] | Error;
  runs: Record<string, AutomationRun[] | Error>;
}

describe('watching automations', () => {
  let clock: FakeClock;
  let asked: string[];
  let servers: Map<string, Server>;
  let clients: Map<string, ApiClient>;
  let here: string | undefined;
  let watchMs: number;
  let alreadyTold: Set<string>;
  let store: Map<string, unknown>;
  let news: News[];
  let watch: AutomationWatch;

  const add = (baseUrl: string, ...automations: Automation[]) => {
    const server: Server = { hasAutomations: true, automations, runs: {} };
    servers.set(baseUrl, server);
    const answer = <T>(what: string, of: () => T | Error) => {
      asked.push(`${new URL(baseUrl).hostname.split('.')[0]} ${what}`);
      const found = of();
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    };
    const agents = {
      about: () => answer('about', () => ({ hasAutomations: server.hasAutomations })),
      listAutomations: () => answer('list', () => server.automations),
      listAutomationRuns: (id: string) => answer(`runs ${id}`, () => server.runs[id] ?? []),
    } as unknown as AgentServerCalls;
    clients.set(baseUrl, aClient({ baseUrl, agents }));
    return server;
  };
  const automation = (id: string, last?: string): Automation => ({
    ...{ id, name: `Job ${id}`, enabled: true, last_triggered_at: last ?? null },
  });
  const run = (id: string, status: string, created: string, more: Partial<AutomationRun> = {}) => ({
    ...{ id, status, created_at: created, ...more },
  });
  const make = () => {
    const told = new ToldNews(
      {
        get: (key: string) => store.get(key),
        update: (key: string, value: unknown) => Promise.resolve(void store.set(key, value)),
      },
      'told',
      clock.date,
    );
    const made = new AutomationWatch({
      services: () =>
        [...clients].map(([baseUrl, client]) => ({
          client,
          connection: { name: new URL(baseUrl).hostname, baseUrl, origin: baseUrl },
        })),
      here: () => here,
      watchMs: () => watchMs,
      shownMs: () => minute / 2,
      claim: (baseUrl, events) => told.claim(baseUrl, events),
      isTold: (_client, id) => Promise.resolve(alreadyTold.has(id)),
      clock,
    });
    made.onDidHappen((what) => news.push(what));
    return made;
  };
  const follow = async () => {
    watch.follow();
    await clock.pass(0);
    await settled();
  };
  const told = () => news.flatMap(({ events }) => events.map(({ kind, id }) => `${kind} ${id}`));
  const since = (work: () => Promise<void>) => {
    asked = [];
    return work().then(() => asked);
  };

  beforeEach(() => {
    clock = new FakeClock();
    [asked, news, here, watchMs] = [[], [], one, minute];
    servers = new Map();
    clients = new Map();
    alreadyTold = new Set();
    store = new Map();
    watch = make();
  });
  afterEach(() => watch.dispose());

  it('asks a server without the service once, and shows nothing', async () => {
    add(one).hasAutomations = false;
    await follow();
    await clock.pass(60 * minute);
    assert.deepEqual(asked, ['one about']);
    assert.equal(watch.here, undefined);
  });

  it('asks an idle server once a minute, less often without the focus, and where it has none', async () => {
    const server = add(one, automation('a'));
    await follow();
    assert.deepEqual(asked, ['one about', 'one list']);
    assert.equal(watch.here?.items.length, 1);
    assert.deepEqual(await since(() => clock.pass(5 * minute)), Array(5).fill('one list'));
    watch.setFocused(false);
    assert.deepEqual(await since(() => clock.pass(10 * minute)), Array(2).fill('one list'));
    watch.setFocused(true);
    server.automations = [];
    await clock.pass(minute);
    assert.deepEqual(await since(() => clock.pass(10 * minute)), Array(2).fill('one list'));
  });

  it('asks only once which servers have the service while nothing is watched and nothing is on screen', async () => {
    watchMs = 0;
    add(one, automation('a'));
    await follow();
    assert.ok(watch.here, 'its view can be shown');
    asked = [];
    await clock.pass(60 * minute);
    assert.deepEqual(asked, []);
    watch.setVisible(true);
    assert.deepEqual(await since(() => clock.pass(minute)), ['one list', 'one list']);
    watch.setVisible(false);
    assert.deepEqual(await since(() => clock.pass(60 * minute)), []);
  });

  it('says in place of rows why they were never read, as other lists do', async () => {
    const server = add(one);
    const instead = () => watch.here && insteadOfRows(watch.here);
    server.automations = new ApiError('rateLimited', 'GET', '/', { status: 429 });
    await follow();
    assert.equal(instead(), 'rateLimited');
    server.automations = [];
    await clock.pass(10 * minute);
    assert.equal(instead(), 'loaded');
    server.automations = new ApiError('serverError', 'GET', '/', { status: 500 });
    await clock.pass(10 * minute);
    assert.ok(watch.here?.error);
    assert.equal(instead(), 'loaded');
  });

  it('reads runs for the view once, and again when one has begun or is under way', async () => {
    const server = add(one, automation('a', at(-5000)), automation('b'));
    server.runs['a'] = [run('a1', 'COMPLETED', at(-5000))];
    await follow();
    assert.deepEqual(asked, ['one about', 'one list'], 'they ended long ago');
    watch.setVisible(true);
    await clock.pass(0);
    assert.deepEqual(asked.slice(2), ['one list', 'one runs a']);
    assert.equal(watch.here?.runs.get('a')?.status, 'COMPLETED');
    assert.deepEqual(await since(() => clock.pass(minute)), ['one list', 'one list']);
    server.automations = [automation('a', at(2)), automation('b')];
    server.runs['a'] = [run('a2', 'RUNNING', at(2))];
    await clock.pass(minute / 2);
    assert.equal(watch.here.runs.get('a')?.status, 'RUNNING');
    const busy = ['one list', 'one runs a', 'one list', 'one runs a'];
    assert.deepEqual(await since(() => clock.pass(minute / 2)), busy);
  });

  it('tells of each run that fails once, and not of old ones', async () => {
    const server = add(one, automation('a', at(-1)));
    server.runs['a'] = [run('old', 'FAILED', at(-1)), run('going', 'RUNNING', at(-2))];
    await follow();
    assert.deepEqual(told(), []);
    server.runs['a'] = [
      run('old', 'FAILED', at(-1)),
      run('going', 'FAILED', at(-2), { error_detail: 'No model.\nTrace' }),
    ];
    server.automations = [automation('a', at(1))];
    server.runs['a'].unshift(run('new', 'FAILED', at(1)), run('fine', 'COMPLETED', at(1)));
    await clock.pass(minute);
    assert.deepEqual(told(), ['automationFailed new', 'automationFailed going']);
    const [, going] = news[0]!.events;
    assert.deepEqual([going?.title, going?.detail, going?.automation], ['Job a', 'No model.', 'a']);
    assert.equal(news[0]!.connection, undefined);
    await clock.pass(10 * minute);
    assert.equal(told().length, 2);
  });

  it('tells of no failure from before the first look that can’t be read until later', async () => {
    const server = add(one, automation('a', at(-1)));
    server.runs['a'] = new ApiError('serverError', 'GET', '/', { status: 500 });
    await follow();
    server.runs['a'] = [run('old', 'FAILED', at(-1))];
    await clock.pass(10 * minute);
    assert.deepEqual([asked.filter((what) => what === 'one runs a').length, told()], [2, []]);
  });

  it('tells of failures although the runs of others can’t be read', async () => {
    const odd = Array.from({ length: 12 }, (_, index) => `odd${index}`);
    const server = add(one, ...[...odd, 'a'].map((id) => automation(id)));
    watch.setVisible(true);
    await follow();
    for (const [index, id] of odd.entries())
      server.runs[id] = new ApiError(index % 2 ? 'badShape' : 'serverError', 'GET', '/', { status: 500 });
    server.automations = [...odd.map((id) => automation(id, at(3))), automation('a', at(1))];
    server.runs['a'] = [run('new', 'FAILED', at(1))];
    const asking = await since(() => clock.pass(10 * minute));
    assert.deepEqual(told(), ['automationFailed new']);
    assert.equal(watch.here?.error, undefined);
    assert.ok(asking.length < 300, `${asking.length} requests`);
  });

  it('tells of failures after a time in the far future was stored', async () => {
    for (const wrong of [
      '+275760-09-13T00:00:00.000Z',
      '9999-12-31T23:59:59Z',
      at(3 * 24 * 60),
      '0000-01-01T00:00:00Z',
    ]) {
      watch.dispose();
      news = [];
      store = new Map();
      watch = make();
      const server = add(one, automation('wrong', wrong), automation('a', at(-1)));
      await follow();
      const now = (clock.date() - FakeClock.start) / minute + 0.5;
      server.automations = [automation('wrong', wrong), automation('a', at(now))];
      server.runs['a'] = [run(`new ${wrong}`, 'FAILED', at(now))];
      await clock.pass(2 * minute);
      assert.deepEqual(told(), [`automationFailed new ${wrong}`]);
    }
  });

  it('tells of no old failures although the clock of this computer is years behind', async () => {
    const later = (minutes: number) => at(3 * 365 * 24 * 60 + minutes);
    const ids = Array.from({ length: 12 }, (_, index) => `job${index}`);
    const server = add(one, ...ids.map((id, index) => automation(id, later(-index))));
    for (const [index, id] of ids.entries()) server.runs[id] = [run(`old ${id}`, 'FAILED', later(-index))];
    await follow();
    await clock.pass(5 * minute);
    assert.ok(asked.includes('one runs job11'), 'all were read');
    assert.deepEqual(told(), []);
  });

  it('tells of a failure in one of several windows', async () => {
    const server = add(one, automation('a'));
    const other = make();
    await follow();
    other.follow();
    await clock.pass(0);
    server.automations = [automation('a', at(1))];
    server.runs['a'] = [run('a1', 'FAILED', at(1))];
    await clock.pass(5 * minute);
    assert.deepEqual(told(), ['automationFailed a1']);
    other.dispose();
  });

  it('keeps what failed until the window has the focus', async () => {
    const server = add(one, automation('a'));
    await follow();
    watch.setFocused(false);
    server.automations = [automation('a', at(1))];
    server.runs['a'] = [run('a1', 'FAILED', at(1))];
    await clock.pass(10 * minute);
    assert.deepEqual(told(), []);
    watch.setFocused(true);
    assert.deepEqual(told(), ['automationFailed a1']);
  });

  it('doesn’t report a run whose agent’s failure is reported anyway', async () => {
    const server = add(one, automation('a'));
    alreadyTold.add('c-1');
    await follow();
    server.automations = [automation('a', at(1))];
    server.runs['a'] = [
      run('a2', 'FAILED', at(1), { conversation_id: 'c-2' }),
      run('a1', 'FAILED', at(1), { conversation_id: 'c-1' }),
    ];
    await clock.pass(minute);
    assert.deepEqual(told(), ['automationFailed a2']);
  });

  it('names the connection of a failure elsewhere, and keeps the services apart', async () => {
    add(one, automation('a'));
    const server = add(two, automation('a'));
    await follow();
    assert.equal(watch.at(two)?.connection.baseUrl, two);
    server.automations = [automation('a', at(1))];
    server.runs['a'] = [run('a1', 'FAILED', at(1))];
    await clock.pass(minute);
    assert.deepEqual(
      news.map(({ baseUrl, connection }) => [baseUrl, connection]),
      [[two, 'two.example']],
    );
    assert.equal(watch.here?.runs.size, 0);
    assert.equal(watch.at(two)?.runs.get('a')?.id, 'a1');
  });

  it('keeps what it knows while a server fails, asks less often, and leaves it alone for as long as it says', async () => {
    const server = add(one, automation('a'));
    await follow();
    const { automations } = server;
    server.automations = new ApiError('rateLimited', 'GET', '/', { status: 429, retryAfterMs: 7 * minute });
    await clock.pass(minute);
    assert.ok(watch.here?.error);
    assert.equal(watch.here.items.length, 1);
    assert.deepEqual(await since(() => clock.pass(6.5 * minute)), []);
    server.automations = automations;
    assert.deepEqual(await since(() => clock.pass(minute)), ['one list']);
    assert.equal(watch.here.error, undefined);
  });

  it('asks a server less often while it fails', async () => {
    const server = add(one, automation('a'));
    await follow();
    const { automations } = server;
    server.automations = new ApiError('reset', 'GET', '/');
    await clock.pass(minute);
    assert.ok(watch.here?.error);
    server.automations = automations;
    assert.deepEqual(await since(() => clock.pass(4.5 * minute)), []);
    assert.deepEqual(await since(() => clock.pass(minute)), ['one list']);
  });

  it('reads again for who asks during a reading, whose answer may be older', async () => {
    add(one, automation('a'));
    await follow();
    asked = [];
    const first = watch.refresh(one);
    while (asked.length === 0) await Promise.resolve();
    await Promise.all([first, watch.refresh(one), watch.refresh('https://other.example')]);
    assert.deepEqual(asked, ['one list', 'one list']);
  });

  it('forgets a service that isn’t followed anymore, whose late answer changes nothing', async () => {
    add(one, automation('a'));
    watch.follow();
    clients.clear();
    watch.follow();
    await settled();
    assert.equal(watch.at(one), undefined);
    await clock.pass(60 * minute);
    assert.deepEqual(asked, ['one about', 'one list']);
    assert.equal(clock.nextIn, undefined);
  });
});
