import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { onEnd } from '../lifetime';

/** The element of the workbench's page that holds its configuration, up to the attribute's closing quote. */
const configuration = /(<meta id="vscode-workbench-web-configuration" data-settings=")([^"]*)/;

/**
 * Serves the editor at `editorUrl` so that its windows run an extension under development. The editor reads the name of
 * such an extension from its page's configuration, but its server only writes it there in test mode, which hides
 * notifications. So the proxy adds it to the page. Opens `workspaceFolder`. Returns the URL for the browser.
 */
export async function startDevelopmentProxy(
  editorUrl: string,
  extensionFolder: string,
  workspaceFolder: string,
): Promise<string> {
  const { hostname, port } = new URL(editorUrl);
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/') {
      const query = new URLSearchParams({ folder: pathToFileURL(workspaceFolder).pathname });
      outgoing.writeHead(302, { location: `/?${query.toString()}` }).end();
      return;
    }
    const { headers, method, url } = incoming;
    const isPage = url?.startsWith('/?') === true;
    const onward = request(
      {
        hostname,
        port,
        method,
        path: url,
        headers: isPage ? { ...headers, 'accept-encoding': 'identity' } : headers,
      },
      (answer) => {
        if (isPage) void completePage(answer, outgoing, headers.host ?? '', extensionFolder);
        else answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  // The window's connections to its server are passed through unchanged.
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const onward = connect(Number(port), hostname);
    const lines = [`${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1`];
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      lines.push(`${incoming.rawHeaders[i] ?? ''}: ${incoming.rawHeaders[i + 1] ?? ''}`);
    }
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    socket.pipe(onward).pipe(socket);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function completePage(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  authority: string,
  extensionFolder: string,
): Promise<void> {
  let html = '';
  for await (const part of answer.setEncoding('utf8')) html += part as string;
  const extension = {
    $mid: 1,
    scheme: 'vscode-remote',
    authority,
    path: pathToFileURL(extensionFolder).pathname,
  };
  const completed = html.replace(configuration, (_, start: string, settings: string) => {
    const config = JSON.parse(settings.replaceAll('&quot;', '"')) as { developmentOptions?: object };
    config.developmentOptions = { ...config.developmentOptions, extensions: [extension] };
    return start + JSON.stringify(config).replaceAll('"', '&quot;');
  });
  const { 'content-length': _length, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, headers).end(completed);
}
