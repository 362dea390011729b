import type { ConversationAt, Holding } from '../../../core/lists/conversationAt';
import type { ApiClient } from '../../../api/service/client';
import type { Connection } from '../../../shared/connection';
import { same } from '../../../shared/same';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import type { SessionStore } from '../../../core/session/session';
import { createEntryMaker, exportJson, exportMarkdown } from '../../transcript';
import { LiveConversation } from './liveConversation';
import type { ConversationModels, TranscriptFormat } from './models';
import { allRead } from './onceRead';
import type { AcceptedOrigins } from './origins';
import type { TranscriptPorts } from './ports';
import { bareId } from '../../../api/http/ids';

/** A service with the client that reaches it. */
export interface ConnectedService {
  connection: Connection;
  client: ApiClient;
}

/** What the conversations of a service need from outside, by their id. */
type PortsOf = (service: ConnectedService) => (id: string) => TranscriptPorts;

interface Served extends ConnectedService {
  open: OpenConversations<LiveConversation>;
}

interface Needs {
  session: Pick<SessionStore, 'current' | 'onDidChange'>;
  portsOf: PortsOf;
  origins: Pick<AcceptedOrigins, 'forgetRefusals'>;
  /** Reaches a service with the key that this computer has for it; undefined without one. */
  reach: (baseUrl: string) => Promise<ConnectedService | undefined>;
}

/**
 * The models of the conversations of the connected service, and of others for as long as they are held. They end with
 * their service’s key.
 */
export class LiveModels implements ConversationModels, Disposable {
  private current: ConnectedService | undefined;
  /** By base URL: the connected service, and those that are held. */
  private readonly served = new Map<string, Served>();
  private readonly holders = new Map<string, number>();
  private readonly reaching = new Map<string, Promise<void>>();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = (listener: () => void): Disposable => this.changed.event(listener);
  private readonly told = new Emitter<LiveConversation>();
  /** Fires after each change of one of the models of the connected service. */
  readonly onDidTell = this.told.event;
  private readonly toldElsewhere = new Emitter<{ service: string; model: LiveConversation }>();
  /** Fires after each change of a model of another service that is up to date. */
  readonly onDidTellElsewhere = this.toldElsewhere.event;
  private readonly following: Disposable;

  constructor(private readonly needs: Needs) {
    this.following = needs.session.onDidChange(() => this.follow());
    this.follow();
  }

  get service(): string | undefined {
    return this.current?.client.baseUrl;
  }

  model(id: string, service = this.service): LiveConversation | undefined {
    return this.served.get(service ?? '')?.open.of(id);
  }

  hold(service: string): Holding {
    this.holders.set(service, (this.holders.get(service) ?? 0) + 1);
    const reached = this.reach(service);
    let isHeld = true;
    return {
      reached,
      dispose: () => {
        if (!isHeld) return;
        isHeld = false;
        this.holders.set(service, (this.holders.get(service) ?? 0) - 1);
        this.tidy();
      },
    };
  }

  async transcript(
    { id, service }: ConversationAt,
    format: TranscriptFormat,
    signal: AbortSignal,
  ): Promise<string> {
    const model = this.model(id, service);
    if (!model) return '';
    await allRead(model, signal);
    const events = await model.wholeEvents(signal);
    // What was read by then would look like everything.
    signal.throwIfAborted();
    const entries = createEntryMaker()(events, model.head.execution, model.gaps);
    const write = format === 'json' ? exportJson : exportMarkdown;
    return write({ head: model.head, events, entries });
  }

  async reconnect(id: string, service = this.service): Promise<void> {
    await this.needs.origins.forgetRefusals();
    this.model(id, service)?.reconnect();
  }

  dispose(): void {
    this.following.dispose();
    this.current = undefined;
    this.holders.clear();
    this.tidy();
  }

  private follow(): void {
    const { current: session } = this.needs.session;
    const now = 'client' in session ? session : undefined;
    if (now?.client === this.current?.client) return;
    this.current = now;
    if (now) this.serve(now);
    this.tidy();
    this.changed.fire(undefined);
    for (const service of this.holders.keys()) void this.reach(service);
  }

  private serve(service: ConnectedService): void {
    const { connection, client } = service;
    const known = this.served.get(client.baseUrl);
    if (known && isSame(known, service)) return;
    known?.open.dispose();
    const served = { connection, client, open: new OpenConversations(this.makerOf(service)) };
    this.served.set(client.baseUrl, served);
    client.ended?.addEventListener('abort', () => this.ended(served), { once: true });
  }

  /** Held services get another client if there's another key; the session replaces the connected one. */
  private ended(served: Served): void {
    const { baseUrl } = served.client;
    if (this.served.get(baseUrl) !== served || baseUrl === this.service) return;
    served.open.dispose();
    this.served.delete(baseUrl);
    this.changed.fire(undefined);
    void this.reach(baseUrl);
  }

  /** Never rejects: without a client, a conversation says why it can't be shown. */
  private async reach(service: string): Promise<void> {
    if (!this.isWanted(service)) return;
    const reaching = this.reaching.get(service) ?? this.reachNow(service);
    this.reaching.set(service, reaching);
    await reaching;
  }

  private async reachNow(service: string): Promise<void> {
    const found = await this.needs.reach(service).catch(() => undefined);
    this.reaching.delete(service);
    if (!found || !this.isWanted(service)) return;
    this.serve(found);
    this.changed.fire(undefined);
  }

  private readonly isWanted = (service: string) => this.isHeld(service) && !this.served.has(service);

  private readonly isHeld = (service: string) => (this.holders.get(service) ?? 0) > 0;

  /** Ends the models that are no longer needed. */
  private tidy(): void {
    for (const [service, { client, open }] of this.served) {
      // What is held is looked for again if its client ended while the window was on it.
      if (service === this.service || (this.isHeld(service) && client.ended?.aborted !== true)) continue;
      open.dispose();
      this.served.delete(service);
    }
  }

  private makerOf(service: ConnectedService) {
    const ports = this.needs.portsOf(service);
    return (id: string) => {
      const model = new LiveConversation(id, ports(id));
      model.onDidChange(() => {
        const { baseUrl } = service.client;
        if (baseUrl === this.service) this.told.fire(model);
        else if (model.isFresh) this.toldElsewhere.fire({ service: baseUrl, model });
      });
      return model;
    };
  }
}

/** Whether two clients of a service do the same: a window gets a new one each time that it connects. */
function isSame(one: ConnectedService, other: ConnectedService): boolean {
  if (one.client === other.client) return true;
  const { ended } = one.client;
  return ended?.aborted === false && ended === other.client.ended && same(one.connection, other.connection);
}

/** How many conversations keep what was read while nobody looks: those that were looked at last. */
const mostKept = 12;

/** The conversations of a window: one model each, wherever it's shown. */
export class OpenConversations<T extends Disposable & { forget(): void }> implements Disposable {
  /** Those that were asked for last are at the end. */
  private readonly models = new Map<string, T>();
  private latest: T | undefined;

  constructor(private readonly make: (id: string) => T) {}

  of(id: string): T {
    // An id may be written with and without hyphens.
    const key = bareId(id);
    const known = this.models.get(key);
    const model = known ?? this.make(id);
    if (model === this.latest) return model;
    this.latest = model;
    this.models.delete(key);
    this.models.set(key, model);
    for (const one of [...this.models.values()].slice(0, -mostKept)) one.forget();
    return model;
  }

  /** Ends all, as when the connection changes. */
  dispose(): void {
    for (const model of this.models.values()) model.dispose();
    this.models.clear();
    this.latest = undefined;
  }
}
