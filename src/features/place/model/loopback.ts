import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as l10n from '@vscode/l10n';
import { parseUrl } from '../../../shared/url';

/** A page of a sandbox on this computer. */
export interface ServedPage {
  url: URL;
  close: () => void;
}

interface Served {
  /**
   * Answers a request.
   * @param path what is asked for below the random path
   * @param root that path
   */
  answer: (request: IncomingMessage, response: ServerResponse, path: string, root: string) => Promise<void>;
  /**
   * Where absolute links of the page lead, according to the page itself. Empty, or begins with a slash and doesn’t end
   * with one.
   */
  base?: string;
  /** What is shown first, relative to `base`. */
  first?: string;
  closed?: () => void;
}

/** Serves a page on this computer, below a random path that nobody else can know. */
export async function serveBelow({ answer, base = '', first = '', closed }: Served): Promise<ServedPage> {
  const root = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    const path = pathOf(request, root, base);
    if (path.kind === 'unknown') answerWords(response, 404, l10n.t('There’s no such page here.'));
    else if (path.kind === 'elsewhere') response.writeHead(307, { location: path.to }).end();
    else answer(request, response, path.path, root).catch(() => response.destroy());
  });
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}${root}${base}/${first}`),
    close: () => {
      server.close();
      server.closeAllConnections();
      closed?.();
    },
  };
}

type Path = { kind: 'page'; path: string } | { kind: 'elsewhere'; to: string } | { kind: 'unknown' };

/** Absolute links of a page lead out of the random path; this redirects requests that come from such a page. */
function pathOf({ url = '', headers: { referer } }: IncomingMessage, root: string, base: string): Path {
  if (url === root) return { kind: 'elsewhere', to: `${root}${base}/` };
  if (url.startsWith(`${root}/`)) return { kind: 'page', path: url.slice(root.length) };
  const from = parseUrl(referer ?? '')?.pathname ?? '';
  return url.startsWith('/') && from.startsWith(`${root}/`)
    ? { kind: 'elsewhere', to: root + base + url }
    : { kind: 'unknown' };
}

/** Answers with text only. */
export function answerWords(response: ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${words}\n`);
}
