import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import type { AgentServerCalls, AgentStart } from '../../../src/api/service/agentServerStart';
import { StartTasks, type BegunStart } from '../../../src/features/start/model/startTasks';
import { aClient, anError } from '../../support/builders/client';
import { settled } from '../../support/settled';

/** Other cases in every run; set the environment variables to see those of a run again, and for more. */
const seed = Number(process.env['START_MODEL_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['START_MODEL_RUNS'] ?? 500);

/** What becomes of a request to start: done or not, answered or not. */
const fault = fc.constantFrom(
  'ok',
  'lost',
  'doneThenLost',
  'refused',
  'busy',
  'invalid',
  'hangs',
  'doneThenHangs',
);
const reading = fc.constantFrom('ok', 'ok', 'refused');
const turn = fc.record({
  starts: fc.array(fault, { maxLength: 3 }),
  lookUps: fc.array(reading, { maxLength: 3 }),
  checks: fc.array(reading, { maxLength: 1 }),
  hooks: fc.array(reading, { maxLength: 1 }),
  /** What the user does after a failure. */
  then: fc.constantFrom('retry', 'edit', 'dismiss'),
  reloads: fc.boolean(),
});

const failed = (reason: ErrorReason, status?: number, outcomeUnknown = false) =>
  new ApiError(reason, 'POST', '/api/conversations', { status, outcomeUnknown });

describe('starts on a standalone agent server, with failures at every step', () => {
  it(`happen at most once, with the message that was sent last, in ${numRuns} cases of seed ${seed}`, async () => {
    const seen = { done: 0, unknown: 0, notStarted: 0, edited: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
        /** The messages of the conversations at the server, by their ids. */
        const there = new Map<string, string>();
        let now = turns[0]!;
        const take = <T>(list: T[], usual: T) => list.shift() ?? usual;
        const server: Partial<AgentServerCalls> = {
          checkAgentProfile: () =>
            take([...now.checks], 'ok') === 'ok'
              ? Promise.resolve({
                  isValid: true,
                  errors: [],
                  hasModel: true,
                  hasKey: true,
                  missingServers: [],
                })
              : Promise.reject(anError('refused')),
          readHooks: () =>
            take([...now.hooks], 'ok') === 'ok'
              ? Promise.resolve(undefined)
              : Promise.reject(anError('refused')),
          readFolder: () => Promise.resolve({ kind: 'missing' }),
          start: ({ conversationId, message }: AgentStart) => {
            const what = take(now.starts, 'ok');
            if (what === 'refused') return Promise.reject(failed('refused'));
            if (what === 'lost') return Promise.reject(failed('reset', undefined, true));
            if (what === 'hangs') return new Promise<string>(() => undefined);
            if (what === 'invalid' && !there.has(conversationId))
              return Promise.reject(failed('invalid', 422));
            if (!there.has(conversationId)) there.set(conversationId, message);
            if (what === 'busy') {
              // Otherwise, nobody can say whether it was a limit of requests.
              now.lookUps.unshift('ok');
              return Promise.reject(failed('rateLimited', 429));
            }
            if (what === 'doneThenLost') return Promise.reject(failed('reset', undefined, true));
            if (what === 'doneThenHangs') return new Promise<string>(() => undefined);
            return Promise.resolve(conversationId);
          },
        };
        const client = aClient({
          baseUrl: 'http://127.0.0.1:8000',
          agents: server as AgentServerCalls,
          getConversation: (id) =>
            take(now.lookUps, 'ok') === 'ok'
              ? Promise.resolve((there.has(id) ? { id } : null) as never)
              : Promise.reject(anError('refused')),
        });
        const store: { value?: unknown } = {};
        let ids = 0;
        const open = () =>
          new StartTasks({
            read: () => store.value,
            write: (value) => (store.value = JSON.parse(JSON.stringify(value)) as unknown),
            newId: () => `id-${(ids += 1)}`,
            now: () => 0,
            wait: () => Promise.resolve(),
            describe: String,
          });
        let tasks = open();
        const profile = { id: 'p', name: 'p' };
        const agent = { folder: '/workspace', isWorktree: false, profile };
        const choice = { place: { kind: 'default' }, agent } as const;
        let [texts, message] = [0, 'message 0'];
        const begin = () => tasks.begin({ client, choice, label: '', message });
        let begun: BegunStart | undefined;
        for (const given of turns) {
          now = structuredClone(given);
          const of: BegunStart = (begun ? tasks.retry(begun.id, client, message) : undefined) ?? begin();
          begun = of;
          const over = { isIt: false, id: '' };
          const end = (id = '') => Object.assign(over, { isIt: true, id });
          of.ended.then(end, () => end());
          // Otherwise, its answer never comes.
          for (let waits = 0; waits < 30 && !over.isIt; waits += 1) await settled();
          if (!over.isIt || now.reloads) tasks = open();
          if (over.id !== '') {
            assert.equal(there.get(over.id), message, 'the message was lost');
            seen.done += 1;
            begun = undefined;
            message = `message ${(texts += 1)}`;
            continue;
          }
          const start = tasks.get(of.id);
          assert.ok(start?.failure !== undefined && start.message === message, 'the message was lost');
          if (start.unknown) {
            seen.unknown += 1;
          } else {
            seen.notStarted += 1;
            assert.ok(![...there.values()].includes(message), `${message} has started, and isn’t said to`);
          }
          if (now.then === 'edit') {
            message = `message ${(texts += 1)}`;
            seen.edited += 1;
          }
          if (now.then === 'dismiss') {
            tasks.dismiss(of.id);
            begun = undefined;
            message = `message ${(texts += 1)}`;
          }
        }
        const all = [...there.values()];
        assert.equal(new Set(all).size, all.length, 'started twice');
      }),
      { seed, numRuns },
    );
    for (const [what, count] of Object.entries(seen)) assert.ok(count > numRuns / 20, `${what}: ${count}`);
  });
});
