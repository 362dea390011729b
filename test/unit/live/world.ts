import type { AgentOptions } from '../../../src/api/agent/client';
import type { RawSocket } from '../../../src/api/agent/socket';
import type { Clock } from '../../../src/api/http/clock';
import { ApiError } from '../../../src/api/http/errors';
import { createLimiter } from '../../../src/api/http/limiter';
import { eventSchema, readEvent } from '../../../src/api/events/schema';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { conversationSchema } from '../../../src/api/service/schemas/conversation';
import { followLists } from '../../../src/features/live/model/listed';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { TranscriptPorts, Unsent } from '../../../src/features/live/model/ports';
import { AgentServer } from '../../service/agent/agentServer';
import type { AgentConversation } from '../../service/agent/conversation';
import type { Release } from '../../service/agent/release';
import type { ScriptStep } from '../../service/agent/script';
import { manualClock } from '../../service/clock';
import { type Answer, render } from '../../service/http';
import { conversationPorts } from '../../support/builders/ports';
import { aClient, type FlatClient } from '../../support/builders/client';
import { WindowLists } from './windowLists';

/** What happens to a request to the agent server. */
export type AgentFault =
  'slowRequest' | 'lostRequest' | 'lostAnswer' | 'lateAnswer' | 'refused' | 'limited' | 'crash';

const id = '0123456789abcdef0123456789abcdef';
const sandboxKey = 'canary-sandbox-key-11';
const origin = 'http://127.0.0.1:4000';
const json = { 'Content-Type': 'application/json' };
/** Comes in one piece. */
const tooMuch = new Uint8Array(17 * 1024 * 1024).fill(0x20);
const lateMs = 20_000;
const slowMs = 3_500;
const resumeMs = 4_000;

export interface WorldOptions {
  release?: Release;
  script?: ScriptStep[];
  policy?: Record<string, unknown>;
  modelMs?: number;
}

/** A request to either server, as it came. */
export interface Asked {
  at: number;
  what: string;
  key: string | null;
}

/** A sandbox with its agent server, the service in front of it, and windows that show its conversation. */
export class World {
  readonly clock = manualClock();
  readonly server: AgentServer;
  readonly conversation: AgentConversation;
  readonly asked: Asked[] = [];
  /** What happens to the next changes at the agent server. */
  readonly faults: AgentFault[] = [];
  /** What the service says of the conversation. */
  record: Partial<Conversation> = {};
  /** How many events the service has stored; all if infinite. */
  stored = Infinity;
  /** The server’s answer to how many events there are; its own if undefined. */
  counts: (() => Answer) | undefined;
  /** Ids of the events that make an answer larger than the client reads. */
  readonly large = new Set<string>();
  accepts = true;
  agreesToResume = true;
  /** Called with each request before the agent server handles it. */
  onRequest: (what: string) => void = () => undefined;
  secrets: string[] = [];
  /** Whether the secret storage fails. */
  secretsUnread = false;
  private readonly secretsChanged = new Set<() => void>();
  readonly lists = new WindowLists(() => this.readRecord(), this.clock);
  private resuming = false;
  private turn: Promise<unknown> = Promise.resolve();

  constructor({ release = '1.58.0', ...options }: WorldOptions = {}) {
    this.server = new AgentServer(release, sandboxKey, this.clock);
    this.conversation = this.server.add({ id, ...options });
  }

  /** A window; `outbox` is what survives its reload. */
  open(outbox: { unsent: readonly Unsent[] } = { unsent: [] }): LiveConversation {
    return new LiveConversation(id, this.ports(outbox));
  }

