import { isLoopback } from '../../../shared/url';
import { isAcceptable, parseConversationUrl } from '../../../api/agent/address';
import type { AgentClient } from '../../../api/agent/client';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { ApiError, refusesKey } from '../../../api/http/errors';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Limit } from '../../../shared/transcript';
import { type SandboxPhase, sandboxPhase } from '../../../core/lists/status';
import type { TranscriptPorts } from './ports';

/** What talks to a sandbox. */
interface Reached {
  agent: AgentClient;
  workspace: SandboxWorkspace;
}

/** How the conversation’s sandbox can be reached now. */
export type Access = ({ kind: 'live' } & Reached) | { kind: 'none'; limit: Limit };

/** Milliseconds before a sandbox that couldn’t be reached is tried again. */
const retryAfterMs = 30_000;

/** Whether an address means the computer that uses it, such as localhost. */
const isHere = (address: string) => isLoopback(new URL(address).hostname);

const none = (limit: Limit): Access => ({ kind: 'none', limit });

/** Why there is no agent server to talk to. A sandbox that starts or fails can still be read from the store. */
export const withoutServer: Record<SandboxPhase, Limit> = {
  running: 'stored',
  starting: 'stored',
  failed: 'stored',
  other: 'stored',
  paused: 'asleep',
  missing: 'gone',
};

/**
 * Finds the agent server of a conversation. The sandbox’s key goes only to the origin of `conversation_url`, once that
 * is acceptable and has proven, without the key, to be an agent server.
 */
export class SandboxAccess {
  private known: (Reached & { url: string; key: string }) | undefined;
  private failed: { url: string; key: string; at: number; limit: Limit } | undefined;

  constructor(
    private readonly ports: Pick<
      TranscriptPorts,
      'client' | 'readServer' | 'createAgentClient' | 'createWorkspace' | 'acceptOrigin' | 'now'
    >,
  ) {}

  /** @param record as just read; null if the service has none */
  async of(record: Conversation | null, signal?: AbortSignal): Promise<Access> {
    if (!record) return none(this.ports.client.sandboxes ? 'gone' : 'deleted');
    const { conversation_url: url, session_api_key: key, sandbox_status: status } = record;
    if (!url || !key) return none(withoutServer[sandboxPhase({ status })]);
    const { failed, known } = this;
    const { client, acceptOrigin, readServer, createAgentClient, createWorkspace, now } = this.ports;
    if (failed?.url === url && failed.key === key && now() - failed.at < retryAfterMs)
      return none(failed.limit);
    if (known?.url === url && known.key === key) return { kind: 'live', ...known };
    const address = parseConversationUrl(url);
    if (!address) return none('unreachable');
    if (!isAcceptable(address.baseUrl, client.baseUrl) && !(await acceptOrigin(address.origin)))
      return none('notAccepted');
    try {
      const server = await readServer(address, signal);
      const agent = createAgentClient(address, key, server.release);
      this.known = { url, key, agent, workspace: createWorkspace(address, key, server) };
      this.failed = undefined;
      return { kind: 'live', ...this.known };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const limit = this.limits(url).unreachable;
      if (error.reason !== 'canceled') this.failed = { url, key, at: now(), limit };
      return none(limit);
    }
  }

  /** Lets a sandbox that couldn’t be reached be tried again at once. */
  retry(): void {
    this.failed = undefined;
  }

  /** The agent server in use failed to answer: for a while, it counts as out of reach. Returns why. */
  report(error: ApiError): Limit | undefined {
    if (!this.known || error.reason === 'canceled') return undefined;
    const { url, key } = this.known;
    const limit = this.limits(url)[refusesKey(error) ? 'refused' : 'unreachable'];
    this.failed = { url, key, at: this.ports.now(), limit };
    return limit;
  }

  /**
   * If the connection is to the agent server itself, the key is the connection's, and there's no page of a service to
   * open.
   */
  private limits(url: string): Record<'unreachable' | 'refused', Limit> {
    const address = parseConversationUrl(url)?.baseUrl;
    const service = this.ports.client.baseUrl;
    if (address === service) return { unreachable: 'serverUnreachable', refused: 'serverRefused' };
    const isOnService = address !== undefined && isHere(address) && !isHere(service);
    return { unreachable: isOnService ? 'onService' : 'unreachable', refused: 'refused' };
  }
}
