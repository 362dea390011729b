import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, configurationSection, settingIds, type CommandId } from '../../ids';
import { showNotice } from '../../platform/notifications';
import { isOn, turn } from '../../platform/settings';
import type { News } from '../../state/attentionFeed';
import type { Ref } from '../../state/ref';
import { clientOf, type SessionStore } from '../../state/session';
import { attentionNotice, type NoticeAction } from './words';

export interface NotifierDependencies {
  session: SessionStore;
  /** Selects the row of `ref` in its view. */
  reveal: (ref: Ref) => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** Tells the user what happened, in one notification, as far as they want to be told. */
export async function notify(needs: NotifierDependencies, { baseUrl, events }: News): Promise<void> {
  const notice = attentionNotice(events.filter(({ kind }) => isOn(settingIds[kind])));
  if (!notice) return;
  const chosen = await showNotice(notice.severity, notice.message, notice.actions);
  if (chosen) await act(needs, baseUrl, chosen.action);
}

async function act({ session, reveal, run }: NotifierDependencies, baseUrl: string, action: NoticeAction) {
  if (action.do === 'turnOff') return turn(settingIds[action.kind], false);
  if (action.do === 'chooseKinds') {
    const query = `${configurationSection}.notifications`;
    await vscode.commands.executeCommand('workbench.action.openSettings', query);
    return;
  }
  // The same id may stand for another thing at another service.
  if (clientOf(session.current)?.baseUrl !== baseUrl) {
    void vscode.window.showInformationMessage(
      l10n.t('That was at {0}, which this window has left. Switch the connection to see it.', baseUrl),
    );
    return;
  }
  const { id, kind } = action.event;
  const isSandbox = kind === 'sandboxFailed' || kind === 'sandboxPaused';
  const ref: Ref = { kind: isSandbox ? 'sandbox' : 'conversation', id };
  if (action.do === 'show') return reveal(ref);
  await run(commandOf[action.do], [{ ref }]);
}

const commandOf = {
  openInBrowser: commandIds.conversationOpen,
  resume: commandIds.sandboxResume,
  showDetails: commandIds.sandboxShowDetails,
} as const;
