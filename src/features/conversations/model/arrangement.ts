import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { Emitter } from '../../../core/basics/emitter';
import { membersOf } from '../../../shared/membersOf';

/** What conversations are grouped by; the first unless somebody chooses another. */
export const groupings = ['state', 'repository', 'sandbox', 'none'] as const;
export type Grouping = (typeof groupings)[number];
/** What conversations are sorted by, those waiting for the user first. */
export const orders = ['updated', 'created', 'title'] as const;
export type Order = (typeof orders)[number];

/** How the view Conversations is arranged, remembered in the store under `key`. */
export class Arrangement {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ChoiceStore,
    private readonly key: string,
  ) {}

  get group(): Grouping {
    return groupings.find((one) => one === this.stored.group) ?? groupings[0];
  }

  get order(): Order {
    return orders.find((one) => one === this.stored.order) ?? 'updated';
  }

  /** Whether archived conversations are shown too. */
  get showsArchived(): boolean {
    return this.stored.showsArchived === true;
  }

  /** Whether the conversations of all connections are shown. */
  get showsAll(): boolean {
    return this.stored.showsAll === true;
  }

  async choose(choice: {
    group?: Grouping;
    order?: Order;
    showsArchived?: boolean;
    showsAll?: boolean;
  }): Promise<void> {
    await this.store.update(this.key, { ...this.stored, ...choice });
    this.changed.fire(undefined);
  }

  private get stored(): Partial<Record<'group' | 'order' | 'showsArchived' | 'showsAll', unknown>> {
    return membersOf(this.store.get(this.key));
  }
}
