import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import { createLimiter } from '../../../src/api/http/limiter';
import { longestBackoffMs } from '../../../src/core/lists/refresher';
import { ServiceModel } from '../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../src/core/session/session';
import { aClient } from '../../support/builders/client';
import { aSandbox } from '../../support/builders/records';
import { FakeClock } from '../api/support/clock';
import { failureOf, testClient } from '../api/support/client';
import { closeServers, deadOrigin, json, serve } from '../api/support/servers';
import { holds } from './rows';

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** What is in use once all that is not has been collected. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const reasons: readonly ErrorReason[] = [
  'dns',
  'refused',
  'reset',
  'tls',
  'proxy',
  'connectTimeout',
  'timeout',
  'redirected',
  'notService',
  'badShape',
  'truncated',
  'tooLarge',
  'unauthorized',
  'forbidden',
  'notFound',
  'rateLimited',
  'serverError',
  'unreachable',
];
type Event = ErrorReason | 'blurred' | 'hidden' | 'keyChanged' | 'good';
const intervalMs = 15_000;

/** A window with the view Sandboxes on screen, over a service that does as `world.reason` says. */
async function openWindow() {
  const clock = new FakeClock();
  const world = { reason: undefined as ErrorReason | undefined, version: 0, requests: 0, key: 'k0' };
  const answer = <T>(value: T): Promise<T> => {
    world.requests += 1;
    const { reason } = world;
    return reason === undefined
      ? Promise.resolve(value)
      : Promise.reject(new ApiError(reason, 'GET', '/api/v1/sandboxes/search'));
  };
  const session = new SessionStore({
    readTarget: () =>
      Promise.resolve({
        connection: { name: 'Team', baseUrl: 'http://a', origin: 'http://a' },
        sessionKey: world.key,
      }),
    createClient: () =>
      aClient({
        getSettings: () => answer({ llm_api_key_set: true }),
        searchSandboxes: () =>
          answer({ items: [aSandbox({ id: `version-${world.version}` })], nextPageId: null }),
        listConversations: () => answer({ items: [], nextPageId: null }),
      }),
  });
  const model = new ServiceModel({
    session,
    intervalMs: () => intervalMs,
    watchMs: () => 0,
    clock,
  });
  await session.reload();
  model.setVisible('sandboxes', true);
  await settled();
  return { clock, world, session, model };
}

export function recovery(): void {
  describe('recovery', () => {
    afterEach(closeServers);

    holds(
      'poller',
      'the next good answer is on screen within one interval, after any sequence (150 sequences)',
      async () => {
        const runs = 150;
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.constantFrom<Event>(...reasons, 'blurred', 'hidden', 'keyChanged', 'good'), {
              maxLength: 12,
            }),
            async (events) => {
              const { clock, world, session, model } = await openWindow();
              for (const event of events) {
                if (event === 'blurred') model.setFocused(false);
                else if (event === 'hidden') model.setVisible('sandboxes', false);
                else if (event === 'keyChanged') {
                  world.key += 'x';
                  await session.reload();
                } else world.reason = event === 'good' ? undefined : event;
                clock.advance(intervalMs * 2);
                await settled();
                model.setFocused(true);
                model.setVisible('sandboxes', true);
                await settled();
              }
              world.reason = undefined;
              world.version += 1;
              // The longest interval there is: that of a service that failed again and again.
              clock.advance(longestBackoffMs);
              await settled();
              const { items, error } = model.sandboxes.state;
              assert.deepEqual([items[0]?.id, error], [`version-${world.version}`, undefined]);
              assert.equal(session.current.kind, 'ready');
              model.dispose();
            },
          ),
          { numRuns: runs },
        );
        return runs;
      },
    );

    holds(
      'soak',
      '10,000 refreshes with changes and faults leave no timer and no memory behind',
      async () => {
        const refreshes = 10_000;
        const { clock, world, model } = await openWindow();
        let early = 0;
        for (let count = 1; count <= refreshes; count += 1) {
          // Two good answers, each a change, and then one of the failures.
          world.reason = count % 3 === 0 ? reasons[(count / 3) % reasons.length] : undefined;
          world.version = count;
          clock.advance(longestBackoffMs);
          await settled();
          if (count === refreshes / 10) early = heapUsed();
        }
        world.reason = undefined;
        clock.advance(longestBackoffMs);
        await settled();
        assert.equal(model.sandboxes.state.items[0]?.id, `version-${refreshes}`);
        assert.ok(world.requests >= refreshes, `${world.requests} requests`);
        assert.equal(clock.running.length, 1);
        const grown = heapUsed() - early;
        assert.ok(grown < 5_000_000, `${grown} bytes more`);
        model.dispose();
        assert.deepEqual(clock.running, []);
        return refreshes;
      },
    );

    holds('sleep', 'waking after eight hours makes one refresh, not those that were missed', async () => {
      const { clock, world, model } = await openWindow();
      const before = world.requests;
      const [next] = clock.running;
      assert.equal(next, intervalMs);
      // Timers do not run while a machine sleeps: all that is due comes at once.
      world.version += 1;
      clock.advance(8 * 3_600_000);
      await settled();
      assert.ok(world.requests - before <= 3, `${world.requests - before} requests`);
      assert.equal(model.sandboxes.state.items[0]?.id, `version-${world.version}`);
      model.dispose();
    });

    holds('sleep', 'what piled up goes out as eight in any second, four at once', async () => {
      const clock = new FakeClock();
      const limiter = createLimiter(clock);
      const starts: number[] = [];
      let active = 0;
      let most = 0;
      const all = Array.from({ length: 60 }, async () => {
        const leave = await limiter.enter();
        starts.push(clock.now());
        most = Math.max(most, ++active);
        await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
        leave();
      });
      const done = Promise.all(all);
      for (let round = 0; starts.length < 60 && round < 10_000; round += 1) {
        await settled();
        clock.advance(100);
      }
      await done;
      assert.equal(starts.length, 60);
      for (const at of starts) {
        const within = starts.filter((other) => other >= at && other < at + 1_000).length;
        assert.ok(within <= 8, `${within} in the second from ${at}`);
      }
      assert.ok(most <= 4);
      return 60;
    });

    holds(
      'sleep',
      'a network that comes back answers the next request, on a connection of its own',
      async () => {
        const dead = testClient(await deadOrigin()).client;
        assert.equal((await failureOf(dead.searchSandboxes())).reason, 'refused');
        const server = await serve((request, response, number) => {
          // A changed network: what was open is gone without a word.
          if (number === 2) request.socket.destroy();
          else json(response, { items: [] });
        });
        const { client } = testClient(server.origin);
        await client.searchSandboxes();
        assert.deepEqual((await client.searchSandboxes()).items, []);
        assert.equal(server.requests.length, 3);
      },
    );
  });
}
