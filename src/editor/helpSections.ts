import type { ErrorReason } from '../api/http/errors';

/**
 * The section of `docs/troubleshooting.md` about each reason, as the anchor of its heading. In a file of its own, so
 * that a test can compare it with the guide without an editor.
 */
export const helpSection: Record<ErrorReason, string> = {
  canceled: 'canceled',
  keyRevoked: 'the-session-key-was-cleared-or-replaced',
  badId: 'an-id-cant-be-sent-safely',
  badUrl: 'the-address-cant-be-used',
  networkOption: 'a-file-in-the-network-options-cant-be-used',
  dns: 'the-host-wasnt-found',
  refused: 'nothing-is-listening',
  reset: 'the-connection-was-lost',
  tls: 'the-certificate-wasnt-accepted',
  proxy: 'the-proxy-rejected-the-request',
  connectTimeout: 'the-host-wasnt-found',
  timeout: 'no-answer-in-time',
  redirected: 'the-service-redirects',
  notService: 'not-an-agent-workspace-service',
  badShape: 'not-an-agent-workspace-service',
  truncated: 'the-connection-was-lost',
  tooLarge: 'the-answer-is-too-large',
  unauthorized: 'the-session-key-was-refused',
  forbidden: 'not-allowed',
  notFound: 'not-found',
  methodNotAllowed: 'not-found',
  conflict: 'not-possible-in-the-current-state',
  payloadTooLarge: 'a-value-wasnt-accepted',
  invalid: 'a-value-wasnt-accepted',
  rateLimited: 'too-many-requests',
  serverError: 'the-service-failed',
  unexpectedStatus: 'not-found',
  noneSaved: 'no-settings-are-saved',
  agentServer: 'a-standalone-agent-server',
  busy: 'another-window-is-saving',
  unreachable: 'the-host-wasnt-found',
};
