import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import { type SandboxAction, sandboxActions } from '../../../src/features/sandboxes/model/actions';
import { changeSandboxes } from '../../../src/features/sandboxes/model/changeSandboxes';
import { PendingActions } from '../../../src/core/lists/pendingActions';
import type { ListState } from '../../../src/core/lists/resourceList';
import type { ServiceModel } from '../../../src/core/lists/serviceModel';
import { aClient } from '../../support/builders/client';
import { aList, aSandbox } from '../../support/builders/records';

const route = '/api/v1/sandboxes/{id}/pause';
const lost = new ApiError('notService', 'POST', route, { status: 200, outcomeUnknown: true });
const refused = new ApiError('notFound', 'POST', route, { status: 404 });

/** Pauses a running sandbox; the service answers with `error` and then lists it as `after`. */
const pause = (error: ApiError, after: Sandbox | undefined) => change(sandboxActions.pause, error, after);

async function change(
  action: SandboxAction,
  error: ApiError,
  after: Sandbox | undefined,
  list: Partial<ListState<Sandbox>> = {},
  isOf: (client: object) => boolean = () => true,
) {
  const calls: string[] = [];
  const model = {
    pending: new PendingActions(),
    refresh: () => Promise.resolve(void calls.push('read')),
    sandboxes: { get: () => after, state: aList(after ? [after] : [], list), isOf },
  } as unknown as ServiceModel;
  const client = aClient({ [action.request]: () => Promise.reject(error) });
  const running = aSandbox({ status: 'RUNNING' });
  const failures = await changeSandboxes(model, client, [running], action);
  assert.deepEqual(calls, ['read'], 'reads the result before reporting');
  return failures.map((failure) => failure.error);
}

describe('sandbox change', () => {
  it('succeeds after an inconclusive answer if the service shows the change', async () => {
    assert.deepEqual(await pause(lost, aSandbox({ status: 'PAUSED' })), []);
  });

  it('fails after an inconclusive answer if the service shows no change', async () => {
    assert.deepEqual(await pause(lost, aSandbox({ status: 'RUNNING' })), [lost]);
    assert.deepEqual(await pause(lost, undefined), [lost]);
  });

  it('succeeds after an inconclusive answer if a sandbox to delete is gone', async () => {
    const remove = (list?: Partial<ListState<Sandbox>>) =>
      change(sandboxActions.delete, lost, undefined, list);
    assert.deepEqual(await remove(), []);
    assert.deepEqual(await remove({ error: refused }), [lost], 'the list could not be read');
    assert.deepEqual(await remove({ loaded: false }), [lost], 'the window has switched');
    assert.deepEqual(await remove({ nextPageId: '2' }), [lost], 'it may be on a page that wasn’t read');
    assert.deepEqual(await change(sandboxActions.delete, refused, undefined), [refused]);
  });

  it('fails after an inconclusive answer if a sandbox to delete only shows another state', async () => {
    const remove = (status: string) => change(sandboxActions.delete, lost, aSandbox({ status }));
    assert.deepEqual(await remove('PAUSED'), [lost]);
    assert.deepEqual(await remove('MISSING'), []);
  });

  it('fails after an inconclusive answer if the window has switched to another service', async () => {
    const { delete: remove, pause } = sandboxActions;
    const paused = aSandbox({ status: 'PAUSED' });
    const isOf = () => false;
    assert.deepEqual(await change(remove, lost, undefined, {}, isOf), [lost]);
    assert.deepEqual(await change(pause, lost, paused, {}, isOf), [lost]);
  });

  it('fails after a refusal, even if another client made the same change', async () => {
    assert.deepEqual(await pause(refused, aSandbox({ status: 'PAUSED' })), [refused]);
  });
});
