import { Attention, type AttentionEvent } from './attention';
import { Emitter, type Disposable } from './emitter';
import type { ListState } from './resourceList';
import type { ServiceModel } from './serviceModel';
import { clientOf, type SessionStore } from './session';

/** What happened at one connection since the refresh before. */
export interface News {
  /** The connection's base address. */
  readonly baseUrl: string;
  readonly events: readonly AttentionEvent[];
}

/**
 * Finds the news in what the model reads, and asks the service nothing by itself: it comes with the refreshes. What is
 * known of one connection is never compared with another's, and is still known when the window comes back to it.
 */
export class AttentionFeed implements Disposable {
  private readonly byBaseUrl = new Map<string, Attention>();
  private readonly happened = new Emitter<News>();
  /** Fires once for all that a refresh brought. */
  readonly onDidHappen = this.happened.event;
  private readonly subscription: Disposable;
  private scheduled = false;

  constructor(
    private readonly session: SessionStore,
    private readonly model: Pick<ServiceModel, 'onDidChange' | 'sandboxes' | 'conversations' | 'pending'>,
    private readonly now: () => number,
  ) {
    this.subscription = model.onDidChange(() => this.schedule());
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Afterwards, because the lists are emptied one after the other when the connection changes. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.look();
    });
  }

  private look(): void {
    const { session, model } = this;
    const client = clientOf(session.current);
    if (!client) return;
    const sandboxes = model.sandboxes.state;
    const conversations = model.conversations.state;
    // A refresh that is under way brings the rest in a moment, and several events are told at once. A pause that has
    // just been asked for must be taken in all the same.
    const reading = sandboxes.loading || conversations.loading;
    if (reading && !model.pending.any) return;
    const { baseUrl } = client;
    const attention = this.byBaseUrl.get(baseUrl) ?? new Attention();
    this.byBaseUrl.set(baseUrl, attention);
    const events = attention.observe({
      sandboxes: wellRead(sandboxes),
      conversations: wellRead(conversations),
      pending: (id) => model.pending.get(id),
      now: this.now(),
    });
    if (events.length > 0) this.happened.fire({ baseUrl, events });
  }
}

function wellRead<T>({ items, loaded, error }: ListState<T>): readonly T[] | undefined {
  return loaded && !error ? items : undefined;
}
