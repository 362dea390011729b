import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../clock';
import { missing, render, type Call } from '../http';
import type { ConversationRecord, SandboxRecord, State } from '../records';
import { AgentServer } from './agentServer';
import type { AgentConversation } from './conversation';
import { EventStore } from './eventStore';
import { giveHistory } from './history';
import type { Release } from './release';

/** Milliseconds between two looks at a paused sandbox for which requests wait. */
const lookMs = 50;

/** How long a model thinks. */
const modelMs = 1_500;

/** The agent servers of all sandboxes: at one port, apart from the service's, each with its sandbox's key. */
export class AgentFleet {
  private readonly servers = new Map<string, AgentServer>();
  private readonly conversations = new Map<string, { agent: AgentConversation; store: EventStore }>();
  private readonly http: Server;
  private address = '';

  constructor(
    private readonly release: Release,
    private readonly state: State,
    private readonly clock: Clock,
  ) {
    this.http = createServer((request, response) => {
      void this.answer(request).then(({ status, headers, text }) =>
        response.writeHead(status, headers).end(text),
      );
    });
  }

  /** Without a slash at the end. */
  get url(): string {
    return this.address;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** Forgets all conversations, as when the service starts over. */
  reset(): void {
    this.servers.clear();
    this.conversations.clear();
  }

  /** The agent of a conversation, with the past that its record speaks of; undefined if there is no sandbox. */
  of(record: ConversationRecord): { agent: AgentConversation; store: EventStore } | undefined {
    const known = this.conversations.get(record.id);
    if (known) return known;
    const sandbox = this.state.sandboxes.get(record.sandbox_id);
    if (!sandbox) return undefined;
    const agent = this.serverOf(sandbox).add({ id: record.id, modelMs });
    giveHistory(agent, record.title ?? 'Have a look', record.execution_status);
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
    const server = new AgentServer(this.release, sandbox.session_api_key, this.clock);
    this.servers.set(sandbox.id, server);
    return server;
  }

  private async answer(request: IncomingMessage): Promise<ReturnType<typeof render>> {
    const call = await readCall(request);
    const id = /^\/api\/conversations\/([0-9a-f-]+)/i.exec(call.path)?.[1]?.replaceAll('-', '').toLowerCase();
    const record = this.state.conversations.get(id ?? '');
    const sandbox = record && this.state.sandboxes.get(record.sandbox_id);
    if (record) this.of(record);
    const server = sandbox ? this.serverOf(sandbox) : new AgentServer(this.release, '', this.clock);
    while (sandbox && sandbox.status !== 'RUNNING') await this.clock.wait(lookMs);
    return render(await server.handle(call, request.headers['x-session-api-key']));
  }
}

async function readCall(request: IncomingMessage): Promise<Call> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const url = new URL(request.url ?? '/', 'http://agent');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    params: {},
    query: url.searchParams,
    body: text === '' ? { issue: missing(['body'], null) } : { value: JSON.parse(text) as unknown },
  };
}
