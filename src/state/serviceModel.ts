import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { unlessAborted } from '../api/signals';
import type { Conversation } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import type { SandboxSpec } from '../api/schemas/sandboxSpec';
import { type ConversationFilter, queryOf } from './conversationFilter';
import { Emitter, type Disposable } from './emitter';
import { PendingActions } from './pendingActions';
import { type Occasion, Refresher, type Timer } from './refresher';
import { type ListState, ResourceList } from './resourceList';
import { Rotation } from './rotation';
import { clientOf, type SessionStore } from './session';
import { countRunning, countWaiting, startsSoon } from './status';
import { UnaskedPauses } from './unaskedPauses';

/** The three lists that people see. */
export type ListName = 'sandboxes' | 'conversations' | 'specs';

/** What is read: the three lists, and the conversations that pass the part of the filter that the service applies. */
type Reading = ListName | 'matches';
/** One request of a refresh. */
type Part = `${Reading}/${'first' | 'further'}`;

/**
 * Requests of one refresh by itself. At the usual interval of 15 s that makes 8 a minute, in transitions 120; where
 * more pages are loaded than that, they take turns.
 */
const requestsAtOnce = { usual: 2, inTransition: 3 };

export interface ServiceModelDependencies {
  session: SessionStore;
  /** Milliseconds between two refreshes; 0 = none by themselves. */
  intervalMs: () => number;
  timer: Timer;
  now: () => number;
}

/**
 * What this window knows of the service: the three lists, what is pending, and when to ask again. Everything in it
 * belongs to the session's present client and is forgotten with it.
 */
export class ServiceModel implements Disposable {
  readonly sandboxes = new ResourceList<Sandbox>((client, query, signal) =>
    client.searchSandboxes(query, signal),
  );
  /** All conversations, those within others too, whatever the filter. */
  readonly conversations = new ResourceList<Conversation>((client, query, signal) =>
    client.listConversations({ ...query, includeSubConversations: true }, signal),
  );
  readonly specs = new ResourceList<SandboxSpec>((client, query, signal) =>
    client.searchSandboxSpecs(query, signal),
  );
  private readonly matches = new ResourceList<Conversation>((client, query, signal) =>
    client.listConversations({ ...query, ...this.filterQuery, includeSubConversations: true }, signal),
  );
  readonly pending: PendingActions;
  private readonly unaskedPauses = new UnaskedPauses((id) => this.pending.askedToPause(id));
  private readonly refresher: Refresher;
  private readonly rotation = new Rotation<Part>();
  private readonly visible = new Set<ListName>();
  private focused = true;
  private client: ApiClient | undefined;
  private wanted = new Set<Reading>();
  private presentFilter: ConversationFilter | undefined;
  private changes = 0;
  private readonly changed = new Emitter<undefined>();
  /** Fires after every change of session, lists, filter or pending actions. */
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: Disposable[];

  constructor(private readonly dependencies: ServiceModelDependencies) {
    const { session, intervalMs, timer, now } = dependencies;
    this.pending = new PendingActions(now);
    this.refresher = new Refresher({
      refresh: (occasion, signal) => this.read(occasion, signal),
      inTransition: () => this.inTransition,
      intervalMs,
      timer,
      now,
    });
    const fire = () => this.tell();
    this.subscriptions = [
      session.onDidChange(() => {
        this.followSession();
        fire();
      }),
      this.sandboxes.onDidChange(() => {
        this.followSandboxes();
        fire();
      }),
      this.conversations.onDidChange(fire),
      this.specs.onDidChange(fire),
      this.matches.onDidChange(fire),
      this.pending.onDidChange(() => {
        this.refresher.reschedule();
        fire();
      }),
    ];
    this.followSession();
  }

  /** True while some state is expected to change within seconds. */
  get inTransition(): boolean {
    const now = this.dependencies.now();
    return this.pending.any || this.sandboxes.state.items.some((sandbox) => startsSoon(sandbox, now));
  }

  get runningSandboxes(): number {
    return countRunning(this.sandboxes.state.items);
  }

  get waitingConversations(): number {
    return countWaiting(this.conversations.state.items);
  }

  /**
   * True for a sandbox that was seen to pause without this window having asked: the service pauses the oldest beyond a
   * number.
   */
  pausedByService(id: string): boolean {
    return this.unaskedPauses.has(id);
  }

  /** The conversation with this id, as it was last read. */
  conversation(id: string): Conversation | undefined {
    return this.conversations.get(id) ?? this.matches.get(id);
  }

  get filter(): ConversationFilter | undefined {
    return this.presentFilter;
  }

  /** Narrows what the view Conversations shows; resolves when the service has answered. */
  async setFilter(filter: ConversationFilter | undefined): Promise<void> {
    this.presentFilter = filter;
    this.matches.clear();
    this.tell();
    if (this.filterQuery) {
      this.wanted.add('matches');
      await this.refresher.refreshNow();
    }
  }

  /** The list behind the view Conversations. Where the service cannot filter it holds more than passes the filter. */
  get filteredConversations(): ListState<Conversation> {
    return this.listBehind('conversations').state;
  }

