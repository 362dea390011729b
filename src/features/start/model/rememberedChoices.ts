import * as z from 'zod/mini';
import { StoredList, type Store } from '../../../core/basics/storedList';
import { choiceSchema, type ConversationChoice } from './choice';

const rememberedSchema = z.object({
  /** `baseUrl` of the service. */
  service: z.string(),
  /** `owner/name`; empty for none. */
  repository: z.string(),
  choice: choiceSchema,
});
type Remembered = z.infer<typeof rememberedSchema>;

/** How many repositories to remember. */
const mostRemembered = 50;

const keyOf = ({ service, repository }: Pick<Remembered, 'service' | 'repository'>) =>
  `${service} ${repository.toLowerCase()}`;

/** What was selected for the last conversation about each repository. It's offered first for the next one. */
export class RememberedChoices {
  private readonly stored: StoredList<Remembered>;

  constructor(store: Store) {
    this.stored = new StoredList(rememberedSchema, store, keyOf);
  }

  /**
   * A choice with what was selected the last time on its repository, except for what belongs to that conversation alone:
   * its title, and its branch, since the one that is checked out says more.
   * @param isThere whether a sandbox can still take a conversation
   */
  offered(
    service: string,
    choice: ConversationChoice,
    isThere: (sandboxId: string) => boolean,
  ): ConversationChoice {
    const key = keyOf({ service, repository: choice.repository ?? '' });
    const previous = this.stored.all.find((one) => keyOf(one) === key);
    if (!previous) return choice;
    const { branch: _branch, place, title: _title, ...rest } = previous.choice;
    const isUsable = place.kind !== 'existing' || isThere(place.sandboxId);
    return {
      ...choice,
      ...rest,
      // A sandbox that the conversation was started from counts more.
      ...(choice.place.kind === 'default' && isUsable && { place }),
    };
  }

  keep(service: string, choice: ConversationChoice): void {
    const own: Remembered = { service, repository: choice.repository ?? '', choice };
    const others = this.stored.all.filter((one) => keyOf(one) !== keyOf(own));
    this.stored.write([own, ...others].slice(0, mostRemembered));
  }
}
