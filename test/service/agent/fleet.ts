import { randomUUID } from 'node:crypto';
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
import { cloneFolder, type Origins } from './sandboxFiles';

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
    private readonly origins: Origins,
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
    this.reset();
  }

  /** Forgets all conversations, as when the service starts over. */
  reset(): void {
    for (const { files } of this.servers.values()) files.dispose();
    this.servers.clear();
    this.conversations.clear();
  }

  /** The agent of a conversation, with the past that its record speaks of; undefined if there is no sandbox. */
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

  private async answer(request: IncomingMessage): Promise<ReturnType<typeof render>> {
    const call = await readCall(request);
    const key = request.headers['x-session-api-key'];
    const id = /^\/api\/conversations\/([0-9a-f-]+)/i.exec(call.path)?.[1]?.replaceAll('-', '').toLowerCase();
    const record = this.state.conversations.get(id ?? '');
    const sandbox = record ? this.state.sandboxes.get(record.sandbox_id) : this.sandboxOf(key);
    const residents = record ? [record] : [...this.state.conversations.values()];
    for (const resident of residents) if (resident.sandbox_id === sandbox?.id) this.of(resident);
    const server = sandbox ? this.serverOf(sandbox) : new AgentServer(this.release, randomUUID(), this.clock);
    while (sandbox && sandbox.status !== 'RUNNING') await this.clock.wait(lookMs);
    return render(await server.handle(call, key));
  }

  /** Requests about files name no conversation: their key tells the sandbox. */
  private sandboxOf(key: unknown): SandboxRecord | undefined {
    return [...this.state.sandboxes.values()].find(({ session_api_key: own }) => own === key);
  }
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const content = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://agent');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    params: {},
    query: url.searchParams,
    body:
      content.length === 0
        ? { issue: missing(['body'], null) }
        : { value: await parseBody(request, content) },
  };
}

/** The JSON that was sent, or the bytes of the form's file. */
async function parseBody({ headers }: IncomingMessage, content: Buffer): Promise<unknown> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(content.toString('utf8')) as unknown;
  const form = await new Response(new Uint8Array(content), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  return file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined;
}
