import { startOfTab } from '../../../shared/startTab';
import type { Deliveries } from '../../changes';
import { StartingConversation } from './startingConversation';
import { deliveryStory, startStory, type StartStory } from './startStory';
import type { StartTasks } from './startTasks';

export interface StartTabsNeeds {
  starts: Pick<StartTasks, 'get' | 'conversationOf' | 'onDidChange'>;
  deliveries: Pick<Deliveries, 'ofStart' | 'courseOf' | 'onDidChange'>;
  /** Tries a start again with another message. */
  retry: (startId: string, message: string) => Promise<void>;
}

/** What a tab with a start shows now: still the start, the conversation that it led to, or nothing anymore. */
export type TabNow =
  | { readonly kind: 'start' }
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'gone' };

/** The starts of conversations, for tabs that show them. */
export class StartTabs {
  /** The progress of starts by their id, while their changes are delivered. */
  private readonly stories = new Map<string, StartStory>();

  constructor(private readonly needs: StartTabsNeeds) {}

  /** Undefined for a tab of a conversation. */
  now(tabId: string): TabNow | undefined {
    const id = startOfTab(tabId);
    if (id === undefined) return undefined;
    const { starts, deliveries } = this.needs;
    if (starts.get(id)) return { kind: 'start' };
    const conversation = starts.conversationOf(id);
    const delivery = deliveries.ofStart(id);
    if (delivery && (conversation ?? delivery.conversationId) !== null) return { kind: 'start' };
    return conversation === undefined ? { kind: 'gone' } : { kind: 'conversation', id: conversation };
  }

  /** Undefined for a tab of a conversation. */
  model(tabId: string): StartingConversation | undefined {
    const id = startOfTab(tabId);
    if (id === undefined) return undefined;
    return new StartingConversation(tabId, {
      story: () => this.story(id),
      onDidChange: (listener) => this.onDidChange(listener),
      retry: (message) => this.needs.retry(id, message),
    });
  }

  onDidChange(listener: () => void): { dispose(): void } {
    const all = [this.needs.starts.onDidChange(listener), this.needs.deliveries.onDidChange(listener)];
    return { dispose: () => all.forEach((one) => one.dispose()) };
  }

  private story(id: string): StartStory | undefined {
    const { starts, deliveries } = this.needs;
    const start = starts.get(id);
    if (start) {
      const story = startStory(start);
      this.stories.set(id, story);
      return story;
    }
    const delivery = deliveries.ofStart(id);
    if (delivery) return deliveryStory(delivery, deliveries.courseOf(delivery.id), this.stories.get(id));
    this.stories.delete(id);
    return undefined;
  }
}
