import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { proposeFolders } from '../../../core/gitRemote';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { openRepositories, tellGitElsewhere } from '../../../editor/git';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { isMessage, type MessageEditor } from '../../../editor/messageEditor';
import { plainText } from '../../../shared/plainText';
import type { StartedDelivery } from '../../changes';
import type { StartTasks } from '../model/startTasks';
import { finishDelivery, isOpen, type FinishNeeds } from './finishDelivery';

type Needs = FinishNeeds & { session: SessionStore; message: MessageEditor; starts: StartTasks };

/** Start Conversation with My Changes…: opens the editor for the message, or continues what didn’t reach its sandbox. */
export function startWithChanges(needs: Needs): Handler {
  return async (argument) => {
    const unfinished = await chooseUnfinished(needs);
    if (unfinished === 'left') return;
    if (unfinished) {
      await finishDelivery(needs, unfinished, true);
      return;
    }
    const about = vscode.window.activeTextEditor?.document.uri;
    const root = await chooseRoot(argument, about);
    if (root === undefined) return;
    await needs.message.begin({
      changes: root,
      ...(about && !isMessage(about) && { about: about.toString() }),
    });
  };
}

/** An unfinished delivery to continue; undefined for a new conversation. */
async function chooseUnfinished({ session, deliveries, patches, starts }: Needs) {
  const client = clientOf(session.current);
  const open = client ? deliveries.of(client.baseUrl) : [];
  const found = open.flatMap((delivery): StartedDelivery[] => {
    const conversationId = delivery.conversationId ?? starts.conversationOf(delivery.startId);
    return conversationId === undefined ? [] : [{ ...delivery, conversationId }];
  });
  if (found.length === 0) return undefined;
  const items: (vscode.QuickPickItem & { delivery?: (typeof found)[number]; isForgotten?: boolean })[] = [
    { label: l10n.t('New Conversation'), iconPath: new vscode.ThemeIcon('add') },
    ...found.flatMap((delivery) => {
      const label = plainText(delivery.label, 120) || l10n.t('New conversation');
      const description = l10n.t('your changes or your message weren’t sent');
      return [
        {
          label: l10n.t('Continue “{0}”', label),
          description,
          iconPath: new vscode.ThemeIcon('debug-continue'),
          delivery,
        },
        {
          label: l10n.t('Discard the message to “{0}”', label),
          iconPath: new vscode.ThemeIcon('trash'),
          delivery,
          isForgotten: true,
        },
      ];
    }),
  ];
  const picked = await askPick({
    title: l10n.t('Start Conversation with My Changes'),
    placeholder: l10n.t('Continue or start another'),
    items,
  });
  if (typeof picked !== 'object') return 'left';
  // It may have been continued elsewhere while this was open.
  if (picked.delivery && !isOpen(deliveries, picked.delivery)) return 'left';
  if (!picked.isForgotten || !picked.delivery) return picked.delivery;
  deliveries.remove(picked.delivery.id);
  await patches.remove(picked.delivery.id);
  return 'left';
}

/** The repository of the row or the only one that is open here; asks if there are several. */
async function chooseRoot(argument: unknown, about: vscode.Uri | undefined): Promise<string | undefined> {
  const own = (argument as { rootUri?: unknown } | undefined)?.rootUri;
  const folders = proposeFolders(await openRepositories(about)).filter(({ root }) =>
    root.startsWith('file:'),
  );
  const proposals =
    own instanceof vscode.Uri ? folders.filter(({ root }) => root === own.toString()) : folders;
  if (proposals.length === 0) {
    if (tellGitElsewhere()) return undefined;
    void vscode.window.showInformationMessage(
      l10n.t('No repository with a remote is open. Open one and try again.'),
    );
    return undefined;
  }
  if (proposals.length === 1) return proposals[0]?.root;
  const picked = await askPick({
    title: l10n.t('Start Conversation with My Changes'),
    placeholder: l10n.t('Select a repository'),
    items: proposals.map(({ root, repository }) => ({
      root,
      label: plainText(repository, 120),
      detail: vscode.Uri.parse(root).fsPath,
    })),
  });
  return typeof picked === 'object' ? picked.root : undefined;
}
