import type { Json } from '../../shared/json';
import { same } from '../../shared/same';
import { targetKey, type Conflict, type ErrorTarget, type Resolution } from '../../shared/form';
import { canonical } from './json';
import { valueWords } from './words';

/** One value on the three sides of a merge: what both started from, what the user wants, what the service holds now. */
export interface Sides {
  former: Json;
  mine: Json;
  theirs: Json;
}

/** Which side's value wins: that of the side that changed it or, if both changed it differently, what `ask` decides. */
export function standing(
  { former, mine, theirs }: Sides,
  ask: () => 'mine' | 'theirs',
  equal: (one: Json, other: Json) => boolean = same,
): 'mine' | 'theirs' {
  if (equal(mine, former) || equal(mine, theirs)) return 'theirs';
  return equal(theirs, former) ? 'mine' : ask();
}

/** Whether the user's value of a field of the form wins. */
export function isMineStanding(
  target: ErrorTarget,
  label: string,
  sides: Sides,
  judge: Judge,
  equal?: (one: Json, other: Json) => boolean,
): boolean {
  const { mine, theirs, former } = sides;
  const words = { mine: valueWords(mine), theirs: valueWords(theirs), former: valueWords(former) };
  return standing(sides, () => judge.decide({ target, label, words, theirs }), equal) === 'mine';
}

/** What a conflict is about; `words` describes its values to people. */
interface Matter {
  target: ErrorTarget;
  /** Distinguishes several questions about one target. */
  aspect?: string;
  label: string;
  words: { mine: string; theirs: string; former: string };
  /** The service's full value, to detect changes; may contain secrets. */
  theirs: Json;
}

/**
 * Decides between the user's change and another client's change of the same thing: by the user's resolution if the
 * service's value is still the one they saw, else by adding a conflict.
 */
export class Judge {
  readonly conflicts: Conflict[] = [];
  /** The service's value of each conflict, by key. Contains secrets. */
  readonly seen = new Map<string, string>();

  /** @param shown `seen` of the judge whose conflicts the user resolved */
  constructor(
    private readonly resolution: Resolution = {},
    private readonly shown: ReadonlyMap<string, string> = new Map(),
  ) {}

  decide(matter: Matter): 'mine' | 'theirs' {
    const key = [targetKey(matter.target), matter.aspect].filter(Boolean).join('#');
    const theirs = canonical(matter.theirs);
    this.seen.set(key, theirs);
    const choice = Object.hasOwn(this.resolution, key) ? this.resolution[key] : undefined;
    if (choice !== undefined && this.shown.get(key) === theirs) return choice;
    this.conflicts.push({ key, target: matter.target, label: matter.label, ...matter.words });
    return 'mine';
  }
}
