import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { bareId } from '../../../api/http/ids';
import { tagPrefix } from '../../../api/service/agentServer';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { derived } from '../../../core/basics/derived';
import { Emitter } from '../../../core/basics/emitter';
import { membersOf } from '../../../shared/membersOf';

/** What people do with conversations to find them again, or not to see them anymore. */
export type Shelved = 'pinned' | 'archived';

/** The ids that this computer keeps for a service, as `bareId` writes them. */
type Kept = Readonly<Record<Shelved, ReadonlySet<string>>>;

/** How many of each this computer keeps for a service, the newest. */
const mostKept = 5_000;

const tagOf = (what: Shelved) => `${tagPrefix}${what}`;

/** How a change ended: where it’s kept. `lost`: the service didn’t take it. */
export type ShelfOutcome = 'service' | 'computer' | 'lost';

/** Which conversations are pinned and archived: on the service where it keeps tags, else on this computer. */
export class Shelf {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ChoiceStore,
    private readonly keyOf: (service: string) => string,
  ) {}

  has(service: string, what: Shelved, { id, tags }: Conversation): boolean {
    const tag = tags?.[tagOf(what)];
    if (typeof tag === 'string' && tag !== '') return true;
    const kept = this.read(service)[what];
    return kept.size > 0 && kept.has(bareId(id));
  }

  /** Pins or archives a conversation, or undoes that; a service’s tags then have to settle. Throws ApiError. */
  async put(
    client: Pick<ApiClient, 'tagConversation' | 'baseUrl'>,
    what: Shelved,
    { id }: Pick<Conversation, 'id'>,
    on: boolean,
    signal?: AbortSignal,
  ): Promise<ShelfOutcome> {
    const tagged = await client.tagConversation(id, { [tagOf(what)]: on ? 'yes' : null }, signal);
    if (tagged === false) return 'lost';
    const isHere = tagged === undefined;
    // A release without tags may have come before this one.
    if (isHere || this.read(client.baseUrl)[what].has(bareId(id)))
      await this.keep(client.baseUrl, what, id, on && isHere);
    return isHere ? 'computer' : 'service';
  }

  private async keep(service: string, what: Shelved, id: string, on: boolean): Promise<void> {
    const kept = this.read(service);
    const others = [...kept[what]].filter((one) => one !== bareId(id));
    const ids = { ...kept, [what]: on ? [...others, bareId(id)] : others };
    await this.store.update(this.keyOf(service), {
      ...membersOf(this.store.get(this.keyOf(service))),
      pinned: [...ids.pinned].slice(-mostKept),
      archived: [...ids.archived].slice(-mostKept),
    });
    this.changed.fire(undefined);
  }

  private read(service: string): Kept {
    const stored = this.store.get(this.keyOf(service));
    return typeof stored === 'object' && stored !== null ? keptIn(stored) : nothing;
  }
}

const nothing: Kept = { pinned: new Set(), archived: new Set() };

const keptIn = derived((stored: object): Kept => {
  const idsOf = (what: Shelved) => {
    const ids = (stored as Partial<Record<Shelved, unknown>>)[what];
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  };
  return { pinned: idsOf('pinned'), archived: idsOf('archived') };
});
