import * as l10n from '@vscode/l10n';
import { classifyFailure, type NetworkFailure } from '../api/network';
import { sentences } from '../shared/joined';
import { plainText } from '../shared/plainText';
import { parseUrl } from '../shared/url';
import type { ProbeFailure, ProbeOptions } from './mcpTest';

/** Why a test ended early, in words. */
export class Failure extends Error {
  constructor(
    readonly reason: ProbeFailure,
    message: string,
  ) {
    super(message);
  }
}

/** The last that went wrong on the wire. */
type Trouble =
  | { at: 'network'; failure: NetworkFailure }
  | { at: 'status'; status: number; location: string | undefined }
  | { at: 'content'; type: string };

/** All answers of one test together. */
const mostBytes = 8_000_000;

/**
 * The HTTP side of one test: keeps every request at the server's origin, bounds what comes back, ends it all at once, and
 * remembers what went wrong, which the SDK tells in free text only.
 */
export class ProbeExchange {
  private readonly stopping = new AbortController();
  private trouble: Trouble | undefined;
  private bytes = 0;

  constructor(
    private readonly kind: ProbeOptions['kind'],
    private readonly url: URL,
    private readonly given: typeof fetch,
  ) {}

  /** Ends every request; the first call tells why. */
  stop(why: Failure): void {
    this.stopping.abort(why);
  }

  /** The outcome of `work`, or a rejection with the reason as soon as the test is stopped. */
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
      // The SDK takes an upgrade to https for the same place. It may be one, but nobody entered it.
      this.stop(elsewhere(url.origin));
      throw this.stopping.signal.reason as Failure;
    }
    // The stream that an HTTP server may offer beside its answers is optional.
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

  /** What went wrong by what was seen on the wire; undefined when nothing did there. */
  explain(error: unknown, withKey: boolean): Failure | undefined {
    if (this.stopping.signal.aborted) return this.stopping.signal.reason as Failure;
    if (error instanceof Failure) return error;
    const { trouble } = this;
    switch (trouble?.at) {
      case undefined:
        // What reading the body of a good answer throws.
        return error instanceof TypeError
          ? networkFailure(classifyFailure(error, 'body', this.url))
          : undefined;
      case 'network':
        return networkFailure(trouble.failure);
      case 'status':
        return this.statusFailure(trouble.status, trouble.location, withKey);
      case 'content':
        return this.notMcp(
          l10n.t(
            'What answers at this address is no MCP server: it sent {0}.',
            plainText(trouble.type, 60) || '?',
          ),
        );
    }
  }

  /** The same answer, counted while it is read. */
  private bounded(response: Response): Response {
    if (response.body === null) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.bytes += chunk.byteLength;
        if (this.bytes <= mostBytes) controller.enqueue(chunk);
        else this.stop(new Failure('protocol', l10n.t('The server sends more than a test takes in.')));
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
        ? l10n.t('Check the address, and whether it is of the kind “HTTP” instead of “SSE”.')
        : l10n.t('Check the address, and whether it is of the kind “SSE” instead of “HTTP”.');
    return new Failure('notMcp', sentences(message, hint));
  }

  private statusFailure(status: number, location: string | undefined, withKey: boolean): Failure {
    if (status === 401 || status === 403)
      return new Failure(
        'unauthorized',
        withKey
          ? l10n.t('The server refused the API key ({0}).', status)
          : l10n.t('The server asks for an API key ({0}).', status),
      );
    if (status >= 300 && status < 400) return elsewhere(location ?? '');
    if (status === 429 || status >= 500)
      return new Failure(
        'serverError',
        l10n.t('The server is there, but failed with the status {0}.', status),
      );
    return this.notMcp(l10n.t('What answers at this address refused MCP with the status {0}.', status));
  }
}

function elsewhere(target: string): Failure {
  const place = plainText(target, 200);
  return new Failure(
    'redirected',
    place === ''
      ? l10n.t('The server sends to another address, which was not followed.')
      : l10n.t('The server sends to {0}, which was not followed. If you trust it, enter its address.', place),
  );
}

function networkFailure({ reason, code = '', location }: NetworkFailure): Failure {
  const [kind, words] = networkWords(reason, plainText(location ?? '', 100));
  return new Failure(kind, code === '' ? words : `${words} (${plainText(code, 60)})`);
}

function networkWords(reason: NetworkFailure['reason'], proxy: string): [ProbeFailure, string] {
  if (reason === 'tls') return ['tls', l10n.t('The certificate of the server was not accepted.')];
  if (reason === 'timeout' || reason === 'connectTimeout')
    return ['timeout', l10n.t('The server did not answer in time.')];
  if (reason === 'notService') return ['notMcp', l10n.t('What answers at this address does not speak HTTP.')];
  if (reason === 'dns') return ['unreachable', l10n.t('The host of the server cannot be found.')];
  if (reason === 'refused') return ['unreachable', l10n.t('Nothing answers at the address of the server.')];
  if (reason === 'proxy')
    return [
      'unreachable',
      proxy === ''
        ? l10n.t('The proxy on the way to the server did not let the request through.')
        : l10n.t('The proxy {0} on the way to the server cannot be reached.', proxy),
    ];
  if (reason === 'reset' || reason === 'truncated')
    return ['unreachable', l10n.t('The connection to the server was lost.')];
  return ['unreachable', l10n.t('The server cannot be reached.')];
}
