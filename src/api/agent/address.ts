import { parseBaseUrl } from '../../shared/baseUrl';
import { isLoopback } from '../../shared/url';
import { pathSegment } from '../http/ids';

/** Where an agent server has a conversation. */
export interface AgentAddress {
  /** Base address of the agent server. */
  baseUrl: string;
  origin: string;
  /** The conversation’s id in paths. */
  id: string;
}

/** Reads a record’s `conversation_url`; undefined for an address that can’t be used safely. */
export function parseConversationUrl(text: string): AgentAddress | undefined {
  const [, root, id] = /^(.*)\/api\/conversations\/([^/?#]+)$/.exec(text) ?? [];
  if (root === undefined || id === undefined || pathSegment(id) !== id) return undefined;
  const base = parseBaseUrl(root);
  return base.ok ? { baseUrl: base.baseUrl, origin: base.origin, id } : undefined;
}

/**
 * Whether a sandbox’s key may be sent to an address without asking: https, or http on this computer or on the service’s
 * own host.
 */
export function isAcceptable(target: string, service: string): boolean {
  const { protocol, hostname } = new URL(target);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (isLoopback(hostname) || hostname === new URL(service).hostname);
}