  /** Shows or reads more of what a view shows. */
  loadMore(view: ListName): Promise<void> {
    return this.listBehind(view).loadMore();
  }

  /** Says which views are on screen. */
  setVisible(view: ListName, visible: boolean): void {
    const before = this.readByThemselves();
    if (visible) this.visible.add(view);
    else this.visible.delete(view);
    const more = this.readByThemselves().filter((part) => !before.includes(part));
    if (this.hasReader && more.length > 0) {
      this.refresher.look(more.some((part) => !this[listOf(part)].state.loaded));
    }
    this.refresher.setReader(this.hasReader);
  }

  /** Says whether the window has the focus. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    this.refresher.setReader(this.hasReader);
  }

  /** Reads all loaded pages of the named lists now, whether or not anybody looks; resolves when the answers are in. */
  refresh(...lists: ListName[]): Promise<void> {
    for (const list of lists) {
      this.wanted.add(list);
      if (list === 'conversations' && this.filterQuery) this.wanted.add('matches');
    }
    return this.refresher.refreshNow();
  }

  dispose(): void {
    this.refresher.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const list of this.lists()) list.reset(undefined);
  }

  private tell(): void {
    this.changes += 1;
    this.changed.fire(undefined);
  }

  private lists(): { reset(client: ApiClient | undefined): void }[] {
    return [this.sandboxes, this.conversations, this.specs, this.matches];
  }

  private get filterQuery() {
    return this.presentFilter && queryOf(this.presentFilter, this.dependencies.now());
  }

  private listBehind(view: ListName) {
    return view === 'conversations' && this.filterQuery && this.matches.state.loaded
      ? this.matches
      : this[view];
  }

  private followSession(): void {
    const client = clientOf(this.dependencies.session.current);
    if (client === this.client) return;
    this.client = client;
    this.presentFilter = undefined;
    this.pending.clear();
    this.unaskedPauses.clear();
    for (const list of this.lists()) list.reset(client);
    this.refresher.restart();
  }

  private followSandboxes(): void {
    const { error, items } = this.sandboxes.state;
    if (error) return;
    this.unaskedPauses.observe(items);
    this.pending.settle(items);
  }

  private get hasReader(): boolean {
    return this.focused && this.visible.size > 0;
  }

  /** What the visible views are kept up to date by. */
  private readByThemselves(): Part[] {
    const lists: Reading[] = [];
    // A sandbox's row holds its conversations.
    if (this.visible.has('sandboxes')) lists.push('sandboxes');
    if (this.visible.has('sandboxes') || this.visible.has('conversations')) lists.push('conversations');
    if (this.visible.has('conversations') && this.filterQuery) lists.push('matches');
    if (this.visible.has('specs') && !this.specs.state.loaded) lists.push('specs');
    return [
      ...lists.map((list): Part => `${list}/first`),
      ...lists.filter((list) => this[list].hasFurther).map((list): Part => `${list}/further`),
    ];
  }

  private partsFor(occasion: Occasion): Part[] {
    const all = this.readByThemselves();
    if (occasion !== 'interval') return all.filter((part) => part.endsWith('/first'));
    return this.rotation.next(all, this.inTransition ? requestsAtOnce.inTransition : requestsAtOnce.usual);
  }

  /** One refresh; resolves to whether the service answered all of it. */
  private async read(occasion: Occasion, signal: AbortSignal): Promise<boolean> {
    const { session } = this.dependencies;
    const { wanted, changes } = this;
    this.wanted = new Set();
    const client = clientOf(session.current);
    if (!client) return true;
    const parts = this.hasReader ? this.partsFor(occasion) : [];
    // While the service was not seen to work, asking everything at once would only fail several times over.
    const verified =
      session.current.kind === 'ready'
        ? undefined
        : unlessAborted(session.verify(), signal).catch(() => undefined);
    if (isBroken(session)) await verified;
    const errors: Error[] = [];
    if (!isBroken(session) && !signal.aborted) {
      const all = [...wanted].map(async (list) => {
        await this[list].refresh(signal);
        return this[list].state.error;
      });
      for (const part of parts) {
        const list = listOf(part);
        if (wanted.has(list)) continue;
        all.push(part.endsWith('/first') ? this[list].readFirst(signal) : this[list].readNext(signal));
      }
      errors.push(...(await Promise.all(all)).filter((error) => error !== undefined));
    }
    await verified;
    // An action that the service has not followed in time ends even where nothing has changed.
    this.followSandboxes();
    // Once more, for those who wait until no list is being read.
    if (this.changes !== changes) this.tell();
    const refused = errors.find(isRefusal);
    if (refused) session.report(client, refused);
    return session.current.kind === 'ready' && errors.length === 0;
  }
}

const listOf = (part: Part) => part.split('/')[0] as Reading;

const isBroken = ({ current }: SessionStore) => current.kind === 'refused' || current.kind === 'unreachable';

function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.reason === 'unauthorized';
}
