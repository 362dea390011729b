import type { Occasion } from './refresher';
import type { ListName, ReadList, ServiceLists } from './serviceLists';

/** One request of a refresh. */
export interface RefreshPart {
  readonly list: ReadList;
  /** The first page, or one of the further pages, in turn. */
  readonly page: 'first' | 'further';
}

/**
 * Requests per automatic refresh. At the usual interval of 15 s, that's 8 per minute; in transitions, 120. If more pages
 * are loaded, they take turns.
 */
const requestsAtOnce = { usual: 2, inTransition: 3 };

/** What an automatic refresh reads. */
export class Readings {
  private readonly visible = new Set<ListName>();
  private readonly rotation = new Rotation<string>();
  /** True after a failure: the service may have come back with other specs. */
  private specsOutdated = false;

  constructor(private readonly lists: ServiceLists) {}

  /** True while a view is on screen. */
  get any(): boolean {
    return this.visible.size > 0;
  }

  /** True while the view of this list is on screen. */
  shows(view: ListName): boolean {
    return this.visible.has(view);
  }

  /** Sets whether a view is on screen; returns what has to be read in addition. */
  setVisible(view: ListName, visible: boolean): RefreshPart[] {
    const before = this.ofViews(true).map(({ list }) => list);
    if (visible) this.visible.add(view);
    else this.visible.delete(view);
    return this.ofViews(true).filter(({ list }) => !before.includes(list));
  }

  /** What to read in one refresh on this occasion. */
  of(occasion: Occasion, inTransition: boolean): RefreshPart[] {
    if (occasion === 'watch') return [{ list: 'conversations', page: 'first' }];
    const all = this.ofViews(occasion === 'look');
    if (occasion !== 'interval') return all.filter(({ page }) => page === 'first');
    const keys = all.map(keyOf);
    const most = inTransition ? requestsAtOnce.inTransition : requestsAtOnce.usual;
    const chosen = this.rotation.next(keys, most);
    return all.filter((part) => chosen.includes(keyOf(part)));
  }

  /** Records how a refresh of these lists ended. */
  ended(succeeded: boolean, lists: readonly ReadList[]): void {
    if (!succeeded) this.specsOutdated = true;
    else if (lists.includes('specs')) this.specsOutdated = false;
  }

  /** What keeps the visible views up to date. */
  private ofViews(beginning: boolean): RefreshPart[] {
    const lists: ReadList[] = [];
    if (this.visible.has('sandboxes')) lists.push('sandboxes');
    // A sandbox's row contains its conversations, and the badge counts all of them.
    if (this.any) lists.push('conversations');
    if (this.visible.has('conversations') && this.lists.filterQuery) lists.push('matches');
    const specs = beginning || this.specsOutdated || !this.lists.specs.state.loaded;
    if (this.visible.has('specs') && specs) lists.push('specs');
    if (this.visible.has('workspaces') && (beginning || !this.lists.workspaces.state.loaded))
      lists.push('workspaces');
    return [
      ...lists.map((list): RefreshPart => ({ list, page: 'first' })),
      ...lists
        .filter((list) => this.lists[list].hasFurther)
        .map((list): RefreshPart => ({ list, page: 'further' })),
    ];
  }
}

const keyOf = ({ list, page }: RefreshPart) => `${list}/${page}`;

/** Takes turns if not all can be served each time: picks those that have waited longest. */
export class Rotation<T> {
  private readonly servedAt = new Map<T, number>();
  private turn = 0;

  /** Picks at most `most` of `all`. Those never served come first, in the order of `all`. */
  next(all: readonly T[], most: number): T[] {
    this.turn += 1;
    const last = (one: T) => this.servedAt.get(one) ?? 0;
    const chosen = all.toSorted((a, b) => last(a) - last(b)).slice(0, most);
    for (const one of chosen) this.servedAt.set(one, this.turn);
    return chosen;
  }
}
