import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { certificate, certificateKey } from './certificate';

/** A server on the loopback interface that closes with all its connections. */
export interface TestServer {
  origin: string;
  /** Requests in order of arrival: path with query, and headers. */
  requests: http.IncomingMessage[];
  /** Resolves when this many requests have arrived in total. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, number: number) => void;

const running: TestServer[] = [];

/** Closes every started server; call it after each test. */
export async function closeServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()));
}

/** Starts an HTTP server. `number` counts the requests from 1. */
export function serve(handler: Handler): Promise<TestServer> {
  return start('http', http.createServer(), handler);
}

/** Starts an HTTPS server, with the self-signed certificate by default. */
export function serveTls(handler: Handler, options: https.ServerOptions = {}): Promise<TestServer> {
  return start('https', https.createServer({ cert: certificate, key: certificateKey, ...options }), handler);
}

/** An HTTP proxy that opens tunnels, or refuses them with a status. */
export interface TestProxy {
  origin: string;
  /** For each CONNECT: `host:port`, the credentials, and the name in the client certificate. */
  asked: {
    target: string | undefined;
    authorization: string | undefined;
    certificate: string | undefined;
  }[];
}

/** Starts a proxy; over TLS if `tls` is given. */
export async function serveProxy(refuse?: number, tls?: https.ServerOptions): Promise<TestProxy> {
  const asked: TestProxy['asked'] = [];
  const tunnels = new Set<net.Socket>();
  const server = tls ? https.createServer(tls) : http.createServer();
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    const subject = client instanceof TLSSocket ? client.getPeerCertificate().subject : undefined;
    asked.push({
      target: request.url,
      authorization: request.headers['proxy-authorization'],
      certificate: (subject as Partial<typeof subject>)?.CN?.toString(),
    });
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const onward = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      tunnels.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  const origin = await listen(tls ? 'https' : 'http', server);
  running.push({
    origin,
    requests: [],
    received: () => Promise.resolve(),
    close: async () => {
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  return { origin, asked };
}

/** Starts a server that reads a request and then passes the connection, and the request, to a callback. */
export async function serveRaw(
  answer: (socket: net.Socket, number: number, request: string) => void,
): Promise<{ origin: string; connections: () => number; resetAll: () => void }> {
  const sockets = new Set<net.Socket>();
  let count = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    count += 1;
    const number = count;
    socket.once('data', (request: Buffer) => answer(socket, number, request.toString('latin1')));
  });
  const origin = await listen('http', server);
  running.push({
    origin,
    requests: [],
    received: () => Promise.resolve(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
  const resetAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return { origin, connections: () => count, resetAll };
}

async function start(scheme: string, server: http.Server, handler: Handler): Promise<TestServer> {
  const requests: http.IncomingMessage[] = [];
  let watchers: (() => void)[] = [];
  // Clients keep idle connections as long as this says: one that closes earlier was closed on purpose.
  server.keepAliveTimeout = 600_000;
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    requests.push(request);
    for (const watcher of watchers.splice(0)) watcher();
    handler(request, response, requests.length);
  });
  const origin = await listen(scheme, server);
  const started: TestServer = {
    origin,
    requests,
    received: async (count) => {
      while (requests.length < count) await new Promise<void>((resolve) => watchers.push(resolve));
    },
    close: async () => {
      watchers = [];
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  running.push(started);
  return started;
}

async function listen(scheme: string, server: net.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends JSON. */
export function json(response: http.ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** An address on the loopback interface without a listener. */
export async function deadOrigin(): Promise<string> {
  const server = net.createServer();
  const origin = await listen('http', server);
  server.close();
  await once(server, 'close');
  return origin;
}
