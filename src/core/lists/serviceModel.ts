import { bareId } from '../../api/http/ids';
import { same } from '../../shared/same';
import type { WorkResult } from './telling';
import type { Clock } from '../../api/http/clock';
import type { ApiClient } from '../../api/service/client';
import { ApiError } from '../../api/http/errors';
import { quietAskedBy } from '../../api/http/retry';
import { unlessAborted } from '../../api/http/signals';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import type { SandboxSpec } from '../../api/service/schemas/sandboxSpec';
import { type ConversationFilter, conversationsTitled } from './conversationFilter';
import { Emitter, type Disposable } from '../basics/emitter';
import { PendingActions } from './pendingActions';
import { type Occasion, type RefreshEnd, Refresher } from './refresher';
import type { LiveChange, LiveSource } from './liveStates';
import { Readings } from './readings';
import type { ListState, ResourceList } from './resourceList';
import type { SandboxHistory } from './history';
import { type ListName, type ReadList, ServiceLists, type Workspace } from './serviceLists';
import { clientOf, type SessionStore } from '../session/session';
import { startsSoon, waiting } from './status';

export type { ListName } from './serviceLists';

/** How much less often the conversations are watched while the window isn't focused. */
const unfocusedSlowdown = 5;

export interface ServiceModelDependencies {
  session: SessionStore;
  /** Milliseconds between two refreshes of what is on screen; 0 = no automatic ones. */
  intervalMs: () => number;
  /** Milliseconds between two checks of the conversations, whatever is on screen; 0 = none. */
  watchMs: () => number;
  clock: Pick<Clock, 'date' | 'after'>;
  /** Returns the name of a conversation that was started here until the service has a title. */
  startedAs?: ((conversationId: string) => string | undefined) | undefined;
}

/**
 * What this window knows about the service: the three lists, pending actions, and when to refresh. All of it belongs to
 * the session's current client and is forgotten with it.
 */
export class ServiceModel implements Disposable {
  readonly pending: PendingActions;
  private readonly lists: ServiceLists;
  private readonly refresher: Refresher;
  private readonly readings: Readings;
  private focused = true;
  private client: ApiClient | undefined;
  /** True while the lists of the last connection are emptied, one after another: nobody takes them for the next one's. */
  private isEmptying = false;
  /** Whether the session has an error. */
  private isTroubled = false;
  private readonly wanted = new Set<ReadList>();
  private readonly results = new Map<string, WorkResult>();
  private readonly changed = new Emitter<undefined>();
  /** Fires after every change of session, lists, filter or pending actions. */
  readonly onDidChange = this.changed.event;
  private readonly refreshed = new Emitter<undefined>();
  /** Fires at the end of every refresh, whether or not anything has changed. */
  readonly onDidRefresh = this.refreshed.event;
  private readonly subscriptions: Disposable[];

  constructor(private readonly dependencies: ServiceModelDependencies) {
    const { session, intervalMs, watchMs, clock, startedAs } = dependencies;
    this.pending = new PendingActions(clock.date);
    this.lists = new ServiceLists(this.pending, clock.date, startedAs);
    this.readings = new Readings(this.lists);
    this.refresher = new Refresher({
      refresh: this.read,
      inTransition: () => this.inTransition,
      intervalMs,
      watchMs: () => (this.client ? watchMs() * (this.focused ? 1 : unfocusedSlowdown) : 0),
      clock,
    });
    const fire = () => {
      if (!this.isEmptying) this.changed.fire(undefined);
    };
    this.subscriptions = [
      session.onDidChange(() => {
        this.followSession();
        fire();
      }),
      this.sandboxes.onDidChange(() => {
        this.followSandboxes();
        fire();
      }),
      ...[this.conversations, this.specs, this.workspaces, this.lists.matches].map((list) =>
        list.onDidChange(fire),
      ),
      this.pending.onDidChange(() => {
        this.refresher.reschedule();
        fire();
      }),
    ];
    this.followSession();
  }

  /** The base URL of the connected service. */
  get service(): string | undefined {
    return this.client?.baseUrl;
  }

  get sandboxes(): ResourceList<Sandbox> {
    return this.lists.sandboxes;
  }

  /** All conversations, including those that agents started, whatever the filter. */
  get conversations(): ResourceList<Conversation> {
    return this.lists.conversations;
  }

  get specs(): ResourceList<SandboxSpec> {
    return this.lists.specs;
  }