  /** A secret becomes known on this computer. */
  learn(...secrets: string[]): void {
    this.secrets = [...this.secrets, ...secrets];
    for (const listener of this.secretsChanged) listener();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    // Reading a page pauses every 15 ms, which is often where the computer has other work.
    for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets time pass until `work` ends, in steps of `ms`. */
  async finish<T>(work: Promise<T>, ms = 200): Promise<T> {
    const open = new Set([work]);
    const end = () => open.clear();
    work.then(end, end);
    for (let step = 0; step < 5_000 && open.size > 0; step += 1) await this.advance(ms);
    return work;
  }

  /** The sandbox is paused, with whatever is on its way. */
  pauseSandbox(): void {
    if (!this.resuming) this.server.freeze();
  }

  /** The sandbox runs again, whoever resumed it. */
  wake(): void {
    this.server.thaw();
  }

  private resumeSandbox(): void {
    if (!this.server.isFrozen || this.resuming) return;
    this.resuming = true;
    this.clock.after(resumeMs, () => {
      this.resuming = false;
      this.server.thaw();
    });
  }

  private ports(outbox: { unsent: readonly Unsent[] }): TranscriptPorts {
    const { clock } = this;
    const now = () => clock.now();
    const after = (ms: number, callback: () => void) => clock.after(ms, callback);
    const apiClock: Clock = { now, date: now, random: () => 0.5, after };
    const options: AgentOptions = {
      clock: apiClock,
      limiter: createLimiter(apiClock),
      fetch: (url, init) => this.fetch(new URL(url as string), init ?? {}),
      openSocket: (url, headers) => this.connect(new URL(url), headers),
    };
    const methods: Partial<FlatClient> = {
      baseUrl: 'http://127.0.0.1:3000',
      getConversation: () => this.service('record', () => this.readRecord()),
      resumeSandbox: (sandboxId) =>
        this.service('resume', () => {
          if (sandboxId === 'box') this.resumeSandbox();
        }),
      searchEvents: (_id, query = {}) => this.service('events', () => this.searchStored(query)),
      getStoredEvent: (_id, eventId) =>
        this.service('event', () => {
          const found = this.conversation.log.all.find((event) => event.id === eventId);
          return found ? (eventSchema.safeParse(found).data ?? null) : null;
        }),
    };
    const client = aClient(methods);
    return conversationPorts(client, options, {
      acceptOrigin: () => Promise.resolve(this.accepts),
      agreeToResume: () => Promise.resolve(this.agreesToResume),
      acts: () => undefined,
      exclusively: (_id, work) => {
        const turn = this.turn.then(work);
        this.turn = turn.catch(() => undefined);
        return turn;
      },
      outbox: { read: () => outbox.unsent, write: (unsent) => (outbox.unsent = unsent) },
      readSecrets: () => Promise.resolve(this.secrets),
      areSecretsUnread: () => this.secretsUnread,
      onDidChangeSecrets: (listener) => {
        this.secretsChanged.add(listener);
        return { dispose: () => this.secretsChanged.delete(listener) };
      },
      onDidList: (listener) => followLists(this.lists, id, listener),
      describe: (error) => (error instanceof ApiError ? `${error.method} ${error.reason}` : String(error)),
      after,
      now,
      date: now,
    });
  }

  private async service<T>(what: string, answer: () => T): Promise<T> {
    this.asked.push({ at: this.clock.now(), what: `service ${what}`, key: null });
    await new Promise((resolve) => setImmediate(resolve));
    return answer();
  }

  /** What the service says of the conversation now. */
  readRecord(): Conversation {
    const runs = !this.server.isFrozen;
    return conversationSchema.parse({
      id,
      title: 'Fix the slugs',
      sandbox_id: 'box',
      sandbox_status: runs ? 'RUNNING' : 'PAUSED',
      conversation_url: runs ? `${origin}/api/conversations/${id}` : null,
      session_api_key: runs ? sandboxKey : null,
      ...this.record,
    });
  }

  private searchStored({
    pageId = '0',
    newestFirst = false,
  }: {
    pageId?: string | undefined;
    newestFirst?: boolean | undefined;
  }) {
    const events = this.conversation.log.all.slice(0, this.stored);
    if (newestFirst) events.reverse();
    const start = Number(pageId);
    const items = events
      .slice(start, start + 100)
      .map((event) => readEvent(event, this.conversation.createdAt));
    return { items, nextPageId: start + 100 < events.length ? String(start + 100) : null };
  }

  /** A socket without a network. */
  private connect({ pathname }: URL, headers: Record<string, string>): RawSocket {
    this.asked.push({ at: this.clock.now(), what: `SOCKET ${pathname}`, key: null });
    const events = new EventTarget();
    const tell = (type: string, members: object = {}) =>
      setImmediate(() => events.dispatchEvent(Object.assign(new Event(type), members)));
    const close = (code: number) => tell('close', { code });
    const wire = { send: (data: string) => tell('message', { data }), close };
    const connecting = this.server.connect(pathname, headers['X-Session-API-Key'], wire);
    void connecting.then((end) => (end ? tell('open') : close(1006)));
    return {
      addEventListener: events.addEventListener.bind(events) as RawSocket['addEventListener'],
      close: () => void connecting.then((end) => end?.()),
    };
  }

  private isLarge(path: string, { body }: Answer): boolean {
    const { items = [body] } = (body ?? {}) as { items?: unknown[] };
    return (
      path.includes('/events') &&
      items.some((item) => this.large.has((item as { id?: string } | null)?.id ?? ''))
    );
  }

  private async fetch(url: URL, init: RequestInit): Promise<Response> {
    const method = init.method ?? 'GET';
    const key = new Headers(init.headers).get('x-session-api-key');
    this.asked.push({ at: this.clock.now(), what: `${method} ${url.pathname}`, key });
    this.onRequest(method);
    const fault = method === 'GET' ? undefined : this.faults.shift();
    const signal = init.signal ?? undefined;
    if (fault === 'refused') throw networkError('ECONNREFUSED');
    if (fault === 'lostRequest') throw networkError('ECONNRESET');
    if (fault === 'limited') return new Response('{}', { status: 429, headers: { 'Retry-After': '20' } });
    if (fault === 'slowRequest') await unlessAborted(this.clock.wait(slowMs), signal);
    const body = typeof init.body === 'string' ? { value: JSON.parse(init.body) as unknown } : undefined;
    const handled = this.server.handle(
      {
        method,
        path: url.pathname,
        params: {},
        query: url.searchParams,
        body: body ?? { issue: { type: '', loc: [], msg: '', input: null } },
      },
      key,
    );
    const count = url.pathname.endsWith('/events/count') ? this.counts?.() : undefined;
    const answer = count ?? (await unlessAborted(handled, signal));
    if (fault === 'lostAnswer') throw networkError('ECONNRESET');
    if (fault === 'lateAnswer') await unlessAborted(this.clock.wait(lateMs), signal);
    if (this.isLarge(url.pathname, answer)) return new Response(tooMuch, { headers: json });
    const { status, headers, text } = render(fault === 'crash' ? { status: 500, body: {} } : answer);
    return new Response(text, { status, headers });
  }
}

const networkError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('aborted', 'AbortError'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}
