import { type ApiClient, needed } from '../../../api/service/client';
import { ApiError } from '../../../api/http/errors';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { sandboxPhase } from '../../../core/lists/status';
import type { SandboxAction } from './actions';

/** A request that wasn't carried out, as far as is known. */
export interface SandboxFailure {
  sandbox: Sandbox;
  error: unknown;
}

/**
 * Asks the service to do `action` to sandboxes (docs/protocol/service.md, “Endpoints”). They are shown as pending
 * immediately, then in the state that the service reports. Resolves to what failed; never rejects.
 */
export async function changeSandboxes(
  model: Pick<ServiceModel, 'pending' | 'refresh' | 'sandboxes'>,
  client: Pick<ApiClient, 'sandboxes'>,
  sandboxes: readonly Sandbox[],
  action: SandboxAction,
  signal?: AbortSignal,
): Promise<SandboxFailure[]> {
  const failures: SandboxFailure[] = [];
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      model.pending.begin(sandbox, action);
      try {
        await needed(client.sandboxes)[action.request](sandbox.id, signal);
      } catch (error) {
        model.pending.end(sandbox.id);
        failures.push({ sandbox, error });
      }
    }),
  );
  // Even after a failure: the request may have gone through, and only the service knows.
  await model.refresh('sandboxes');
  // After a switch to another connection, the list says nothing about these sandboxes.
  return failures.filter((failure) => !model.sandboxes.isOf(client) || !wentThrough(model, failure, action));
}

/** True if the outcome was unknown, and reading back shows that the sandbox has changed or is gone. */
function wentThrough(
  { sandboxes }: Pick<ServiceModel, 'sandboxes'>,
  { sandbox, error }: SandboxFailure,
  { to }: SandboxAction,
): boolean {
  if (!(error instanceof ApiError) || !error.outcomeUnknown) return false;
  const isDeletion = to === 'missing';
  const now = sandboxes.get(sandbox.id);
  if (now) return isDeletion ? sandboxPhase(now) === to : now.status !== sandbox.status;
  const { loaded, error: unread, nextPageId, skipped } = sandboxes.state;
  return isDeletion && loaded && unread === undefined && nextPageId === null && !skipped;
}
