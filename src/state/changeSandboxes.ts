import type { ApiClient } from '../api/client';
import type { Sandbox } from '../api/schemas/sandbox';
import type { PendingAction } from './pendingActions';
import type { ServiceModel } from './serviceModel';

/** What came of asking. */
export interface StateChange {
  failures: { sandbox: Sandbox; error: unknown }[];
}

/**
 * Asks the service to pause or resume sandboxes (specification: "Endpoints"), which show as pending at once, then as
 * whatever the service says. Never rejects.
 */
export async function changeSandboxes(
  model: Pick<ServiceModel, 'pending' | 'refresh'>,
  client: Pick<ApiClient, 'pauseSandbox' | 'resumeSandbox'>,
  sandboxes: readonly Sandbox[],
  action: PendingAction,
  signal?: AbortSignal,
): Promise<StateChange> {
  const failures: StateChange['failures'] = [];
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      model.pending.begin(sandbox, action);
      try {
        await (action === 'pausing'
          ? client.pauseSandbox(sandbox.id, signal)
          : client.resumeSandbox(sandbox.id, signal));
      } catch (error) {
        model.pending.end(sandbox.id);
        failures.push({ sandbox, error });
      }
    }),
  );
  // Even after a failure: it may have taken effect, and the service's word is what counts.
  await model.refresh('sandboxes');
  return { failures };
}
