import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { certificate, certificateKey } from './certificate';

/** A server on the loopback interface that closes with everything it holds. */
export interface TestServer {
  origin: string;
  /** Requests as they came: path with query, and headers. */
  requests: http.IncomingMessage[];
  /** Resolves when so many requests arrived in all. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, number: number) => void;

const running: TestServer[] = [];

/** Closes every server that was started; call it after each test. */
export async function closeServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()));
}

/** An HTTP server. `number` counts the requests from 1. */
export function serve(handler: Handler): Promise<TestServer> {
  return start('http', http.createServer(), handler);
}

/** An HTTPS server with the self-signed certificate. */
export function serveTls(handler: Handler): Promise<TestServer> {
  return start('https', https.createServer({ cert: certificate, key: certificateKey }), handler);
}

/** A server that reads a request and then does what it likes with the connection. */
export async function serveRaw(
  answer: (socket: net.Socket, number: number) => void,
): Promise<{ origin: string; connections: () => number; resetAll: () => void }> {
  const sockets = new Set<net.Socket>();
  let count = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    count += 1;
    const number = count;
    socket.once('data', () => answer(socket, number));
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

/** Answers JSON. */
export function json(response: http.ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** An address on the loopback interface where nothing listens. */
export async function deadOrigin(): Promise<string> {
  const server = net.createServer();
  const origin = await listen('http', server);
  server.close();
  await once(server, 'close');
  return origin;
}
