import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { Conversation } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import type { SandboxSpec } from '../api/schemas/sandboxSpec';
import { Emitter, type Disposable } from './emitter';
import { PendingActions } from './pendingActions';
import { Refresher, type Timer } from './refresher';
import { ResourceList } from './resourceList';
import { clientOf, type SessionStore } from './session';
import { sandboxPhase, waitsForUser } from './status';
import { UnaskedPauses } from './unaskedPauses';

/** The three lists that people see. */
export type ListName = 'sandboxes' | 'conversations' | 'specs';

/** What a view shows, and therefore what has to be read while it is visible. */
const listsOf: Record<ListName, readonly ListName[]> = {
  // A sandbox's row holds its conversations.
  sandboxes: ['sandboxes', 'conversations'],
  conversations: ['conversations'],
  specs: ['specs'],
};

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
  readonly conversations = new ResourceList<Conversation>((client, query, signal) =>
    client.listConversations(query, signal),
  );
  readonly specs = new ResourceList<SandboxSpec>((client, query, signal) =>
    client.searchSandboxSpecs(query, signal),
  );
  readonly pending: PendingActions;
  private readonly unaskedPauses = new UnaskedPauses((id) => this.pending.askedToPause(id));
  private readonly refresher: Refresher;
  private readonly visible = new Set<ListName>();
  private focused = true;
  private client: ApiClient | undefined;
  private wanted = new Set<ListName>();
  private readonly changed = new Emitter<undefined>();
  /** Fires after every change of session, lists or pending actions. */
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: Disposable[];

  constructor(private readonly dependencies: ServiceModelDependencies) {
    const { session, intervalMs, timer, now } = dependencies;
    this.pending = new PendingActions(now);
    this.refresher = new Refresher({
      refresh: () => this.readWanted(),
      inTransition: () => this.inTransition,
      intervalMs,
      timer,
    });
    const fire = () => this.changed.fire(undefined);
    this.subscriptions = [
      session.onDidChange(() => {
        this.followSession();
        fire();
      }),
      this.sandboxes.onDidChange(() => {
        const { loading, error, items } = this.sandboxes.state;
        if (!loading && !error) {
          this.unaskedPauses.observe(items);
          this.pending.settle(items);
        }
        fire();
      }),
      this.conversations.onDidChange(fire),
      this.specs.onDidChange(fire),
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
    return this.sandboxes.state.items.filter((sandbox) => sandboxPhase(sandbox) === 'running').length;
  }

  get waitingConversations(): number {
    return this.conversations.state.items.filter(waitsForUser).length;
  }

  /** True for a sandbox that was seen to pause without this window having asked: the service pauses the oldest beyond a number. */
  pausedByService(id: string): boolean {
    return this.unaskedPauses.has(id);
  }

  /** Says which views are on screen. */
  setVisible(view: ListName, visible: boolean): void {
    const changed = this.visible.has(view) !== visible;
    if (visible) this.visible.add(view);
    else this.visible.delete(view);
    this.followReader();
    // Another reader may need another list at once; the first one was served by `followReader`.
    if (changed && visible && this.visible.size > 1) void this.refresher.refreshNow();
  }

  /** Says whether the window has the focus. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    this.followReader();
  }

  /** Reads the named lists now, whether or not anybody looks; resolves when the answers are in. */
  refresh(...lists: ListName[]): Promise<void> {
    for (const list of lists) this.wanted.add(list);
    return this.refresher.refreshNow();
  }

  dispose(): void {
    this.refresher.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const list of this.lists()) list.reset(undefined);
  }

  private lists(): { reset(client: ApiClient | undefined): void }[] {
    return [this.sandboxes, this.conversations, this.specs];
  }

  private followSession(): void {
    const client = clientOf(this.dependencies.session.current);
    if (client === this.client) return;
    this.client = client;
    this.pending.clear();
    this.unaskedPauses.clear();
    for (const list of this.lists()) list.reset(client);
    if (this.hasReader) void this.refresher.refreshNow();
  }

  private get hasReader(): boolean {
    return this.focused && this.visible.size > 0;
  }

  private followReader(): void {
    this.refresher.setReader(this.hasReader);
  }

  /** One refresh of everything that has a reader; resolves to whether the service answered all of it. */
  private async readWanted(): Promise<boolean> {
    const { session } = this.dependencies;
    const wanted = this.wanted;
    this.wanted = new Set();
    if (this.hasReader) {
      for (const view of this.visible) {
        for (const list of listsOf[view]) if (list !== 'specs' || !this.specs.state.loaded) wanted.add(list);
      }
    }
    const client = clientOf(session.current);
    if (!client) return true;
    // While the service was not seen to work, asking everything at once would only fail several times over.
    const broken = session.current.kind === 'refused' || session.current.kind === 'unreachable';
    const verified = session.current.kind === 'ready' ? undefined : session.verify();
    if (broken) await verified;
    if (session.current.kind !== 'refused' && session.current.kind !== 'unreachable') {
      await Promise.all([...wanted].map((list) => this[list].refresh()));
    }
    await verified;
    const errors = [...wanted].flatMap((list) => this[list].state.error ?? []);
    const refused = errors.find(isRefusal);
    if (refused) session.report(client, refused);
    return session.current.kind === 'ready' && errors.length === 0;
  }
}

/** A sandbox that has been starting for so long is stuck, and asking every second does not help it. */
const longestStartMs = 10 * 60_000;

function startsSoon(sandbox: Sandbox, now: number): boolean {
  if (sandboxPhase(sandbox) !== 'starting') return false;
  const since = Date.parse(sandbox.created_at ?? '');
  return Number.isNaN(since) || now - since < longestStartMs;
}

function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.reason === 'unauthorized';
}
