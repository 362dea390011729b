import type { RequestEvent } from '../api/transport';

/** One line for a try of a request: an allow-list of harmless facts, so no header, id, query or body can be in it. */
export function logLine(event: RequestEvent): string {
  const { method, route, attempt, status, ms, bytes, reason, serverText, skipped } = event;
  return [
    `${method} ${route}`,
    status === undefined ? 'no answer' : `${status}`,
    `${Math.round(ms)} ms`,
    `${bytes} B`,
    attempt > 1 ? `try ${attempt}` : '',
    skipped > 0 ? `${skipped} malformed elements left out` : '',
    reason ?? '',
    serverText === undefined ? '' : `the service says “${serverText}”`,
  ]
    .filter(Boolean)
    .join(', ');
}
