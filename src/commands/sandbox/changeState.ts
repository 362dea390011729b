import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/client';
import type { Sandbox } from '../../api/schemas/sandbox';
import { showError } from '../../platform/progress';
import { plainText } from '../../shared/plainText';
import type { PendingAction } from '../../state/pendingActions';
import { clientOf } from '../../state/session';
import type { CommandDependencies } from '../dependencies';

type Needs = Pick<CommandDependencies, 'session' | 'model'>;

/** What came of asking; undefined when nothing was asked. */
export interface StateChange {
  failures: { sandbox: Sandbox; error: unknown }[];
}

/**
 * Asks the service to pause or resume sandboxes, which show as pending at once, then as whatever the service says.
 *
 * @param client whose sandboxes they are: when the window has changed its connection since, nothing is asked
 */
export async function requestState(
  { session, model }: Needs,
  client: ApiClient | undefined,
  sandboxes: readonly Sandbox[],
  action: PendingAction,
): Promise<StateChange | undefined> {
  if (!client || sandboxes.length === 0) return undefined;
  if (clientOf(session.current) !== client) {
    void vscode.window.showInformationMessage(
      l10n.t('This window has changed its connection meanwhile, so nothing was done.'),
    );
    return undefined;
  }
  const failures: StateChange['failures'] = [];
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
  return { failures };
}

/** Pauses or resumes the chosen sandboxes, with one message for all failures. */
export async function changeState(
  needs: Needs,
  client: ApiClient | undefined,
  sandboxes: readonly Sandbox[],
  action: PendingAction,
): Promise<void> {
  const { failures = [] } = (await requestState(needs, client, sandboxes, action)) ?? {};
  const [first] = failures;
  if (!first) return;
  const names = failures.map(({ sandbox }) => plainText(sandbox.id, 64)).join(', ');
  const what =
    action === 'pausing'
      ? l10n.t('Sandbox {0} could not be paused.', names)
      : l10n.t('Sandbox {0} could not be resumed.', names);
  await showError(what, first.error);
}
