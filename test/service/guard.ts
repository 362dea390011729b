import type { RecordedRequest } from './recorder';

/** A rule of the specification that a client broke. */
export interface Violation {
  rule: 'missing session key';
  requestId: number;
  method: string;
  path: string;
}

/** The requests that leave the key out to see whether it is asked for, and say so. */
const isProbe = ({ method, path, headers }: RecordedRequest) =>
  method === 'GET' &&
  ['/api/settings', '/api/v1/settings', '/api/v1/sandboxes/search'].includes(path) &&
  headers['x-agent-workspace-probe'] === 'without-session-key';

/**
 * Checks what a client owes on every request, whether or not this service enforces it: the header with the session key
 * or the API key on everything under /api, but for the probe.
 */
export function findViolations(request: RecordedRequest): Violation[] {
  const isApi = request.path === '/api' || request.path.startsWith('/api/');
  const key = request.headers['x-session-api-key'] ?? request.headers['authorization'];
  if (!isApi || (typeof key === 'string' && key.trim() !== '') || isProbe(request)) return [];
  return [{ rule: 'missing session key', requestId: request.id, method: request.method, path: request.path }];
}
