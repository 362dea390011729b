import assert from 'node:assert/strict';
import type { ErrorReason } from '../../../src/api/http/errors';
import { ResourceList } from '../../../src/core/lists/resourceList';
import { endsAtOnce, failureOf, sessionKey, testClient } from '../api/support/client';
import { FakeClock } from '../api/support/clock';
import type { Effect } from '../../service/service';
import { clientFor, endpoints, type Endpoint } from './endpoints';
import { holds } from './rows';
import { checkWords, outcomeOf, usedService } from './support';

const MB = 1024 * 1024;
const text = (body: string): Effect => ({
  kind: 'answer',
  status: 200,
  text: body,
  contentType: 'application/json',
});
type Expected = readonly ErrorReason[] | 'fine';

/** A deletion is answered by the word `true`, and `tru` doesn't look like the beginning of something. */
const cutTrue: Expected = ['badShape', 'reset'];

/** What goes wrong with an answer, and what it is for those who read it and for those who only need to know. */
const faults: [name: string, effect: Effect, read: Expected, action: Expected][] = [
  ['truncated', { kind: 'truncated' }, ['truncated'], ['truncated']],
  ['reset midway', { kind: 'resetMidway' }, ['reset', 'truncated'], ['reset', 'truncated']],
  ['reset before the answer', { kind: 'resetBeforeAnswer' }, ['reset'], ['reset']],
  ['done, then reset', { kind: 'performThenReset' }, ['reset'], ['reset']],
  ['a wrong length', { kind: 'wrongLength' }, ['truncated', 'reset'], ['truncated', 'reset']],
  ['204', { kind: 'empty' }, ['badShape'], 'fine'],
  ['HTML with 200', { kind: 'html' }, ['notService'], ['notService']],
  ['not JSON', { kind: 'garbage' }, ['badShape', 'truncated'], ['badShape', 'truncated']],
  ['an object of the wrong shape', text('{"nonsense":true}'), ['badShape'], 'fine'],
  ['a number', text('7'), ['badShape'], 'fine'],
  ['50 MB', { kind: 'huge', bytes: 50 * MB }, ['tooLarge'], ['tooLarge']],
  ['a gzip bomb', { kind: 'gzipBomb', bytes: 50 * MB }, ['tooLarge'], ['tooLarge']],
  ['deep nesting', text('['.repeat(100_000) + ']'.repeat(100_000)), ['badShape'], ['badShape']],
  [
    '__proto__ keys',
    text(
      '{"__proto__":{"id":"a","items":[{"id":"a"}],"language":"x","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ),
    ['badShape'],
    'fine',
  ],
];

/** Where a service can stall, and how long each kind of request may take in milliseconds. */
const stalls = ['stallBeforeHeaders', 'stallAfterHeaders'] as const;
const limitOf = ({ method, path }: Endpoint) => {
  if (method === 'GET') return 30_000;
  return path === '/api/v1/sandboxes' || path === '/api/v1/app-conversations' ? 180_000 : 60_000;
};

export function bodies(): void {
  describe('bodies', () => {
    const used = usedService();

    for (const [name, effect, read, action] of faults) {
      holds('bodies', `${name}: the right reason at each of ${endpoints.length} endpoints`, async () => {
        for (const endpoint of endpoints) {
          const { method, path } = endpoint;
          const service = used.of(endpoint);
          service.fail({ method, path, times: 'always', effect });
          const error = await outcomeOf(service.url, endpoint, used.ids);
          service.clearFailures();
          const expected =
            name === 'a wrong length' && endpoint.name === 'delete conversation'
              ? cutTrue
              : endpoint.answer === 'action'
                ? action
                : read;
          if (expected === 'fine') assert.equal(error, undefined, endpoint.name);
          else assert.ok(error && expected.includes(error.reason), `${endpoint.name}: ${error?.reason}`);
        }
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
        return endpoints.length;
      });
    }

    for (const kind of stalls) {
      holds(
        'bodies',
        `${kind}: a time-out of its own and a cancellation at once at each endpoint`,
        async () => {
          for (const endpoint of endpoints) {
            const { method, path, call } = endpoint;
            const service = used.of(endpoint);
            for (const end of ['time', 'cancel'] as const) {
              const clock = new FakeClock();
              const { client } = clientFor(endpoint, service.url, { clock });
              // Where this service lists conversations is found out by a first answer.
              if (endpoint.name === 'conversations') await client.listConversations();
              service.fail({ method, path, times: 'always', effect: { kind } });
              const wanted = new RegExp(`^${path.replaceAll('*', '.*')}$`);
              const arrived = service.waitForRequest((request) => wanted.test(request.path), {
                phase: 'arrived',
              });
              const controller = new AbortController();
              const failing = failureOf(call(client, controller.signal, used.ids));
              await arrived;
              for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
              if (end === 'time') clock.advance(limitOf(endpoint));
              else controller.abort();
              const error = await endsAtOnce(failing);
              assert.equal(error.reason, end === 'time' ? 'timeout' : 'canceled', endpoint.name);
              assert.equal(error.outcomeUnknown, method !== 'GET');
              checkWords(error, []);
              service.clearFailures();
            }
          }
          return endpoints.length * 2;
        },
      );
    }

    holds(
      'bodies',
      'the list on screen stays, marked stale, and is fresh with the next good answer',
      async () => {
        const { client } = testClient(used.service.url);
        const list = new ResourceList((own, query, signal) => own.sandboxes!.searchSandboxes(query, signal));
        list.reset(client);
        await list.refresh();
        assert.ok(list.state.items.length > 0);
        for (const [name, effect] of faults) {
          const { items } = list.state;
          used.service.fail({ path: '/api/v1/sandboxes/search', times: 'always', effect });
          await list.refresh();
          assert.deepEqual(list.state.items, items, name);
          assert.ok(list.state.error, name);
          used.service.clearFailures();
          await list.refresh();
          assert.equal(list.state.error, undefined, name);
        }
        list.reset(undefined);
        return faults.length;
      },
    );

    holds('bodies', 'every request still carries the key afterwards', async () => {
      const { client } = testClient(used.service.url);
      await client.getSettings();
      assert.equal(used.service.requests.at(-1)?.headers['x-session-api-key'], sessionKey);
      assert.deepEqual(used.service.violations, []);
    });
  });
}
