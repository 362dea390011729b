import * as z from 'zod/mini';
import { bareId } from '../../api/http/ids';
import { type Organization, organizationId } from '../../shared/connection';
import { StoredList, type Store } from '../basics/storedList';

const homeSchema = z.object({ key: z.string(), id: organizationId, name: z.string() });

/** How many are remembered; more tabs can’t be kept apart. */
const most = 200;

/**
 * The organizations that conversations in tabs belong to: those that the user worked for when the tabs were first
 * shown.
 */
export class Homes {
  private readonly stored: StoredList<z.infer<typeof homeSchema>>;

  constructor(store: Store) {
    this.stored = new StoredList(homeSchema, store, ({ key }) => key);
  }

  /** The organization of a conversation, if it’s another one than `current`. */
  elsewhere(service: string, id: string, current: Organization | undefined): Organization | undefined {
    const homes = this.stored.all;
    const key = `${service} ${bareId(id)}`;
    const known = homes.find((one) => one.key === key);
    if (known) return known.id === current?.id ? undefined : { id: known.id, name: known.name };
    if (current) this.stored.write([...homes.slice(1 - most), { key, ...current }]);
    return undefined;
  }
}
