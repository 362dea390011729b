import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { missing, render, type Call } from '../http';
import type { AgentServer } from './agentServer';

/** Connects HTTP requests and sockets on 127.0.0.1 to agent servers. */
export class AgentPort {
  private readonly http: Server;
  private address = '';

  /**
   * @param reach finds the server for a request by its path and key
   * @param routed the beginning that all paths have; others lead nowhere
   */
  constructor(
    private readonly reach: (path: string, key: unknown) => Promise<AgentServer>,
    private readonly routed = /^/,
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

  /** Without a trailing slash. */
  get url(): string {
    return this.address;
  }

  /** @param port 0 for any free port */
  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(port, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<ReturnType<typeof render>> {
    const call = await readCall(request, this.routed);
    if (!this.routed.test(pathOf(request))) return render({ status: 404, body: { detail: 'Not Found' } });
    const key = request.headers['x-session-api-key'];
    const server = await this.reach(call.path, key);
    return render(await server.handle(call, key));
  }

  /** Opens a socket; `upgrade` completes the handshake. */
  private async connect(
    request: IncomingMessage,
    socket: Duplex,
    upgrade: (then: (opened: WebSocket) => void) => void,
  ): Promise<void> {
    const pathname = pathOf(request).replace(this.routed, '');
    const key = request.headers['x-session-api-key'];
    const server = await this.reach(pathname, key);
    const waiting: (() => void)[] = [];
    let opened: WebSocket | undefined;
    const soon = (act: (opened: WebSocket) => void) => {
      if (opened) act(opened);
      else waiting.push(() => opened && act(opened));
    };
    const end =
      this.routed.test(pathOf(request)) &&
      (await server.connect(pathname, key, {
        send: (frame) => soon((wire) => wire.send(frame)),
        close: (code) => soon((wire) => wire.close(code)),
      }));
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
}

const pathOf = ({ url }: IncomingMessage) => new URL(url ?? '/', 'http://agent').pathname;

async function readCall(request: IncomingMessage, routed: RegExp): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const content = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://agent');
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  return {
    ...(from !== undefined && { range: { from: Number(from), to: to ? Number(to) : Infinity } }),
    method: request.method ?? 'GET',
    path: url.pathname.replace(routed, ''),
    params: {},
    query: url.searchParams,
    exposes: request.headers['x-expose-secrets']?.toString(),
    body:
      content.length === 0
        ? { issue: missing(['body'], null) }
        : { value: await parseBody(request, content) },
  };
}

/** The JSON body, or the bytes of the form's file. */
async function parseBody({ headers }: IncomingMessage, content: Buffer): Promise<unknown> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(content.toString('utf8')) as unknown;
  const form = await new Response(new Uint8Array(content), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  return file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined;
}
