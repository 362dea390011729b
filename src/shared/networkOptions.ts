import * as l10n from '@vscode/l10n';
import type { NetworkOptions } from './connection';
import { parseUrl } from './url';

/** A path that means the same file whatever the editor was started from: POSIX, Windows or UNC. */
const absolutePath = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** One sentence for the user about why the network options of a connection cannot be used; undefined when they can. */
export function networkProblem({ caFile, certFile, keyFile, proxy }: NetworkOptions): string | undefined {
  for (const [option, file] of Object.entries({ caFile, certFile, keyFile })) {
    if (file !== undefined && !absolutePath.test(file)) {
      return l10n.t('“{0}” has to be an absolute path.', option);
    }
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    return l10n.t('“certFile” and “keyFile” have to be given together.');
  }
  return proxy === undefined ? undefined : proxyProblem(proxy);
}

/** Settings are no place for a password: they are synchronised, copied and shown to others. */
function proxyProblem(proxy: string): string | undefined {
  const url = parseUrl(proxy);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    return l10n.t('“proxy” has to be an address such as http://proxy.example.com:3128.');
  }
  if (url.username !== '' || url.password !== '') {
    return l10n.t(
      'Leave the user name and password out of “proxy”; for a proxy that asks for them, use the editor’s own proxy setting.',
    );
  }
  return undefined;
}
