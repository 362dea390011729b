import type { ApiClient } from '../api/client';
import type { Sandbox } from '../api/schemas/sandbox';
import { sandboxPhase } from './status';

/** The editor gives an extension five seconds to end; a little is left for what else it does then. */
const exitMs = 4_000;

/**
 * Asks the service to pause those of `ids` that are not known to be at rest, within the time that an ending window has.
 * Never rejects: nobody is left to be told.
 */
export async function pauseOnExit(
  client: Pick<ApiClient, 'pauseSandbox'>,
  ids: readonly string[],
  known: (id: string) => Sandbox | undefined,
  signal = AbortSignal.timeout(exitMs),
): Promise<void> {
  const atWork = ids.filter((id) => {
    const sandbox = known(id);
    return !sandbox || !['paused', 'missing'].includes(sandboxPhase(sandbox));
  });
  await Promise.allSettled(atWork.map((id) => client.pauseSandbox(id, signal)));
}
