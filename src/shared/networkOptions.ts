import * as l10n from '@vscode/l10n';
import type { NetworkOptions } from './connection';
import { parseUrl } from './url';

/** A path to the same file wherever the editor was started from: POSIX, Windows or UNC. */
const absolutePath = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** One sentence for the user about why the network options of a connection can't be used; undefined when they can. */
export function networkProblem({ caFile, certFile, keyFile, proxy }: NetworkOptions): string | undefined {
  for (const [option, file] of Object.entries({ caFile, certFile, keyFile })) {
    if (file !== undefined && !absolutePath.test(file)) {
      return l10n.t('“{0}” must be an absolute path.', option);
    }
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    return l10n.t('Set both “certFile” and “keyFile”, or neither.');
  }
  return proxy === undefined ? undefined : proxyProblem(proxy);
}

/** Settings are no place for a password: they're synchronized, copied and shown to others. */
function proxyProblem(proxy: string): string | undefined {
  const url = parseUrl(proxy);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return l10n.t('“proxy” must be an address, for example http://proxy.example.com:3128.');
  }
  if (url.username !== '' || url.password !== '') {
    return l10n.t(
      'Remove the user name and password from “proxy”. If your proxy requires them, use the editor’s own proxy setting.',
    );
  }
  return undefined;
}
