import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { McpKind } from '../../shared/mcp';
import { parseUrl } from '../../shared/url';
import type { ProbeExchange } from './exchange';
import { Failure, notUnderstood, streamLost } from './failure';
import { messagesOf, type Message } from './schemas';

/** Talks JSON-RPC with an MCP server. Every method throws a `Failure`, or an `McpError` for the server's own. */
export abstract class McpSession {
  #requests = 0;

  constructor(
    protected readonly url: URL,
    protected readonly exchange: ProbeExchange,
  ) {}

  /** Resolves with the server's `result`, of any shape. */
  abstract request(method: string, params: object): Promise<unknown>;

  /** Names the version of MCP that was agreed on in every request from now on. */
  abstract agree(version: string): void;

  /** Ends the session on the server, if it has one. */
  abstract leave(): Promise<void>;

  /** Resolves when the server took the message. */
  notify(method: string): Promise<void> {
    return this.send({ method });
  }

  /** Sends a message that has no answer, or whose answer comes otherwise. */
  protected abstract send(message: object): Promise<void>;

  /** The id of the next request. */
  protected nextId(): number {
    return this.#requests++;
  }
}

/** The server answered a request with an error. */
export class McpError extends Error {}

/** A session with a server; nothing is sent yet. */
export function createSession(
  kind: Exclude<McpKind, 'stdio'>,
  url: URL,
  exchange: ProbeExchange,
): McpSession {
  return kind === 'sse' ? new SseSession(url, exchange) : new HttpSession(url, exchange);
}

/** Streamable HTTP: each message is a POST, which is answered with JSON or a stream of events. */
class HttpSession extends McpSession {
  readonly #headers: Record<string, string> = {};

  async request(method: string, params: object): Promise<unknown> {
    const id = this.nextId();
    const response = await this.exchange.fetch(
      this.url,
      post({ id, method, params }, this.#headers),
      'message',
    );
    const session = response.headers.get('mcp-session-id');
    if (session !== null) this.#headers['mcp-session-id'] = session;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    for await (const message of isStream ? this.#streamed(response) : await this.#whole(response)) {
      if (answers(message, id)) return resultOf(message);
      const refusal = refusalOf(message);
      if (refusal) await this.send(refusal);
    }
    throw isStream ? streamLost() : notUnderstood();
  }

  protected async send(message: object): Promise<void> {
    await this.exchange.fetch(this.url, post(message, this.#headers), 'nothing');
  }

  agree(version: string): void {
    this.#headers['mcp-protocol-version'] = version;
  }

  async leave(): Promise<void> {
    if ('mcp-session-id' in this.#headers)
      await this.exchange.fetch(this.url, { method: 'DELETE', headers: this.#headers }, 'nothing');
  }

  async #whole(response: Response): Promise<Message[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.exchange.read(response)) chunks.push(chunk);
    return messagesOf(Buffer.concat(chunks).toString());
  }

  async *#streamed(response: Response): AsyncGenerator<Message> {
    for await (const { data } of eventsOf(this.exchange.read(response))) yield* messagesOf(data);
  }
}

/** HTTP with server-sent events, as in MCP of 2024: one stream has all answers, and names the address for messages. */
class SseSession extends McpSession {
  readonly #waiting = new Map<number, (message: Message) => void>();
  #endpoint: Promise<URL> | undefined;

  async request(method: string, params: object): Promise<unknown> {
    const id = this.nextId();
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    await this.send({ id, method, params });
    return resultOf(await answer);
  }

  agree(): void {
    // This transport has no place for the version.
  }

  leave(): Promise<void> {
    // The stream is the session.
    return Promise.resolve();
  }

  protected async send(message: object): Promise<void> {
    const endpoint = await (this.#endpoint ??= this.#open());
    await this.exchange.fetch(endpoint, post(message, {}), 'nothing');
  }

  /** Resolves with the address for messages, and keeps reading the stream. Its end, or a failure, stops the test. */
  #open(): Promise<URL> {
    return new Promise((resolve) => {
      this.#listen(resolve).catch((error: unknown) =>
        this.exchange.stop(error instanceof Failure ? error : notUnderstood()),
      );
    });
  }

  async #listen(found: (endpoint: URL) => void): Promise<never> {
    const init = { headers: { accept: 'text/event-stream' } };
    const response = await this.exchange.fetch(this.url, init, 'stream');
    for await (const { event, data } of eventsOf(this.exchange.read(response))) {
      if (event === 'endpoint') found(this.#endpointOf(data));
      else for (const message of messagesOf(data)) await this.#take(message);
    }
    throw streamLost();
  }

  #endpointOf(address: string): URL {
    const endpoint = parseUrl(address, this.url);
    if (endpoint?.origin === this.url.origin) return endpoint;
    throw notUnderstood();
  }

  async #take(message: Message): Promise<void> {
    for (const [id, resolve] of this.#waiting)
      if (answers(message, id)) {
        // An error without an ID answers whatever still waits.
        this.#waiting.delete(id);
        resolve(message);
        return;
      }
    const refusal = refusalOf(message);
    if (refusal) await this.send(refusal);
  }
}

function post(message: object, headers: Record<string, string>): RequestInit {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return {
    method: 'POST',
    headers: { ...headers, ...accept },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  };
}

async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}

/** An error that could not be assigned to a request has no id. */
function answers({ id, method, error }: Message, request: number): boolean {
  return method === undefined && (id === request || (error !== undefined && id === null));
}

function resultOf({ error, result }: Message): unknown {
  if (error) throw new McpError(error.message);
  return result;
}

/** The answer to a server's own request: only pings are allowed. */
function refusalOf({ id, method }: Message): object | undefined {
  if (method === undefined || id === undefined) return undefined;
  return method === 'ping' ? { id, result: {} } : { id, error: { code: -32601, message: 'unsupported' } };
}
