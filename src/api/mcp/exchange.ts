import * as l10n from '@vscode/l10n';
import { discard } from '../http/body';
import { classifyFailure } from '../http/networkFailure';
import { unlessAborted } from '../http/signals';
import { sentences } from '../../shared/joined';
import type { McpKind } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { elsewhere, Failure, networkFailure } from './failure';

/** Maximum size of all answers of one test. */
const mostBytes = 8_000_000;

/** What a request expects to be answered with. */
export type Expected = 'message' | 'stream' | 'nothing';

const contentTypes: Record<Expected, readonly string[]> = {
  message: ['application/json', 'text/event-stream'],
  stream: ['text/event-stream'],
  nothing: [],
};

/** As many redirects as a server behind a proxy may need to complete an address. */
const mostRedirects = 3;

/**
 * The HTTP side of one test: keeps every request at the server's origin, limits the size of the answers, stops
 * everything at once, and says in words what went wrong.
 */
export class ProbeExchange {
  private readonly stopping = new AbortController();
  private bytes = 0;

  constructor(
    private readonly kind: Exclude<McpKind, 'stdio'>,
    private readonly url: URL,
    private readonly headers: Record<string, string>,
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
    return unlessAborted(work(), signal);
  }

  /** A successful answer of the expected kind, to be read by `read`. Throws a `Failure` for any other. */
  async fetch(url: URL, init: RequestInit, expected: Expected): Promise<Response> {
    if (url.origin !== this.url.origin) throw elsewhere(url.origin);
    const response = await this.follow(url, init);
    const failure = this.refused(response, url, expected);
    if (failure === undefined && expected !== 'nothing') return response;
    await discard(response.body);
    if (failure) throw failure;
    return response;
  }

  /** The bytes of an answer, counted. Throws a `Failure` if they end early. */
  async *read(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        this.bytes += chunk.byteLength;
        if (this.bytes > mostBytes)
          throw new Failure('protocol', l10n.t('The server sent more data than the test accepts.'));
        yield chunk;
      }
    } catch (error) {
      throw this.failureOf(error, 'body', this.url);
    }
  }

  /** Follows redirects that keep origin and method. */
  private async follow(url: URL, init: RequestInit): Promise<Response> {
    const { method = 'GET' } = init;
    const headers = { ...this.headers, ...(init.headers as Record<string, string>) };
    let target = url;
    for (let redirects = 0; ; redirects++) {
      let response: Response;
      try {
        const { signal } = this.stopping;
        response = await this.given(target, { ...init, headers, redirect: 'manual', signal });
      } catch (error) {
        throw this.failureOf(error, 'headers', target);
      }
      const { status } = response;
      const keepsMethod = status === 307 || status === 308 || (method === 'GET' && isRedirect(status));
      const next = keepsMethod ? redirectOf(response, target) : undefined;
      if (next?.origin !== this.url.origin || redirects === mostRedirects) return response;
      await discard(response.body);
      target = next;
    }
  }

  private failureOf(error: unknown, stage: 'headers' | 'body', url: URL): Failure {
    if (this.stopping.signal.aborted) return this.stopping.signal.reason as Failure;
    return error instanceof Failure ? error : networkFailure(classifyFailure(error, stage, url));
  }

  private refused(response: Response, url: URL, expected: Expected): Failure | undefined {
    const { ok, status, headers } = response;
    if (!ok) {
      const target = redirectOf(response, url);
      return this.statusFailure(status, target?.origin === 'null' ? target.protocol : target?.origin);
    }
    const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (expected === 'nothing' || contentTypes[expected].includes(type)) return undefined;
    return this.notMcp(
      l10n.t('This address returned {0}, so it isn’t an MCP server.', plainText(type, 60) || '?'),
    );
  }

  private notMcp(message: string): Failure {
    const [other, own] = this.kind === 'sse' ? ['HTTP', 'SSE'] : ['SSE', 'HTTP'];
    const hint = l10n.t('Check the address. The kind may be “{0}” instead of “{1}”.', other, own);
    return new Failure('notMcp', sentences(message, hint));
  }

  private statusFailure(status: number, location: string | undefined): Failure {
    if (status === 401 || status === 403)
      return new Failure(
        'unauthorized',
        'Authorization' in this.headers
          ? l10n.t('The server refused the API key (HTTP {0}).', status)
          : l10n.t('The server asks for an API key (HTTP {0}).', status),
      );
    if (isRedirect(status)) return elsewhere(location ?? '');
    if (status === 429 || status >= 500)
      return new Failure('serverError', l10n.t('The server failed (HTTP {0}).', status));
    return this.notMcp(l10n.t('This address rejected the MCP request (HTTP {0}).', status));
  }
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Where an answer redirects to; undefined if it names no place. */
function redirectOf({ headers }: Response, url: URL): URL | undefined {
  const location = headers.get('location');
  return location === null ? undefined : parseUrl(location, url);
}
