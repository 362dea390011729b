import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../api/errors';
import type { Sandbox } from '../../api/schemas/sandbox';
import { describeError } from '../../platform/errorText';
import { confirmed, listed } from '../../platform/inputs';
import { showNotice } from '../../platform/notifications';
import { showError, withProgress } from '../../platform/progress';
import { commandIds } from '../../ids';
import { sentences } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import { allSandboxes } from '../../state/allSandboxes';
import type { StateChange } from '../../state/changeSandboxes';
import type { PendingAction } from '../../state/pendingActions';
import { clientOf } from '../../state/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { requestState } from './changeState';

export interface ChangeAllOptions {
  action: PendingAction;
  fits: (sandbox: Sandbox) => boolean;
  /** Said when none fits. */
  none: string;
  question: (count: number) => string;
  /** What it means, under the names. */
  consequence: (chosen: readonly Sandbox[], all: readonly Sandbox[]) => string;
  agree: string;
  /** How many of how many were asked, in words. */
  result: (done: number, count: number) => string;
}

/** Pauses or resumes every sandbox that fits: reads all of them, names them, asks, and says what came of each. */
export function changeAll(
  needs: Pick<CommandDependencies, 'session' | 'model'>,
  options: ChangeAllOptions,
): Handler {
  return async () => {
    const client = clientOf(needs.session.current);
    if (!client) return;
    let all: Sandbox[];
    try {
      all = await withProgress(l10n.t('Reading the sandboxes'), (_report, signal) =>
        allSandboxes(client, signal),
      );
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'cancelled') return;
      await showError(l10n.t('The sandboxes could not be read, so nothing was changed.'), error);
      return;
    }
    const chosen = all.filter(options.fits);
    if (chosen.length === 0) {
      void vscode.window.showInformationMessage(options.none);
      return;
    }
    const names = listed(chosen.map(({ id }) => plainText(id, 60)));
    const detail = `${names}\n\n${options.consequence(chosen, all)}`;
    if (!(await confirmed(options.question(chosen.length), detail, options.agree))) return;
    const change = await requestState(needs, client, chosen, options.action);
    if (change) await tell(options.result(chosen.length - change.failures.length, chosen.length), change);
  };
}

async function tell(result: string, { failures }: StateChange): Promise<void> {
  if (failures.length === 0) {
    void vscode.window.showInformationMessage(result);
    return;
  }
  const each = failures
    .slice(0, 3)
    .map(({ sandbox, error }) => `${plainText(sandbox.id, 60)}: ${describeError(error).message}`);
  if (failures.length > 3) each.push(l10n.t('and {0} more', failures.length - 3));
  const message = l10n.t('{0} These failed: {1}', result, sentences(...each));
  const logs = { title: l10n.t('Show Logs') };
  if (await showNotice('warning', message, [logs])) await vscode.commands.executeCommand(commandIds.logsShow);
}
