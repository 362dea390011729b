import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/client';
import type { Sandbox } from '../../api/schemas/sandbox';
import { showError } from '../../platform/progress';
import { nameList } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import { changeSandboxes, type StateChange } from '../../state/changeSandboxes';
import type { PendingAction } from '../../state/pendingActions';
import { clientOf } from '../../state/session';
import type { CommandDependencies } from '../dependencies';

type Needs = Pick<CommandDependencies, 'session' | 'model'>;

/**
 * Pauses or resumes sandboxes; undefined when nothing was asked.
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
  return changeSandboxes(model, client, sandboxes, action);
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
  const names = nameList(failures.map(({ sandbox }) => plainText(sandbox.id, 64)));
  const what =
    action === 'pausing'
      ? l10n.t('Sandbox {0} could not be paused.', names)
      : l10n.t('Sandbox {0} could not be resumed.', names);
  await showError(what, first.error);
}
