import {
  ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Duplex } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { Refusal } from '../../../core/basics/refusal';
import { plainText } from '../../../shared/plainText';
import { NoListener, type SandboxTunnel } from './tunnel';
import { parseUrl } from '../../../shared/url';
import { serveBelow, type ServedPage, answerWords } from './loopback';

/** Largest request body in bytes. */
const largestBody = 16 * 1024 * 1024;

/**
 * Headers that belong to one connection, or to this computer. Browsers don’t separate cookies by port, so they send
 * those of other servers, too.
 */
const notPassedOn = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'host', 'expect'],
  ...['cookie', 'set-cookie', 'referer', 'origin', 'forwarded'],
  ...['clear-site-data', 'strict-transport-security', 'alt-svc', 'referrer-policy', 'refresh'],
  ...['service-worker-allowed', 'location', 'content-location', 'link'],
]);

/**
 * Serves what a port of a sandbox answers on this computer, below a random path that nobody else can know. Nothing of
 * this extension goes there, and no cookies.
 */
export async function servePage(
  tunnel: Pick<SandboxTunnel, 'exchange' | 'close'>,
  port: number,
): Promise<ServedPage> {
  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    root: string,
  ): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) {
      answerWords(response, 413, l10n.t('This is too much to send to the sandbox.'));
      return;
    }
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const fail = (error: unknown) => {
      if (response.headersSent) response.destroy();
      else answerWords(response, 502, wordsOf(error, port));
    };
    const connection = new Exchange(tunnel, ended.signal, fail);
    const headers = passedOn(request.headers);
    if (request.headers.origin !== undefined) headers['origin'] = `http://localhost:${port}`;
    if (body.length > 0) headers['content-length'] = body.length;
    // The agent’s program knows only its own host name.
    headers['host'] = `localhost:${port}`;
    const options = { method: request.method, path, headers, setHost: false };
    // The editor’s own `request` goes through its proxy instead.
    const passed = new ClientRequest({ ...options, createConnection: () => connection });
    passed.once('finish', () => connection.start());
    passed.once('error', fail);
    // What follows wouldn’t be HTTP.
    passed.once('upgrade', fail);
    passed.once('response', (answer) => {
      const { statusCode = 502, headers: answered } = answer;
      const to = answered.location;
      const location = to === undefined ? undefined : placeOf(to, path, port);
      if (location === null) {
        answerWords(
          response,
          502,
          l10n.t('This page leads to {0}, which isn’t in the sandbox.', plainText(to ?? '', 200)),
        );
        return;
      }
      response.writeHead(statusCode, {
        ...passedOn(answered),
        'referrer-policy': 'same-origin',
        ...(location !== undefined && { location: `${root}${location}` }),
      });
      answer.once('error', fail).pipe(response);
    });
    passed.end(body);
  }

  return serveBelow({ answer: pass, closed: () => void tunnel.close().catch(() => undefined) });
}

/** Where a redirect leads on the port; null if it leads elsewhere. */
function placeOf(location: string, path: string, port: number): string | null {
  const own = `http://localhost:${port}`;
  // A path that begins with two slashes isn’t a host’s name.
  const base = `${own}${path.replace(/^\/+/, '/')}`;
  const target = parseUrl(location, new URL(base));
  if (!target) return null;
  const { protocol, hostname, port: other, pathname, search, hash } = target;
  const isOwn = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'].includes(hostname);
  return protocol === 'http:' && isOwn && (other || '80') === String(port) ? pathname + search + hash : null;
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !notPassedOn.has(name) && !/^x-forwarded-|^sec-websocket/.test(name),
    ),
  );
}

/** Undefined if it’s too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += (part as Buffer).length;
      if (size > largestBody) return undefined;
      parts.push(part as Buffer);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts);
}

function wordsOf(error: unknown, port: number): string {
  if (error instanceof NoListener) return l10n.t('Nothing is listening on port {0} in the sandbox.', port);
  return error instanceof Refusal ? error.message : l10n.t('The sandbox doesn’t answer.');
}

/** What the HTTP client treats as a socket: everything that it writes goes through the tunnel at once. */
class Exchange extends Duplex {
  private readonly sent: Buffer[] = [];
  private goOn: (() => void) | undefined;

  constructor(
    private readonly tunnel: Pick<SandboxTunnel, 'exchange'>,
    private readonly signal: AbortSignal,
    /** Ends the answer, and so this. */
    private readonly failed: (error: unknown) => void,
  ) {
    super();
    signal.addEventListener('abort', () => {
      this.goOn?.();
      this.destroy();
    });
  }

  start(): void {
    this.tunnel
      .exchange(Buffer.concat(this.sent), (bytes) => this.took(bytes), this.signal)
      .then(() => this.push(null), this.failed);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent.push(chunk);
    done();
  }

  override _read(): void {
    this.goOn?.();
  }

  private async took(bytes: Uint8Array): Promise<void> {
    if (this.destroyed || this.push(bytes)) return;
    await new Promise<void>((resolve) => (this.goOn = resolve));
  }
}
