import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseConnectLink } from '../shared/connectLink';
import { sentences } from '../shared/joined';
import { confirmed } from './inputs';
import { plainHttpWarning } from './plainHttp';

/**
 * Follows a link to this extension. Any web page can contain one, so this asks first, and then only runs `connect` with
 * the address filled in.
 */
export async function handleUri(
  uri: vscode.Uri,
  connect: (proposal: { url: string }) => Promise<void>,
): Promise<void> {
  const link = parseConnectLink(uri.path, uri.query);
  if (!link.ok) {
    void vscode.window.showWarningMessage(sentences(l10n.t('The link wasn’t opened.'), link.reason));
    return;
  }
  const agreed = await confirmed(
    l10n.t('Connect to {0}?', link.baseUrl),
    sentences(
      l10n.t(
        'You opened a link to this address. Continue only if you trust it: the session key that you enter next is sent there. Nothing has been sent or saved yet.',
      ),
      plainHttpWarning(link.baseUrl) ?? '',
    ),
    l10n.t('Continue'),
  );
  if (agreed) await connect({ url: link.baseUrl });
}
