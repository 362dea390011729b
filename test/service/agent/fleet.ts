import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
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
    const sockets = new WebSocketServer({ noServer: true });
    this.http = createServer((request, response) => {
      void this.answer(request).then(({ status, headers, text }) =>
        response.writeHead(status, headers).end(text),
      );
    });
    this.http.on('upgrade', (request, socket, head) => {
      void this.connect(request, socket, (then) => sockets.handleUpgrade(request, socket, head, then));
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
    for (const { sockets } of this.servers.values()) sockets.drop(1001);
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
    this.reset();
  }

  /** Forgets all conversations, as when the service starts over. */
  reset(): void {
    for (const { files, sockets } of this.servers.values()) {
      sockets.drop(1012);
      files.dispose();
    }
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
    const server = await this.reach(call.path, key);
    return render(await server.handle(call, key));
  }

  /** Opens a socket; `upgrade` ends the handshake. */
  private async connect(
    request: IncomingMessage,
    socket: Duplex,
    upgrade: (then: (opened: WebSocket) => void) => void,
  ): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://agent');
    const key = request.headers['x-session-api-key'];
    const server = await this.reach(pathname, key);
    const waiting: (() => void)[] = [];
    let opened: WebSocket | undefined;
    const soon = (act: (opened: WebSocket) => void) => {
      if (opened) act(opened);
      else waiting.push(() => opened && act(opened));
    };
    const end = await server.connect(pathname, key, {
      send: (frame) => soon((wire) => wire.send(frame)),
      close: (code) => soon((wire) => wire.close(code)),
    });
    if (!end) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    socket.on('close', end);
    upgrade((wire) => {
      opened = wire;
      for (const act of waiting.splice(0)) act();
    });
  }

  /** The agent server that a request is for, once its sandbox runs: those about files name no conversation. */
  private async reach(path: string, key: unknown): Promise<AgentServer> {
    const [, found] = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)/i.exec(path) ?? [];
    const record = this.state.conversations.get(found?.replaceAll('-', '').toLowerCase() ?? '');
    const sandbox = record ? this.state.sandboxes.get(record.sandbox_id) : this.sandboxOf(key);
    const residents = record ? [record] : [...this.state.conversations.values()];
    for (const resident of residents) if (resident.sandbox_id === sandbox?.id) this.of(resident);
    while (sandbox && sandbox.status !== 'RUNNING') await this.clock.wait(lookMs);
    return sandbox ? this.serverOf(sandbox) : new AgentServer(this.release, randomUUID(), this.clock);
  }

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
