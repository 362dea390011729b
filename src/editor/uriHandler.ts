import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseConnectLink } from '../shared/connectLink';
import { parseConversationLink } from '../shared/conversationLink';
import { sentences } from '../shared/joined';
import { confirmed } from './inputs';
import { plainHttpWarning } from '../shared/plainHttp';

/** What links to this extension lead to. */
export interface LinkTargets {
  /** Connects, with the address filled in. */
  connect: (proposal: { url: string }) => Promise<void>;
  /** Opens a conversation; `connectTo` asks before it connects. */
  openConversation: (
    target: { baseUrl: string; id: string },
    connectTo: (baseUrl: string) => Promise<void>,
  ) => Promise<void>;
}

/** Follows a link to this extension. Any web page can contain one, so nothing is sent anywhere new without a question. */
export async function handleUri({ path, query }: vscode.Uri, targets: LinkTargets): Promise<void> {
  const connectTo = (baseUrl: string) => askToFollow(baseUrl, targets.connect);
  const refuse = (reason: string) =>
    void vscode.window.showWarningMessage(sentences(l10n.t('The link wasn’t opened.'), reason));
  if (path === '/conversation') {
    const link = parseConversationLink(query);
    if (link.ok) await targets.openConversation(link, connectTo);
    else refuse(link.reason);
  } else {
    const link = parseConnectLink(path, query);
    if (link.ok) await connectTo(link.baseUrl);
    else refuse(link.reason);
  }
}

async function askToFollow(baseUrl: string, connect: LinkTargets['connect']): Promise<void> {
  const agreed = await confirmed(
    l10n.t('Connect to {0}?', baseUrl),
    sentences(
      l10n.t(
        'You opened a link to this address. Continue only if you trust it: the session key that you enter next is sent there. Nothing has been sent or saved yet.',
      ),
      plainHttpWarning(baseUrl) ?? '',
    ),
    l10n.t('Continue'),
  );
  if (agreed) await connect({ url: baseUrl });
}
