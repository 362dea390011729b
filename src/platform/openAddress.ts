import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Opens a web address in the browser. Throws when the editor would read it as leading to another host. */
export async function openAddress(url: URL): Promise<void> {
  await vscode.env.openExternal(sameAddress(url));
}

/** The address as the editor reads it. Throws unless that has the scheme and the host of `url`. */
export function sameAddress(url: URL): vscode.Uri {
  const uri = vscode.Uri.parse(url.href, true);
  if (`${uri.scheme}:` === url.protocol && uri.authority === url.host) return uri;
  throw new Error(l10n.t('The address wasn’t opened because it’s ambiguous.'));
}
