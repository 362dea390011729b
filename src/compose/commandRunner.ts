import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../core/lists/ref';
import { clientOf, type SessionStore } from '../core/session/session';
import type { Handler } from '../editor/handler';
import { errorLines } from '../editor/logLine';
import { showError } from '../editor/progress';
import { commandIds, type CommandId } from '../ids';
import { lazily } from '../lazily';

/** Runs a command with its arguments. Never rejects: errors are shown to the user. */
export type CommandRunner = (id: CommandId, args: unknown[]) => Promise<void>;

/** Runs commands, and loads their code with the first one. Never rejects: errors are shown to the user. */
export function commandRunner(
  session: SessionStore,
  log: vscode.LogOutputChannel,
  opened: Promise<void>,
  load: () => Promise<(id: CommandId) => Promise<Handler>>,
): CommandRunner {
  const find = lazily(load);
  return async (id, args) => {
    try {
      // The command itself may have woken the extension.
      await opened;
      const ref = refOf(args[0]);
      const isElsewhere = ref !== undefined && 'service' in ref && ref.service !== undefined;
      if (!worksUnconnected.has(id) && !isElsewhere && !clientOf(session.current)) {
        await askToConnect();
        return;
      }
      const handler = await (await find())(id);
      await handler(...args);
    } catch (error) {
      log.error(`${id} failed: ${errorLines(error)}`);
      await showError(l10n.t('The command failed.'), error);
    }
  };
}

/** Says that a command needs a connection, and offers to make one. */
export async function askToConnect(): Promise<void> {
  const connect = l10n.t('Connect…');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('This window isn’t connected to an agent workspace service.'),
    connect,
  );
  if (picked === connect) await vscode.commands.executeCommand(commandIds.connectionConnect);
}

/** What works without a connection; everything else asks to connect first. */
const worksUnconnected = new Set<CommandId>([
  commandIds.connectionConnect,
  commandIds.connectionSwitch,
  commandIds.connectionRemove,
  commandIds.connectionDiagnose,
  commandIds.sessionSetKey,
  commandIds.sessionSignIn,
  commandIds.sessionClearKey,
  commandIds.changesUndoApply,
  commandIds.conversationShowAll,
  commandIds.conversationShowCurrent,
  commandIds.conversationSearch,
  commandIds.conversationCancelSearch,
  commandIds.conversationClearSearch,
  commandIds.searchClearIndex,
  commandIds.logsShow,
]);
