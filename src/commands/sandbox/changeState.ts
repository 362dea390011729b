import * as l10n from '@vscode/l10n';
import type { Sandbox } from '../../api/schemas/sandbox';
import { showError } from '../../platform/progress';
import { plainText } from '../../shared/plainText';
import type { PendingAction } from '../../state/pendingActions';
import { clientOf } from '../../state/session';
import type { CommandDependencies } from '../dependencies';

/** Pauses or resumes sandboxes: pending on screen at once, then whatever the service says. One message for all failures. */
export async function changeState(
  { session, model }: Pick<CommandDependencies, 'session' | 'model'>,
  sandboxes: readonly Sandbox[],
  action: PendingAction,
): Promise<void> {
  const client = clientOf(session.current);
  if (!client || sandboxes.length === 0) return;
  const failures: { sandbox: Sandbox; error: unknown }[] = [];
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      model.pending.begin(sandbox, action);
      try {
        await (action === 'pausing' ? client.pauseSandbox(sandbox.id) : client.resumeSandbox(sandbox.id));
      } catch (error) {
        model.pending.end(sandbox.id);
        failures.push({ sandbox, error });
      }
    }),
  );
  // Even after a failure: it may have taken effect, and the service's word is what counts.
  await model.refresh('sandboxes');
  const [first] = failures;
  if (!first) return;
  const names = failures.map(({ sandbox }) => plainText(sandbox.id, 64)).join(', ');
  const what =
    action === 'pausing'
      ? l10n.t('Sandbox {0} could not be paused.', names)
      : l10n.t('Sandbox {0} could not be resumed.', names);
  await showError(what, first.error);
}
