import type { RecordedRequest } from './recorder';

/** A rule of the specification that a client broke. */
export interface Violation {
  rule: 'missing session key';
  requestId: number;
  method: string;
  path: string;
}

/**
 * Checks what a client owes on every request, whether or not this service enforces it: the session key's header on
 * everything under /api.
 */
export function findViolations(request: RecordedRequest): Violation[] {
  const isApi = request.path === '/api' || request.path.startsWith('/api/');
  const key = request.headers['x-session-api-key'];
  if (!isApi || (typeof key === 'string' && key.trim() !== '')) return [];
  return [{ rule: 'missing session key', requestId: request.id, method: request.method, path: request.path }];
}
