import * as l10n from '@vscode/l10n';
import { isExposedHttp, parseUrl } from './url';

/** A warning about an address to which the session key would go unencrypted; undefined for any other text. */
export function plainHttpWarning(address: string): string | undefined {
  const url = parseUrl(address);
  if (url === undefined || !isExposedHttp(url)) return undefined;
  return l10n.t(
    'This address isn’t encrypted (http): anyone on the network in between can read your session key.',
  );
}