  /** The folders that are saved on a standalone agent server. */
  get workspaces(): ResourceList<Workspace> {
    return this.lists.workspaces;
  }

  /** True while some state is expected to change within seconds. */
  get inTransition(): boolean {
    const now = this.dependencies.clock.date();
    return (
      this.pending.any ||
      this.lists.history.hasDoubts ||
      this.sandboxes.state.items.some((sandbox) => startsSoon(sandbox, now))
    );
  }

  /**
   * The number of running sandboxes; undefined before anything was read. While the sandboxes themselves aren't read,
   * only those with a conversation count.
   */
  get runningSandboxes(): number | undefined {
    return this.lists.running;
  }

  /** The conversations with agents waiting for the user, in the service's order. */
  get waitingConversations(): readonly Conversation[] {
    return waiting(this.conversations.state.items);
  }

  /**
   * Why the rows of a list, or the numbers counted in it, may be out of date, and since when (milliseconds since the
   * epoch); undefined if they aren't.
   */
  outOfDate(list: ListName, what: 'rows' | 'numbers' = 'rows') {
    const { current } = this.dependencies.session;
    const { state } = what === 'rows' ? this.lists.behind(list) : this.lists.counted(list);
    const error = 'error' in current ? current.error : state.error;
    return error && { error, since: state.readAt };
  }

  /** True while the numbers are kept up to date: the conversations are watched, or a view is on screen. */
  get isFollowed(): boolean {
    return this.readings.any || this.dependencies.watchMs() > 0;
  }

  /** The history of the sandboxes of the current connection. */
  get sandboxHistory(): SandboxHistory {
    return this.lists.history;
  }

  /** True for a sandbox that was paused, but not by this window: services pause the oldest if too many are running. */
  pausedByService(id: string): boolean {
    return this.lists.history.pausedByService(id);
  }

  /**
   * The sandboxes with these ids that the service has. Reads them while no view shows them, as nothing else does then.
   */
  async sandboxesNow(ids: readonly string[]): Promise<Sandbox[]> {
    const known = () => ids.flatMap((id) => this.sandboxes.get(id) ?? []);
    if (ids.length === 0) return [];
    if (!this.shows('sandboxes') || known().length < ids.length) await this.refresh('sandboxes');
    return known();
  }

  /** Takes what an open conversation says about itself, so that rows, badge, and status bar say the same at once. */
  hear(id: string, change: LiveChange, source: LiveSource): void {
    this.lists.hear(id, change, source);
  }

  /** Takes the outcome of an agent’s work, as an open conversation shows it. */
  took(id: string, result: WorkResult): void {
    if (same(this.results.get(bareId(id)), result)) return;
    this.results.set(bareId(id), result);
    this.changed.fire(undefined);
  }

  /** The outcome of an agent’s work, if this window has shown it. */
  resultOf({ id, execution_status }: Conversation): WorkResult | undefined {
    return execution_status?.toLowerCase() === 'finished' ? this.results.get(bareId(id)) : undefined;
  }

  /** The conversation with this id, as last read. */
  conversation(id: string): Conversation | undefined {
    return this.conversations.get(id) ?? this.lists.matches.get(id);
  }

  /** The conversations of the service whose titles contain `title`, page by page, loaded or not. Throws ApiError. */
  async *conversationsTitled(title: string, signal: AbortSignal): AsyncGenerator<Conversation[]> {
    const { client } = this;
    if (client) yield* conversationsTitled(client, title, this.dependencies.clock.date(), signal);
  }

  get filter(): ConversationFilter | undefined {
    return this.lists.filter;
  }

  /** Filters the Conversations view; resolves when the service has answered. */
  async setFilter(filter: ConversationFilter | undefined): Promise<void> {
    this.lists.filter = filter;
    this.lists.matches.clear();
    this.changed.fire(undefined);
    if (this.lists.filterQuery) {
      this.wanted.add('matches');
      await this.refresher.refreshNow();
    }
  }

  /** The list behind the Conversations view. Has more than matches the filter if the service can't apply all of it. */
  get filteredConversations(): ListState<Conversation> {
    return this.lists.filtered.state;
  }

  /** Shows or reads more of the list behind a view. */
  loadMore(view: ListName): Promise<void> {
    return this.lists.behind(view).loadMore();
  }

