import type * as z from 'zod/mini';
import { readable, unreadable } from '../../shared/readable';

/** Where a value is kept when the window closes. */
export interface Store {
  /** What was written last; or anything else, because others can change it. */
  read: () => unknown;
  /** Undefined removes the value. */
  write: (value: unknown) => void;
}

/**
 * A stored list that other versions write, too: one member that can't be read doesn't take the others with it, and is
 * written back, as is what a later version added to a member.
 */
export class StoredList<T extends object> {
  /** @param idOf finds a member again that was changed */
  constructor(
    private readonly schema: z.ZodMiniType<T>,
    private readonly store: Store,
    private readonly idOf: (one: T) => string,
  ) {}

  get all(): T[] {
    return readable(this.schema, this.store.read());
  }

  write(list: readonly T[]): void {
    const all = this.withUnreadable(list);
    this.store.write(all.length > 0 ? all : undefined);
  }

  /** What to store for `list`. */
  withUnreadable(list: readonly T[]): unknown[] {
    const stored = this.store.read();
    const additions = new Map(
      (Array.isArray(stored) ? (stored as unknown[]) : []).flatMap((one) => {
        const { success, data } = this.schema.safeParse(one);
        if (!success) return [];
        const own = Object.entries(one as object).filter(([name]) => !Object.hasOwn(data, name));
        return own.length > 0 ? [[this.idOf(data), Object.fromEntries(own)] as const] : [];
      }),
    );
    const written = list.map((one) => ({ ...additions.get(this.idOf(one)), ...one }));
    return [...written, ...unreadable(this.schema, stored)];
  }
}
