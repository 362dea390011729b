import { Attention, type AttentionEvent } from '../../../core/lists/attention';
import { Emitter, type Disposable } from '../../../core/basics/emitter';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import type { StartTasks } from '../../start';
import type { ToldNews } from './toldNews';

/** What happened on one connection since the previous refresh. */
export interface News {
  /** The connection's base address. */
  readonly baseUrl: string;
  readonly events: readonly AttentionEvent[];
  /** The connection’s name if the window isn’t on it. */
  readonly connection?: string;
}

export interface AttentionFeedDependencies {
  session: SessionStore;
  model: Pick<
    ServiceModel,
    'onDidChange' | 'onDidRefresh' | 'sandboxes' | 'conversations' | 'sandboxHistory'
  >;
  told: Pick<ToldNews, 'claim'>;
  starts: Pick<StartTasks, 'underWay' | 'onDidChange'>;
  /** Whether the user is looking at a conversation of a service. */
  isLookedAt: (service: string, id: string) => boolean;
}

/**
 * Finds the news in what the model reads; sends no requests of its own. Only the focused window reports news. Other
 * windows keep theirs, and once focused report what still applies and no window has reported. Connections are kept apart,
 * and remembered for when the window returns to them.
 */
export class AttentionFeed implements Disposable {
  private readonly byBaseUrl = new Map<string, Attention>();
  private readonly happened = new Emitter<News>();
  /** Fires once for all news of a refresh. */
  readonly onDidHappen = this.happened.event;
  private readonly subscriptions: Disposable[];
  private scheduled = false;
  private focused = true;
  private kept: News | undefined;

  constructor(private readonly needs: AttentionFeedDependencies) {
    const { model, starts } = needs;
    const schedule = () => this.schedule();
    this.subscriptions = [
      model.onDidChange(schedule),
      model.onDidRefresh(schedule),
      starts.onDidChange(schedule),
    ];
  }

  /** What is known of the agents of a service, whoever reads them. */
  attentionOf(baseUrl: string): Attention {
    const attention = this.byBaseUrl.get(baseUrl) ?? new Attention();
    this.byBaseUrl.set(baseUrl, attention);
    return attention;
  }

  /** Sets whether the window is focused. */
  setFocused(focused: boolean): void {
    this.focused = focused;
    if (focused) this.schedule();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Looks later, because the lists are emptied one after the other when the connection changes. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.look();
    });
  }

  private look(): void {
    const { session, model } = this.needs;
    const client = clientOf(session.current);
    if (!client) return;
    const sandboxes = model.sandboxes.state;
    const conversations = model.conversations.state;
    // A refresh in progress brings the rest in a moment, so that several events are reported at once.
    if (sandboxes.loading || conversations.loading) return;
    const { baseUrl } = client;
    const attention = this.attentionOf(baseUrl);
    const { items, readAt, error } = conversations;
    // What an agent does is news only after its start is done and reported.
    const starting = this.needs.starts.underWay(baseUrl, items);
    const started = items.filter(({ id }) => !starting.has(id));
    const events = readAt === undefined || error ? [] : attention.observe(started, readAt);
    events.push(...model.sandboxHistory.takeNews());
    const news = { baseUrl, events: this.withKept(baseUrl, events) };
    this.kept = this.focused ? undefined : news;
    if (this.focused) this.tell(news, attention);
  }

  /** The events that were kept for this connection and didn't happen again since, and the new ones. */
  private withKept(baseUrl: string, events: readonly AttentionEvent[]): readonly AttentionEvent[] {
    const before = this.kept?.baseUrl === baseUrl ? this.kept.events : [];
    const isAgain = ({ kind, id }: AttentionEvent) =>
      events.some((event) => event.kind === kind && event.id === id);
    return [...before.filter((event) => !isAgain(event)), ...events];
  }

  private tell({ baseUrl, events }: News, attention: Attention): void {
    const { model, told, isLookedAt } = this.needs;
    const still = events.filter((event) => attention.isStill(event) || model.sandboxHistory.isStill(event));
    const untold = told.claim(baseUrl, still);
    const news = untold.filter(({ id }) => !isLookedAt(baseUrl, id));
    if (news.length > 0) this.happened.fire({ baseUrl, events: news });
  }
}
