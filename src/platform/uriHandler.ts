import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseConnectLink } from '../shared/connectLink';
import { confirmed } from './inputs';

/**
 * Follows a link to this extension, which can come from any web page: asks, and then only begins what `connect` does,
 * with the address filled in.
 */
export async function handleUri(
  uri: vscode.Uri,
  connect: (proposal: { url: string }) => Promise<void>,
): Promise<void> {
  const link = parseConnectLink(uri.path, uri.query);
  if (!link.ok) {
    void vscode.window.showWarningMessage(l10n.t('The link was not followed. {0}', link.reason));
    return;
  }
  const agreed = await confirmed(
    l10n.t('Connect to {0}?', link.baseUrl),
    l10n.t(
      'A link asks for this. Go on only if you know the address: the session key that you enter next is sent there. Nothing has been asked there and nothing is stored yet.',
    ),
    l10n.t('Continue'),
  );
  if (agreed) await connect({ url: link.baseUrl });
}
