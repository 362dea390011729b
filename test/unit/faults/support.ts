import assert from 'node:assert/strict';
import type { ApiError } from '../../../src/api/http/errors';
import { describeError } from '../../../src/editor/errorText';
import { logLine } from '../../../src/editor/logLine';
import {
  makeConversation,
  makeSandbox,
  startService,
  type ProfileName,
  type ReferenceService,
} from '../../service/service';
import { failureOf, sessionKey, testClient } from '../api/support/client';
import { clientFor, type Endpoint, type Ids } from './endpoints';

/** The reference service of a suite, without faults at the start of each test. */
export function usedService(): {
  readonly service: ReferenceService;
  readonly ids: Ids;
  /** The service that has the endpoint. */
  of: (endpoint: Endpoint) => ReferenceService;
} {
  let service: ReferenceService | undefined;
  let current: ReferenceService | undefined;
  let ids: Ids | undefined;
  before(async () => {
    const start = (profile: ProfileName) => startService({ profile, seed: 'lifelike', sessionKey });
    [service, current] = await Promise.all([start('observed'), start('current')]);
    const { client } = testClient(service.url);
    const created = await client.createConversation({ title: 'x' });
    assert.ok(created.kind === 'task');
    const [sandbox] = service.state.sandboxes.keys();
    assert.ok(sandbox);
    ids = { sandbox, task: created.task.id, doomedSandbox: 'doomed', doomed: makeConversation().id };
  });
  beforeEach(() => current?.reset({ seed: 'lifelike' }));
  afterEach(() => service?.clearFailures());
  after(() => Promise.all([service?.close(), current?.close()]));
  return {
    of({ ofCurrent }) {
      const used = ofCurrent ? current : service;
      assert.ok(used);
      used.state.profiles.set('work', { model: 'm', base_url: null, api_key: null });
      used.state.secrets.set('TOKEN', { value: 'a', description: '' });
      return used;
    },
    get service() {
      assert.ok(service);
      return service;
    },
    get ids() {
      assert.ok(ids && service);
      const { doomed: id, doomedSandbox } = ids;
      const sandbox_id = `of-${doomedSandbox}`;
      for (const box of [doomedSandbox, sandbox_id])
        service.state.sandboxes.set(box, makeSandbox({ id: box }));
      service.state.conversations.set(id, makeConversation({ id, sandbox_id }));
      return ids;
    },
  };
}

/** The secrets that the requests of `endpoints` carry. */
const carried = [sessionKey, 'canary-llm-key', 'canary-git-token', 'canary-custom-secret'];

/** What every failure owes: one sentence and one next step, nothing secret in it, in the log, or in the error. */
export function checkWords(error: ApiError, lines: readonly string[]): void {
  const { message, nextStep } = describeError(error);
  assert.match(message, /^[A-Z“].*[.”)]$/s);
  assert.match(nextStep, /^[A-Z].*\.$/s);
  const said = [message, nextStep, ...lines, error.message, error.stack ?? '', JSON.stringify(error)].join(
    '\n',
  );
  for (const secret of carried) assert.ok(!said.includes(secret), said);
  assert.ok(message.length < 600 && lines.every((line) => line.length < 500));
  if (error.method !== 'GET') assert.match(message, /Nothing was changed|may have gone through/);
}

/** The error of a call under a fault, after the checks that hold for all; undefined when the call succeeded. */
export async function outcomeOf(url: string, endpoint: Endpoint, ids: Ids): Promise<ApiError | undefined> {
  const { client, events } = clientFor(endpoint, url);
  const work = endpoint.call(client, undefined, ids);
  const error = await work.then(
    () => undefined,
    () => failureOf(work),
  );
  if (error) checkWords(error, events.map(logLine));
  return error;
}
