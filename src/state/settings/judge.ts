import type { Json } from '../../shared/json';
import { targetKey, type Conflict, type ErrorTarget, type Resolution } from '../../shared/form';
import { canonical } from './json';

/** What a conflict is about; `words` says one of its values to people. */
export interface Matter<T> {
  target: ErrorTarget;
  /** Tells two questions about one target apart. */
  aspect?: string;
  label: string;
  words: { mine: string; theirs: string; former: string };
  /** All that the service holds of it, to know it again; may hold secrets. */
  theirs: T;
}

/**
 * Decides between the user's change and another client's of the same thing: by the user's resolution where that was
 * made about what the service still holds, else by asking, that is, by a conflict.
 */
export class Judge {
  readonly conflicts: Conflict[] = [];
  /** What the service holds of each conflict, by key. Holds secrets. */
  readonly seen = new Map<string, string>();

  /** @param shown `seen` of the judge whose conflicts the user has resolved */
  constructor(
    private readonly resolution: Resolution,
    private readonly shown: ReadonlyMap<string, string>,
  ) {}

  decide(matter: Matter<Json>): 'mine' | 'theirs' {
    const key = [targetKey(matter.target), matter.aspect].filter(Boolean).join('#');
    const theirs = canonical(matter.theirs);
    this.seen.set(key, theirs);
    const choice = Object.hasOwn(this.resolution, key) ? this.resolution[key] : undefined;
    if (choice !== undefined && this.shown.get(key) === theirs) return choice;
    this.conflicts.push({ key, target: matter.target, label: matter.label, ...matter.words });
    return 'mine';
  }
}
