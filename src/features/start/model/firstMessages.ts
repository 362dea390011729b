import * as z from 'zod/mini';
import { StoredList, type Store } from '../../../core/basics/storedList';

const firstMessageSchema = z.object({
  text: z.string(),
  /** `owner/name`, or the folder on a standalone agent server; empty for none. */
  repository: z.string(),
  /** When a conversation was last started with it, in milliseconds since the epoch. */
  sentAt: z.number(),
});

/** A message that a conversation was started with. */
export type FirstMessage = Readonly<z.infer<typeof firstMessageSchema>>;

/** How many messages to remember, and how many characters of all of them. */
export const mostFirstMessages = 100;
export const mostFirstText = 500_000;

const keyOf = ({ repository, text }: Omit<FirstMessage, 'sentAt'>) => `${repository.toLowerCase()}\n${text}`;

/** The messages that conversations were started with, newest first, without known secrets. */
export class FirstMessages {
  private readonly stored: StoredList<FirstMessage>;

  /** @param mask takes secrets out of a text */
  constructor(
    store: Store,
    private readonly mask: (text: string) => string,
    private readonly now: () => number,
  ) {
    this.stored = new StoredList(firstMessageSchema, store, keyOf);
  }

  /** A secret may have become known after its message was kept. */
  get all(): FirstMessage[] {
    return this.stored.all.map((one) => ({ ...one, text: this.mask(one.text) }));
  }

  keep(text: string, repository: string): void {
    const own = { text: this.mask(text), repository, sentAt: this.now() };
    if (text.trim() === '' || text.length > mostFirstText) return;
    const others = this.all.filter((one) => keyOf(one) !== keyOf(own));
    let room = mostFirstText;
    const fitting = [own, ...others].filter((one) => (room -= one.text.length) >= 0);
    this.stored.write(fitting.slice(0, mostFirstMessages));
  }

  delete(messages: readonly FirstMessage[]): void {
    const gone = new Set(messages.map(keyOf));
    this.stored.write(this.all.filter((one) => !gone.has(keyOf(one))));
  }
}
