import type { FoundContext, ToPage } from '../../../shared/conversationMessages';
import { beginning } from '../../../shared/wellFormed';
import type { ContextFinder, ContextItem } from '../../context';
import { longestName } from '../../../shared/bounded';

/** How many offers are remembered. The page takes only from the latest. */
const mostOffers = 1_000;

/** What the page offers after a `#` in the message. */
export class Mentions {
  private query = '';
  private readonly offers = new Map<string, ContextItem>();
  private count = 0;

  constructor(
    private readonly finder: () => Pick<ContextFinder, 'find' | 'findSymbols'>,
    private readonly post: (message: ToPage) => void,
  ) {}

  /** Tells the page what has such a name, and then again with symbols of the code. */
  async find(query: string): Promise<void> {
    this.query = query;
    if (this.offers.size > mostOffers) this.offers.clear();
    const items: FoundContext[] = [];
    const { find, findSymbols } = this.finder();
    for (const look of [find, findSymbols]) {
      const found = await look(query);
      // The user typed on.
      if (this.query !== query) return;
      items.push(...found.map((item) => this.offered(item)));
      this.post({ type: 'context', query, items });
    }
  }

  /** What was offered by this id. */
  taken(id: string): ContextItem[] {
    const item = this.offers.get(id);
    return item ? [item] : [];
  }

  private offered(item: ContextItem): FoundContext {
    const id = String((this.count += 1));
    this.offers.set(id, item);
    return { id, label: beginning(item.label, longestName), detail: beginning(item.detail, longestName) };
  }
}
