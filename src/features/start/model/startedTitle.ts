import type { ApiClient } from '../../../api/service/client';
import { bareId } from '../../../api/http/ids';

/** How often to check whether the service has replaced the title, and the milliseconds to wait in between. */
const looks = 10;
const pauseMs = 3_000;

interface TitleOptions {
  client: Pick<ApiClient, 'listConversations' | 'renameConversation'>;
  id: string;
  title: string;
  /** If there is a first message, the service generates its own title a few seconds after the start. */
  hasMessage: boolean;
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Sets the title that was chosen for a new conversation: services with start tasks ignore the title in the request, and
 * replace any title with their own a few seconds later. Best effort: a service that can't rename keeps its own title.
 * Resolves to false if the service answers that it does. Never rejects.
 */
async function keepStartedTitle(options: TitleOptions, signal: AbortSignal): Promise<boolean> {
  const { client, id, title, hasMessage, wait } = options;
  const keeps = async () => {
    const { items } = await client.listConversations({}, signal);
    return items.find((conversation) => bareId(conversation.id) === bareId(id))?.title === title;
  };
  try {
    const told = await client.renameConversation(id, title, signal);
    if (told !== undefined && told !== title) return false;
    if (!hasMessage) return true;
    for (let look = 0; look < looks; look += 1) {
      await wait(pauseMs, signal);
      if (await keeps()) continue;
      await client.renameConversation(id, title, signal);
      return true;
    }
  } catch {
    // The conversation is running, whatever its title.
  }
  return true;
}

/** The titles that were chosen for new conversations, while they're being set. */
export class StartedTitles {
  /** By the id of the conversation. */
  private readonly underWay = new Map<string, AbortController>();

  /**
   * Sets the title of a new conversation, until it stays or the user gives it another one. Resolves to false if the
   * service refuses it. Never rejects.
   */
  async keep(options: TitleOptions): Promise<boolean> {
    const controller = new AbortController();
    this.underWay.set(bareId(options.id), controller);
    const isKept = await keepStartedTitle(options, controller.signal);
    this.underWay.delete(bareId(options.id));
    return isKept;
  }

  /** Call this before the user gives a conversation another title, which then counts. */
  leave(id: string): void {
    this.underWay.get(bareId(id))?.abort();
  }
}
