import * as l10n from '@vscode/l10n';

/** Why no secure connection was made, and what to do; `code` is of the network layer, or of a server that said it over HTTP. */
export function tlsWords(code: string): { message: string; nextStep: string } {
  if (/CERTIFICATE_REQUIRED|ALERT_\w*(?:CERT|_CA$|ACCESS|HANDSHAKE)/.test(code))
    return {
      message: l10n.t('Can’t connect securely: the server may want another client certificate ({0}).', code),
      nextStep: l10n.t('Set “certFile” and “keyFile” in the connection’s network options, or check them.'),
    };
  if (/^(?:ERR_SSL_|EPROTO|HTTP_)/.test(code))
    return {
      message: l10n.t('Can’t connect securely: the server doesn’t speak TLS as expected ({0}).', code),
      nextStep: l10n.t('Check the connection’s address and the service’s version.'),
    };
  return {
    message: l10n.t('Can’t connect securely: the certificate wasn’t accepted ({0}).', code),
    nextStep: /EXPIRED|YET_VALID/.test(code)
      ? l10n.t('Tell your administrator.')
      : /ALTNAME|HOSTNAME/.test(code)
        ? l10n.t('Check the spelling of the address and your network or VPN.')
        : l10n.t(
            'Check the certificate. For a private certificate authority, set “caFile” in the connection’s network options.',
          ),
  };
}

/**
 * What a server, or its page, says over HTTP of a connection that isn’t secure as it wants, as a code; undefined for
 * other answers.
 */
export function tlsCodeOf(status: number, text: string): string | undefined {
  const says = `${status} ${text}`;
  if (/^(?:49[56]|400\b[^]*\bSSL certificate)\b/i.test(says)) return 'CERTIFICATE_REQUIRED';
  const isPlain = /^(?:497|400\b[^]*(?:HTTP request (?:was sent )?to (?:an )?HTTPS|speaking plain HTTP))\b/i;
  return isPlain.test(says) ? 'HTTP_REQUEST' : undefined;
}
