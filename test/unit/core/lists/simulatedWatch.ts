import { createClient } from '../../../../src/api/service/client';
import { createLimiter } from '../../../../src/api/http/limiter';
import { ServiceModel } from '../../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../../src/core/session/session';
import { FakeClock } from '../../api/support/clock';

/** How the simulated service answers. */
export const faults = [
  'none',
  'status500',
  'status503',
  'status429',
  'status401',
  'reset',
  'refused',
  'slow',
  'stalls',
  'web page',
] as const;
export type Fault = (typeof faults)[number];

export type Item = Record<'id' | 'status', string>;
type ListName = 'sandboxes' | 'conversations';

/** Duration of a slow answer. */
const slowMs = 9_000;

/** A request to a simulated service. */
export interface Arrival {
  time: number;
  host: string;
  path: string;
  /** Whether a view was visible. */
  looked: boolean;
  /** Whether the request came during a refresh the user requested. */
  asked: boolean;
  inTransition: boolean;
  failing: boolean;
}

/** A window's model over the real client and limiter, on simulated time and simulated services. */
export class SimulatedWatch {
  /** Of client, limiter, and model. */
  readonly time: FakeClock;
  readonly arrivals: Arrival[] = [];
  /** Times of all events that can cause requests. */
  readonly disturbances: number[] = [];
  fault: Fault = 'none';
  latencyMs = 40;
  mostAtOnce = 0;
  model: ServiceModel;
  private session: SessionStore;
  private host = 0;
  private made = 0;
  private lists = this.newLists();
  private readonly inFlight = new Map<string, number>();
  private asked = 0;
  private readonly visible = new Set<ListName>();
  private focused = true;
  foreignRows = 0;
  /** When each list was last requested successfully. */
  readonly goodSince = new Map<ListName, number>();

  constructor(
    random: () => number,
    readonly pageSize: number,
    private readonly intervalMs = 15_000,
  ) {
    this.time = new FakeClock(undefined, random);
    [this.session, this.model] = this.newWindow();
  }

  private newWindow(): [SessionStore, ServiceModel] {
    const { time } = this;
    const session = new SessionStore({
      readTarget: () => Promise.resolve(this.target()),
      createClient: ({ baseUrl }, sessionKey) =>
        createClient({
          baseUrl,
          sessionKey,
          fetch: (url, init) => this.answer(new URL(url as string), init?.signal ?? undefined),
          limiter: createLimiter(time),
          clock: time,
        }),
    });
    const model = new ServiceModel({
      session,
      intervalMs: () => this.intervalMs,
      watchMs: () => 60_000,
      clock: time,
    });
    // Like the views: once per turn, after a change is complete.
    model.onDidChange(() => setImmediate(() => this.countForeignRows()));
    return [session, model];
  }

  private countForeignRows(): void {
    const { current } = this.session;
    const prefix =
      'connection' in current ? `${new URL(current.connection.baseUrl).hostname.split('.')[0]}-` : '';
    for (const list of ['sandboxes', 'conversations'] as const) {
      if (this.model[list].state.items.some(({ id }) => !id.startsWith(prefix))) this.foreignRows += 1;
    }
  }

  get isReader(): boolean {
    return this.focused && this.visible.size > 0;
  }
  get isReady(): boolean {
    return this.session.current.kind === 'ready';
  }
  truth(list: ListName): readonly Item[] {
    return this.lists[list];
  }

  async open(): Promise<void> {
    await this.session.reload();
  }

  see(view: ListName, visible: boolean): void {
    this.disturb();
    if (visible) this.visible.add(view);
    else this.visible.delete(view);
    this.model.setVisible(view, visible);
  }
  focus(focused: boolean): void {
    this.disturb();
    this.focused = focused;
    this.model.setFocused(focused);
  }
  fail(fault: Fault): void {
    this.disturb();
    this.fault = fault;
  }
  refresh(): void {
    this.ask(this.model.refresh('sandboxes', 'conversations'));
  }
  loadMore(list: ListName): void {
    this.ask(this.model.loadMore(list));
  }
  /** Switches to another service; answers of the current one may still arrive. */
  async switchConnection(): Promise<void> {
    this.disturb();
    this.host += 1;
    this.lists = this.newLists();
    await this.session.reload();
  }
  /** Closes the window and, after a moment, opens another with the same views. */
  async restart(): Promise<void> {
    this.model.dispose();
    this.session.dispose();
    await this.time.pass(2_000);
    this.disturb();
    [this.session, this.model] = this.newWindow();
    for (const view of this.visible) this.model.setVisible(view, true);
    this.model.setFocused(this.focused);
    await this.open();
  }
  /** Changes a record on the service. */
  change(list: ListName, kind: 'add' | 'remove' | 'update', place: number, status: string): void {
    const items = this.lists[list];
    const index = items.length === 0 ? 0 : place % items.length;
    if (kind === 'add') items.unshift(this.item(status));
    else if (kind === 'remove') items.splice(index, 1);
    else if (items[index]) items[index] = { ...items[index], status };
  }
  /** Completes all pending changes. */
  settle(): void {
    for (const items of Object.values(this.lists)) {
      for (const [index, item] of items.entries()) items[index] = { ...item, status: 'PAUSED' };
    }
  }