  /** Whether a view is on screen. */
  shows(view: ListName): boolean {
    return this.readings.shows(view);
  }

  /** Sets whether a view is on screen. */
  setVisible(view: ListName, visible: boolean): void {
    const wasFollowed = this.isFollowed;
    const more = this.readings.setVisible(view, visible);
    if (this.hasReader && more.length > 0) {
      this.refresher.look(more.some(({ list }) => !this.lists[list].state.loaded));
    }
    this.refresher.setReader(this.hasReader);
    // One view can report an error for all.
    if (this.outOfDate(view) || this.isFollowed !== wasFollowed) this.changed.fire(undefined);
  }

  /** Sets whether the window is focused. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    this.refresher.setReader(this.hasReader);
    this.refresher.reschedule();
  }

  /** Call this when the intervals may have changed. */
  reschedule(): void {
    this.refresher.reschedule();
    this.changed.fire(undefined);
  }

  /** Reads all loaded pages of these lists now, whether or not they're on screen; resolves when the answers are in. */
  refresh(...lists: ListName[]): Promise<void> {
    for (const list of lists) {
      this.wanted.add(list);
      if (list === 'conversations' && this.lists.filterQuery) this.wanted.add('matches');
    }
    return this.refresher.refreshNow();
  }

  dispose(): void {
    this.refresher.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.lists.reset(undefined);
  }

  private followSession(): void {
    const { current } = this.dependencies.session;
    const client = clientOf(current);
    const wasTroubled = this.isTroubled;
    this.isTroubled = 'error' in current;
    if (client === this.client) {
      // Somebody else has verified it, such as Set Session Key with the same key.
      if (wasTroubled && !this.isTroubled) this.refresher.recover();
      return;
    }
    this.client = client;
    this.isEmptying = true;
    this.pending.clear();
    this.results.clear();
    this.lists.reset(client);
    this.isEmptying = false;
    this.refresher.restart();
  }

  private followSandboxes(): void {
    const { error, items } = this.sandboxes.state;
    if (!error) this.pending.settle(items);
  }

  private get hasReader(): boolean {
    return this.focused && this.readings.any;
  }

  /** Refreshes once. */
  private readonly read = async (occasion: Occasion, signal: AbortSignal): Promise<RefreshEnd> => {
    const { session } = this.dependencies;
    // What was asked for waits for its own refresh: an automatic one may be canceled.
    const wanted = new Set(occasion === 'asked' ? this.wanted : []);
    if (occasion === 'asked') this.wanted.clear();
    const client = clientOf(session.current);
    if (!client) return { succeeded: true, quietMs: 0 };
    const { hasReader, readings } = this;
    const parts = hasReader || occasion === 'watch' ? readings.of(occasion, this.inTransition) : [];
    this.lists.readsSandboxes = wanted.has('sandboxes') || (hasReader && readings.shows('sandboxes'));
    // Until the service is known to work, several requests at once would only fail several times.
    const verified =
      session.current.kind === 'ready'
        ? undefined
        : unlessAborted(session.verify(), signal).catch(() => undefined);
    if ('error' in session.current) await verified;
    const errors: Error[] = [];
    let hasRead = false;
    if (!('error' in session.current) && !signal.aborted) {
      const all = [...wanted].map(async (list) => {
        await this.lists[list].refresh(signal);
        return this.lists[list].state.error;
      });
      for (const { list: name, page } of parts) {
        const list = this.lists[name];
        if (!wanted.has(name)) all.push(page === 'first' ? list.readFirst(signal) : list.readNext(signal));
      }
      errors.push(...(await Promise.all(all)).filter((error) => error !== undefined));
      hasRead = all.length > 0 && errors.length === 0;
    }
    await verified;
    // An overdue action ends even if nothing has changed.
    this.followSandboxes();
    const succeeded = session.current.kind === 'ready' && errors.length === 0;
    // What was canceled wasn't read.
    if (!signal.aborted) {
      if (hasRead) session.worked(client);
      readings.ended(succeeded, [...wanted, ...parts.map(({ list }) => list)]);
    }
    this.refreshed.fire(undefined);
    const refused = errors.find(isRefusal);
    if (refused) session.report(client, refused);
    const trouble = 'error' in session.current ? [...errors, session.current.error] : errors;
    return { succeeded, quietMs: Math.max(0, ...trouble.map(quietAskedBy)) };
  };
}

function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.reason === 'unauthorized';
}
