import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { sandboxName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { describeError } from '../../../editor/errorText';
import type { Handler } from '../../../editor/handler';
import { confirmed, listed } from '../../../editor/inputs';
import { showNotice } from '../../../editor/notifications';
import { commandIds } from '../../../ids';
import { sentences } from '../../../shared/joined';
import { type ActionOnAll, isFor } from '../model/actions';
import { allSandboxes } from '../model/allSandboxes';
import { changeSandboxes, type SandboxFailure } from '../model/changeSandboxes';
import { hasSwitched, readOrTell } from './change';

/**
 * Does `action` to every sandbox that it's for: reads all of them, lists their names, asks, and reports what failed. The
 * question says what else will happen.
 */
export function changeAll(
  { session, model }: { session: SessionStore; model: ServiceModel },
  action: ActionOnAll,
): Handler {
  const { words, consequences } = action;
  return async () => {
    const client = clientOf(session.current);
    if (!client) return;
    const read = await readOrTell(
      l10n.t('Reading sandboxes…'),
      l10n.t('Couldn’t read the sandboxes, so nothing was changed.'),
      // Sandboxes are named after their conversations.
      (signal) => Promise.all([allSandboxes(client, signal), model.refresh('conversations')]),
    );
    if (!read) return;
    const [{ items: all, complete }] = read;
    const chosen = all.filter((sandbox) => isFor(action, sandbox));
    const unread = complete
      ? []
      : [l10n.t('Not all sandboxes of the service can be read; those that can’t stay as they are.')];
    if (chosen.length === 0) {
      const none = complete ? [words.none()] : unread;
      void vscode.window.showInformationMessage(sentences(...none));
      return;
    }
    const conversations = model.conversations.state.items;
    const nameOf = (sandbox: Sandbox) => sandboxName(sandbox, conversations);
    const also = sentences(...consequences({ sandboxes: all, conversations }, chosen.length), ...unread);
    const detail = [listed(chosen.map(nameOf)), also].filter(Boolean).join('\n\n');
    if (!(await confirmed(words.all.question(chosen.length), detail, words.all.agree()))) return;
    if (hasSwitched(session, client)) return;
    const failures = await changeSandboxes(model, client, chosen, action);
    await tell(words.all.result(chosen.length - failures.length, chosen.length), failures, nameOf);
  };
}

async function tell(
  result: string,
  failures: readonly SandboxFailure[],
  nameOf: (sandbox: Sandbox) => string,
): Promise<void> {
  if (failures.length === 0) {
    void vscode.window.showInformationMessage(result);
    return;
  }
  const each = failures
    .slice(0, 3)
    .map(({ sandbox, error }) => `${nameOf(sandbox)}: ${describeError(error).message}`);
  if (failures.length > 3) each.push(l10n.t('and {0} more', failures.length - 3));
  const message = l10n.t('{0} Failed: {1}', result, sentences(...each));
  const logs = { title: l10n.t('Show Logs') };
  if (await showNotice('warning', message, [logs])) await vscode.commands.executeCommand(commandIds.logsShow);
}