  private ask(work: Promise<void>): void {
    this.disturb();
    this.asked += 1;
    void work.finally(() => (this.asked -= 1));
  }
  private disturb(): void {
    this.disturbances.push(this.time.now());
  }
  private newLists(): Record<ListName, Item[]> {
    const some = () => Array.from({ length: 4 }, () => this.item('PAUSED'));
    return { sandboxes: some(), conversations: some() };
  }
  private item(status: string): Item {
    this.made += 1;
    return { id: `host${this.host}-${this.made}`, status };
  }
  private target() {
    const baseUrl = `https://host${this.host}.example.com`;
    return { connection: { name: 'Simulated', baseUrl, origin: baseUrl }, sessionKey: 'key' };
  }

  private async answer(url: URL, signal: AbortSignal | undefined): Promise<Response> {
    const { pathname: path, host } = url;
    const { fault } = this;
    const inTransition = this.model.inTransition;
    this.arrivals.push({
      time: this.time.now(),
      host,
      path,
      looked: this.isReader,
      asked: this.asked > 0,
      inTransition,
      failing: fault !== 'none',
    });
    const count = (change: number) => this.inFlight.set(host, (this.inFlight.get(host) ?? 0) + change);
    count(1);
    this.mostAtOnce = Math.max(this.mostAtOnce, ...this.inFlight.values());
    const body = this.read(url);
    const askedAt = this.time.now();
    try {
      await new Promise<void>((resolve, reject) => {
        const ms = fault === 'slow' ? slowMs : this.latencyMs;
        const cancel = fault === 'stalls' ? () => undefined : this.time.after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(new DOMException('aborted', 'AbortError'));
        });
      });
    } finally {
      count(-1);
      // Work waiting for this answer begins now.
      if ((this.disturbances.at(-1) ?? 0) > askedAt) this.disturb();
    }
    const json = { 'content-type': 'application/json' };
    switch (fault) {
      case 'none':
      case 'slow':
      case 'stalls':
        // A service of the generation that has its settings elsewhere.
        if (path === '/api/v1/settings') return new Response('{}', { status: 404, headers: json });
        if (url.pathname.startsWith('/api/v1/')) this.goodSince.set(listOf(url), askedAt);
        return new Response(JSON.stringify(body), { headers: json });
      case 'reset':
      case 'refused':
        throw Object.assign(new TypeError('fetch failed'), {
          cause: Object.assign(new Error(fault), { code: `ECONN${fault.toUpperCase()}` }),
        });
      case 'web page':
        return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
      case 'status429':
        return new Response('{}', { status: 429, headers: { ...json, 'retry-after': '1' } });
      case 'status401':
      case 'status500':
      case 'status503':
        return new Response('{"error":"no"}', { status: Number(fault.slice(-3)), headers: json });
    }
  }

  private read(url: URL): unknown {
    if (url.pathname === '/api/settings') return { llm_api_key_set: false };
    const host = Number(/^host(\d+)/.exec(url.hostname)?.[1]);
    const list = listOf(url);
    // The previous service still answers pending requests.
    const all = host === this.host ? this.lists[list] : [{ id: `host${host}-late`, status: 'PAUSED' }];
    const start = Number(url.searchParams.get('page_id') ?? 0);
    const end = start + this.pageSize;
    const items = all.slice(start, end).map(({ id, status }) => ({ id, status, execution_status: status }));
    return { items, next_page_id: end < all.length ? String(end) : null };
  }
}

const listOf = ({ pathname }: URL): ListName =>
  pathname.includes('sandboxes') ? 'sandboxes' : 'conversations';
