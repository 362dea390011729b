import type { RecordedRequest } from './recorder';

/** A rule of the specification that a client broke. */
export interface Violation {
  rule: 'missing session key';
  requestId: number;
  method: string;
  path: string;
}

/** Requests that leave out the key to find out whether it's required, and say so in a header. */
const isProbe = ({ method, path, headers }: RecordedRequest) =>
  method === 'GET' &&
  ['/api/settings', '/api/v1/settings', '/api/v1/sandboxes/search'].includes(path) &&
  headers['x-agent-workspace-probe'] === 'without-session-key';

/**
 * Checks what clients must always send, whether or not this service enforces it: the header with the session key or the
 * API key on everything under /api, except the probe.
 */
export function findViolations(request: RecordedRequest): Violation[] {
  const isApi = request.path === '/api' || request.path.startsWith('/api/');
  const key = request.headers['x-session-api-key'] ?? request.headers['authorization'];
  if (!isApi || (typeof key === 'string' && key.trim() !== '') || isProbe(request)) return [];
  return [{ rule: 'missing session key', requestId: request.id, method: request.method, path: request.path }];
}
