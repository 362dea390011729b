import * as l10n from '@vscode/l10n';
import type { Proxy } from '../../../../api/http/proxy';
import type { Connection } from '../../../../shared/connection';
import { plainText } from '../../../../shared/plainText';
import type { NameFound, TlsSeen } from './way';

/** Text of unknown origin as one line. */
export const line = (text: string, max = 200) => plainText(text, max);

/** Where requests go, and through which proxy. */
export function connectionLines(connection: Connection, proxy: Proxy | undefined): string[] {
  const options = Object.entries(connection.network ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const sources: Record<Proxy['source'], string> = {
    connection: l10n.t('the connection’s network options'),
    editor: l10n.t('the editor’s settings'),
    environment: l10n.t('environment variables'),
  };
  return [
    l10n.t('Address: {0}', line(connection.baseUrl)),
    options.length === 0
      ? l10n.t('Network: the editor’s own settings')
      : l10n.t('Network: the connection’s own options ({0})', options.join(', ')),
    proxy === undefined
      ? l10n.t('Proxy: none in the settings or the environment')
      : l10n.t('Proxy: {0}, from {1}', line(proxy.address), sources[proxy.source]),
  ];
}

/** What the host name resolves to. */
export function nameLines(name: NameFound, { baseUrl }: Connection): string[] {
  const { hostname } = new URL(baseUrl);
  switch (name.kind) {
    case 'number':
      return [l10n.t('{0} is an IP address, so there’s no name to look up.', hostname)];
    case 'found':
      return [l10n.t('{0} is {1}', hostname, name.addresses.slice(0, 8).join(', '))];
    case 'failed':
      return [
        l10n.t('{0} wasn’t found from this computer ({1}). A proxy may still find it.', hostname, name.code),
      ];
  }
}

/** The service's certificate, and whether it was accepted. */
export function tlsLines(tls: TlsSeen | undefined, { baseUrl }: Connection): string[] {
  if (tls === undefined) {
    return [l10n.t('None: {0} isn’t encrypted.', new URL(baseUrl).protocol.replace(':', ''))];
  }
  const { refused, protocol = '', certificate } = tls;
  return [
    refused === undefined
      ? l10n.t('Accepted ({0})', protocol)
      : l10n.t('Not accepted: {0}. The editor may trust other certificates: see the answers.', line(refused)),
    ...(certificate
      ? [
          l10n.t('For: {0} ({1})', line(certificate.subject), line(certificate.names)),
          l10n.t('Issued by: {0}', line(certificate.issuer)),
          l10n.t('Valid from {0} to {1}', line(certificate.validFrom), line(certificate.validTo)),
        ]
      : []),
  ];
}
