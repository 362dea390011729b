import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import type { ConversationRecord, SandboxRecord, State } from '../records';
import { AgentServer } from './agentServer';
import type { AgentConversation } from './conversation';
import { EventStore } from './eventStore';
import { giveHistory } from './history';
import { AgentPort } from './port';
import type { Release } from './release';
import { cloneFolder, type Origins } from './sandboxFiles';

/** How often to check whether a paused sandbox with pending requests runs again, in milliseconds. */
const lookMs = 50;

/** How long a model thinks, in milliseconds. */
const modelMs = 1_500;

/** The agent servers of all sandboxes, on one port apart from the service's, each with its sandbox's key. */
export class AgentFleet {
  private readonly servers = new Map<string, AgentServer>();
  private readonly port: AgentPort;
  private readonly conversations = new Map<string, { agent: AgentConversation; store: EventStore }>();

  constructor(
    private readonly release: Release,
    private readonly state: State,
    private readonly clock: Clock,
    private readonly origins: Origins,
    /** What a router in front of the servers adds to all paths. */
    routed?: RegExp,
  ) {
    this.port = new AgentPort((path, key) => this.reach(path, key), routed);
  }

  /** Without a trailing slash. */
  get url(): string {
    return this.port.url;
  }

  listen(): Promise<void> {
    return this.port.listen();
  }

  async close(): Promise<void> {
    for (const { sockets } of this.servers.values()) sockets.drop(1001);
    await this.port.close();
    this.reset();
  }

  /** Forgets all conversations, as when the service starts over. */
  reset(): void {
    for (const server of this.servers.values()) {
      server.sockets.drop(1012);
      server.dispose();
    }
    this.servers.clear();
    this.conversations.clear();
  }

  /** A conversation's agent, with the history that its record implies; undefined if there is no sandbox. */
  of(record: ConversationRecord): { agent: AgentConversation; store: EventStore } | undefined {
    const known = this.conversations.get(record.id);
    if (known) return known;
    const sandbox = this.state.sandboxes.get(record.sandbox_id);
    if (!sandbox) return undefined;
    const server = this.serverOf(sandbox);
    const agent = server.add({ id: record.id, modelMs });
    const folder = cloneFolder(record.selected_repository);
    giveHistory(agent, record.title ?? 'Have a look', record.execution_status, folder);
    server.files.add(record.selected_repository, agent.log);
    const made = { agent, store: new EventStore(agent, this.clock) };
    this.conversations.set(record.id, made);
    agent.log.onEvent(() => {
      record.execution_status = agent.status;
    });
    return made;
  }

  private serverOf(sandbox: SandboxRecord): AgentServer {
    const known = this.servers.get(sandbox.id);
    if (known) return known;
    const server = new AgentServer(this.release, sandbox.session_api_key, this.clock, this.origins);
    this.servers.set(sandbox.id, server);
    return server;
  }

  /**
   * Resolves to the agent server for a request, once its sandbox is running. Requests about files may not name a
   * conversation, so their key identifies the sandbox; what all of its conversations cloned is there.
   */
  private async reach(path: string, key: unknown): Promise<AgentServer> {
    const [, found] = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)/i.exec(path) ?? [];
    const record = this.state.conversations.get(found?.replaceAll('-', '').toLowerCase() ?? '');
    const sandbox = record ? this.state.sandboxes.get(record.sandbox_id) : this.sandboxOf(key);
    const isAboutFiles = !record || /\/(?:bash|file|git)\//.test(path);
    const residents = isAboutFiles ? [...this.state.conversations.values()] : [record];
    for (const resident of residents) if (resident.sandbox_id === sandbox?.id) this.of(resident);
    while (sandbox && sandbox.status !== 'RUNNING') await this.clock.wait(lookMs);
    return sandbox ? this.serverOf(sandbox) : new AgentServer(this.release, randomUUID(), this.clock);
  }

  private sandboxOf(key: unknown): SandboxRecord | undefined {
    return [...this.state.sandboxes.values()].find(({ session_api_key: own }) => own === key);
  }
}
