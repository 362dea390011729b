import type { ApiClient } from '../../../api/service/client';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { sandboxPhase } from '../../../core/lists/status';

/** The editor gives an extension five seconds to end; this leaves some time for everything else. */
const exitMs = 4_000;

/**
 * Asks the service to pause the sandboxes with these ids, unless they're known to be paused or missing, in the time that
 * a closing window has. Never rejects, because nobody is left to notify.
 */
export async function pauseOnExit(
  client: Pick<ApiClient, 'sandboxes'>,
  ids: readonly string[],
  known: (id: string) => Sandbox | undefined,
  signal = AbortSignal.timeout(exitMs),
): Promise<void> {
  const atWork = ids.filter((id) => {
    const sandbox = known(id);
    return !sandbox || !['paused', 'missing'].includes(sandboxPhase(sandbox));
  });
  await Promise.allSettled(atWork.map(async (id) => client.sandboxes?.pauseSandbox(id, signal)));
}
