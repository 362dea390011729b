import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Opens a web address in the browser, as it was shown. Throws when the editor would read it as leading to another host. */
export async function openAddress(url: URL): Promise<void> {
  sameAddress(url);
  // The editor takes text, too, whatever its types say, and opens it as it is; of a `Uri`, it decodes and encodes parts
  // anew, and `%2F`, `%26` or `%2B` lead elsewhere.
  await vscode.env.openExternal(url.href as unknown as vscode.Uri);
}

/** The address as the editor reads it. Throws unless that has the scheme and the host of `url`. */
export function sameAddress(url: URL): vscode.Uri {
  const uri = vscode.Uri.parse(url.href, true);
  if (`${uri.scheme}:` === url.protocol && uri.authority === url.host) return uri;
  throw new Error(l10n.t('The address wasn’t opened because it’s ambiguous.'));
}
