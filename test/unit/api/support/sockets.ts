import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** A server of sockets on the loopback interface. */
export interface SocketServer {
  origin: string;
  /** Handshakes in order of arrival. */
  requests: http.IncomingMessage[];
}

const running: (() => void)[] = [];
after(() => running.splice(0).forEach((stop) => stop()));

/**
 * Starts a server; `refuse` is the status line of its answer to each handshake, if it accepts none.
 * @param opened called with each socket that is open
 */
export async function serveSockets(
  opened: (socket: WebSocket) => void,
  { refuse, tls }: { refuse?: string; tls?: https.ServerOptions } = {},
): Promise<SocketServer> {
  const server = tls ? https.createServer(tls) : http.createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const requests: http.IncomingMessage[] = [];
  server.on('upgrade', (request: http.IncomingMessage, socket, head) => {
    requests.push(request);
    if (refuse !== undefined) socket.end(`HTTP/1.1 ${refuse}\r\nConnection: close\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, opened);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, requests };
}
