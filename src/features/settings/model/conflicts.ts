import { type Json, canonical } from '../../../shared/json';
import { same } from '../../../shared/same';
import { targetKey, type Conflict, type ErrorTarget, type Resolution } from '../shared/form';
import * as l10n from '@vscode/l10n';
import type { SecretIntention, SecretPresence } from '../../../shared/settings';

/** One value on the three sides of a merge: what both started from, what the user wants, what the service holds now. */
interface ValueSides {
  previous: Json;
  mine: Json;
  theirs: Json;
}

/**
 * Whether the user's value of a field of the form wins: if only the user changed it or, if both sides changed it
 * differently, if `judge` decides so.
 */
export function isMineStanding(
  target: ErrorTarget,
  label: string,
  { previous, mine, theirs }: ValueSides,
  judge: Judge,
  equal: (one: Json, other: Json) => boolean = same,
): boolean {
  if (equal(mine, previous) || equal(mine, theirs)) return false;
  if (equal(theirs, previous)) return true;
  const words = { mine: valueWords(mine), theirs: valueWords(theirs), previous: valueWords(previous) };
  return judge.decide({ target, label, words, theirs }) === 'mine';
}

/** What a conflict is about; `words` describes its values to people. */
interface Matter {
  target: ErrorTarget;
  /** Distinguishes several questions about one target. */
  aspect?: string;
  label: string;
  words: { mine: string; theirs: string; previous: string };
  /** The user's full value, where the words don't say it all; may contain secrets. */
  mine?: Json;
  /** The service's full value, to detect changes; may contain secrets. */
  theirs: Json;
}

/** Both values of a conflict as the user saw them. */
export interface Seen {
  /** The user's full value, or what says it all in words; may contain secrets. */
  mine: string;
  /** The service's full value; may contain secrets. */
  theirs: string;
}

/**
 * Decides between the user's change and another client's change of the same thing: by the user's resolution if the
 * service's value is still the one they saw, else by adding a conflict. A choice for the service's value doesn't count
 * for what the user has entered since.
 */
export class Judge {
  readonly conflicts: Conflict[] = [];
  /** The values of each conflict, by key. Contains secrets. */
  readonly seen = new Map<string, Seen>();

  /** @param shown `seen` of the judge whose conflicts the user resolved */
  constructor(
    private readonly resolution: Resolution = {},
    private readonly shown: ReadonlyMap<string, Seen> = new Map(),
  ) {}

  decide(matter: Matter): 'mine' | 'theirs' {
    const key = [targetKey(matter.target), matter.aspect].filter(Boolean).join('#');
    const { words } = matter;
    const [mine, theirs] = [canonical(matter.mine ?? words.mine), canonical(matter.theirs)];
    const shown = this.shown.get(key);
    this.seen.set(key, { mine, theirs });
    const choice = Object.hasOwn(this.resolution, key) ? this.resolution[key] : undefined;
    const isSame = shown?.theirs === theirs && (choice === 'mine' || shown.mine === mine);
    if (choice !== undefined && isSame) return choice;
    this.conflicts.push({ key, target: matter.target, label: matter.label, ...words });
    return 'mine';
  }
}

/** A value in words; null means the service's default. */
export function valueWords(value: Json): string {
  if (value === null) return l10n.t('Service default');
  if (value === true) return l10n.t('On');
  if (value === false) return l10n.t('Off');
  if (value === '') return l10n.t('Empty');
  if (Array.isArray(value)) return value.length === 0 ? l10n.t('None') : value.map(argumentWords).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An argument, in quotes if it could be read as several. */
function argumentWords(value: Json): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** Whether a secret is set, in words. */
export function presenceWords(presence: SecretPresence): string {
  return { set: l10n.t('Set'), notSet: l10n.t('Not set'), unknown: l10n.t('Unknown') }[presence];
}

/** What will happen to a secret, in words; beside another’s “Set”, setting it would look the same. */
export function intentionWords(intention: SecretIntention, before: SecretPresence = 'set'): string {
  if (intention === 'replace' && before === 'notSet') return presenceWords('set');
  return { keep: l10n.t('Kept'), replace: l10n.t('Replaced'), clear: l10n.t('Cleared') }[intention];
}

/** A secret in words, with what it is used for. */
export function usedForWords(secret: string, label: string, value: Json): string {
  return l10n.t('{0} ({1}: {2})', secret, label, valueWords(value));
}
