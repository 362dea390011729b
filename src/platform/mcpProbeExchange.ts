import * as l10n from '@vscode/l10n';
import { classifyFailure, type NetworkFailure } from '../api/http/network';
import { sentences } from '../shared/joined';
import type { McpKind } from '../shared/mcp';
import { plainText } from '../shared/plainText';
import { parseUrl } from '../shared/url';

/** Why a test failed. */
export type ProbeFailure =
  /** No connection: name, port, network, proxy, or lost on the way. */
  | 'unreachable'
  | 'tls'
  /** 401 or 403. */
  | 'unauthorized'
  /** The address doesn't answer with MCP: a web page, 404, 405. */
  | 'notMcp'
  /** It redirects; the key wasn't sent there. */
  | 'redirected'
  /** 429 or 5xx. */
  | 'serverError'
  | 'timeout'
  /** Invalid MCP, or an error as the answer. */
  | 'protocol'
  /** Nothing was sent: WebSocket, no URL, a key that can't be a header. */
  | 'untestable'
  | 'canceled';

/** Why a test failed, in words. */
export class Failure extends Error {
  constructor(
    readonly reason: ProbeFailure,
    message: string,
  ) {
    super(message);
  }
}

/** The last failure on the network. */
type Trouble =
  | { at: 'network'; failure: NetworkFailure }
  | { at: 'status'; status: number; location: string | undefined }
  | { at: 'content'; type: string };

/** Maximum size of all answers of one test. */
const mostBytes = 8_000_000;

/**
 * The HTTP side of one test: keeps every request at the server's origin, limits the size of the answers, stops
 * everything at once, and remembers what went wrong, because the SDK reports that only as free text.
 */
export class ProbeExchange {
  private readonly stopping = new AbortController();
  private trouble: Trouble | undefined;
  private bytes = 0;

  constructor(
    private readonly kind: Exclude<McpKind, 'stdio'>,
    private readonly url: URL,
    private readonly given: typeof fetch,
  ) {}

  /** Stops every request; the first call's reason counts. */
  stop(why: Failure): void {
    this.stopping.abort(why);
  }

  /** Settles like `work`, or rejects with the reason as soon as the test is stopped. */
  async unlessStopped<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    let abort: () => void = () => undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      abort = () => reject(signal.reason as Failure);
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([work(), stopped]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== this.url.origin) {
      // The SDK treats an upgrade to https as the same origin. It may be, but the user didn't enter it.
      this.stop(elsewhere(url.origin));
      throw this.stopping.signal.reason as Failure;
    }
    // An HTTP server's additional event stream is optional.
    const matters = this.kind === 'sse' || init.method !== 'GET';
    const signals = [this.stopping.signal, ...(init.signal ? [init.signal] : [])];
    let response: Response;
    try {
      response = await this.given(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
    } catch (error) {
      if (matters) this.trouble = { at: 'network', failure: classifyFailure(error, 'headers', url) };
      throw error;
    }
    if (matters) this.trouble = this.troubleOf(response, url, init.method === 'POST');
    return this.bounded(response);
  };

  /** What went wrong on the network; undefined if nothing did. */
  explain(error: unknown, withKey: boolean): Failure | undefined {
    if (this.stopping.signal.aborted) return this.stopping.signal.reason as Failure;
    if (error instanceof Failure) return error;
    const { trouble } = this;
    switch (trouble?.at) {
      case undefined:
        // Thrown when the body of a successful answer can't be read.
        return error instanceof TypeError
          ? networkFailure(classifyFailure(error, 'body', this.url))
          : undefined;
      case 'network':
        return networkFailure(trouble.failure);
      case 'status':
        return this.statusFailure(trouble.status, trouble.location, withKey);
      case 'content':
        return this.notMcp(
          l10n.t('This address returned {0}, so it isn’t an MCP server.', plainText(trouble.type, 60) || '?'),
        );
    }
  }

  /** The same answer, counting its bytes while it's read. */
  private bounded(response: Response): Response {
    if (response.body === null) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.bytes += chunk.byteLength;
        if (this.bytes <= mostBytes) controller.enqueue(chunk);
        else this.stop(new Failure('protocol', l10n.t('The server sent more data than the test accepts.')));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  }

  private troubleOf({ ok, status, headers }: Response, url: URL, isPost: boolean): Trouble | undefined {
    if (!ok) {
      const location = headers.get('location') ?? '';
      const target = parseUrl(location, url);
      return { at: 'status', status, location: target?.origin === 'null' ? target.protocol : target?.origin };
    }
    const isIgnored = isPost && (this.kind === 'sse' || status === 202);
    const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    const expected = isPost ? ['application/json', 'text/event-stream'] : ['text/event-stream'];
    return isIgnored || expected.includes(type) ? undefined : { at: 'content', type };
  }

  private notMcp(message: string): Failure {
    const hint =
      this.kind === 'sse'
        ? l10n.t('Check the address. The kind may be “HTTP” instead of “SSE”.')
        : l10n.t('Check the address. The kind may be “SSE” instead of “HTTP”.');
    return new Failure('notMcp', sentences(message, hint));
  }

  private statusFailure(status: number, location: string | undefined, withKey: boolean): Failure {
    if (status === 401 || status === 403)
      return new Failure(
        'unauthorized',
        withKey
          ? l10n.t('The server refused the API key (HTTP {0}).', status)
          : l10n.t('The server asks for an API key (HTTP {0}).', status),
      );
    if (status >= 300 && status < 400) return elsewhere(location ?? '');
    if (status === 429 || status >= 500)
      return new Failure('serverError', l10n.t('The server failed (HTTP {0}).', status));
    return this.notMcp(l10n.t('This address rejected the MCP request (HTTP {0}).', status));
  }
}

function elsewhere(target: string): Failure {
  const place = plainText(target, 200);
  return new Failure(
    'redirected',
    place === ''
      ? l10n.t('The server redirects to another address. The redirect wasn’t followed.')
      : l10n.t(
          'The server redirects to {0}. The redirect wasn’t followed. If you trust that address, enter it instead.',
          place,
        ),
  );
}

function networkFailure({ reason, code = '', location }: NetworkFailure): Failure {
  const [kind, words] = networkWords(reason, plainText(location ?? '', 100));
  if (code === '') return new Failure(kind, words);
  const [stop = ''] = /[.。]$/.exec(words) ?? [];
  const sentence = words.slice(0, words.length - stop.length);
  return new Failure(kind, `${sentence} (${plainText(code, 60)})${stop}`);
}

function networkWords(reason: NetworkFailure['reason'], proxy: string): [ProbeFailure, string] {
  if (reason === 'tls') return ['tls', l10n.t('The server’s certificate wasn’t accepted.')];
  if (reason === 'timeout' || reason === 'connectTimeout')
    return ['timeout', l10n.t('The server didn’t answer in time.')];
  if (reason === 'notService') return ['notMcp', l10n.t('The answer from this address isn’t HTTP.')];
  if (reason === 'dns') return ['unreachable', l10n.t('The server’s host wasn’t found.')];
  if (reason === 'refused') return ['unreachable', l10n.t('Nothing is listening at the server’s address.')];
  if (reason === 'proxy')
    return [
      'unreachable',
      proxy === '' ? l10n.t('A proxy rejected the request.') : l10n.t('Can’t reach the proxy {0}.', proxy),
    ];
  if (reason === 'reset' || reason === 'truncated')
    return ['unreachable', l10n.t('The connection to the server was lost.')];
  return ['unreachable', l10n.t('Can’t reach the server.')];
}
