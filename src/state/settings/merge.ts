import type { FormEdits } from '../../shared/form';
import {
  plainFields,
  secretFields,
  type PlainField,
  type PlainValues,
  type SecretField,
} from '../../shared/settings';
import type { JsonObject } from './json';
import type { Judge } from './judge';
import { plainValue, samePlain, secretPresence, type Reading } from './record';
import type { TypedSecrets } from './secrets';
import { contentOf, type HeldServer } from './servers';
import { withOwnNames } from './ownNames';
import { mergeServers } from './serversMerge';
import { intentionWords, presenceWords, valueWords } from './words';

/** The settings as read at one moment, with their MCP servers and ids. */
export interface Snapshot extends Reading {
  readonly servers: readonly HeldServer[];
  /** The service doesn't show the servers' secrets. Those that are known here stand in `servers`. */
  readonly hidesSecrets: boolean;
  /** This computer keeps them for such a service. */
  readonly isKept: boolean;
}

/** What the service should have after a save. */
export interface Merged {
  /** What it has now. */
  readonly fresh: Snapshot;
  /** The plain fields that change, with their new values. */
  readonly values: Partial<PlainValues>;
  /** The secrets to send: a new value, or `""` to clear; absent ones are kept. */
  readonly secrets: Partial<Record<SecretField, string>>;
  readonly servers: readonly HeldServer[];
  /** False if the service already has these servers. */
  readonly serversChange: boolean;
  /** False if the service already has the wanted values. */
  readonly changes: boolean;
}

/** The inputs of a merge besides the user's edits. */
export interface MergeSides {
  base: Snapshot;
  /** Its servers have the same ids as in `base`. */
  fresh: Snapshot;
  typed: TypedSecrets;
  /** Secrets this document has already sent, so their changes aren't another client's. */
  sent: ReadonlySet<SecretField>;
  source: (id: string) => HeldServer | undefined;
}

/**
 * Three-way merge: what the user didn't change keeps the service's current value. If both changed the same thing to
 * different values, `judge` decides.
 */
export function merge(edits: FormEdits, sides: MergeSides, judge: Judge): Merged {
  const { base, fresh, typed, source } = sides;
  // Settings that were reset (the user has agreed that they were) are no change of the same values by somebody else.
  const former = fresh.saved ? base : fresh;
  const values = mergeValues(edits, former.record, fresh, judge);
  const secrets = mergeSecrets(edits, { ...sides, base: former }, judge);
  const merged =
    edits.mcpServers === null
      ? fresh.servers
      : mergeServers(
          { base: base.servers, mine: edits.mcpServers, fresh: fresh.servers, source, typed },
          judge,
        );
  const servers = fresh.abilities.replaces ? merged : withOwnNames(merged, fresh.servers);
  const serversChange = !sameServers(servers, fresh.servers);
  const changes = Object.keys(values).length > 0 || Object.keys(secrets).length > 0 || serversChange;
  return { fresh, values, secrets, servers, serversChange, changes };
}

function mergeValues(
  edits: FormEdits,
  base: JsonObject,
  { record: fresh, abilities }: Snapshot,
  judge: Judge,
): Partial<PlainValues> {
  const changed = plainFields.flatMap((field): [PlainField, PlainValues[PlainField]][] => {
    const mine = edits.values[field];
    const former = plainValue(base, field);
    const theirs = plainValue(fresh, field);
    if (mine === undefined || abilities.lacks.includes(field)) return [];
    if (samePlain(mine, former) || samePlain(mine, theirs)) return [];
    const words = { mine: valueWords(mine), theirs: valueWords(theirs), former: valueWords(former) };
    const agreed = samePlain(theirs, former);
    if (!agreed && judge.decide({ target: { at: 'field', field }, label: field, words, theirs }) === 'theirs')
      return [];
    return [[field, mine]];
  });
  return Object.fromEntries(changed);
}

function mergeSecrets(
  edits: FormEdits,
  { base, fresh, typed, sent }: MergeSides,
  judge: Judge,
): Partial<Record<SecretField, string>> {
  const changed = secretFields.flatMap((field): [SecretField, string][] => {
    const intention = edits.secrets[field];
    const former = secretPresence(base, field);
    const theirs = secretPresence(fresh, field);
    if (intention === undefined || fresh.abilities.lacks.includes(field)) return [];
    if (intention === 'clear' && theirs === 'notSet') return [];
    const agreed = theirs === former || theirs === 'unknown' || former === 'unknown' || sent.has(field);
    const words = {
      mine: intentionWords(intention),
      theirs: presenceWords(theirs),
      former: presenceWords(former),
    };
    if (!agreed && judge.decide({ target: { at: 'field', field }, label: field, words, theirs }) === 'theirs')
      return [];
    const value = intention === 'clear' ? '' : typed.field(field);
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(changed);
}

/** True when the same servers stand in the same order in each list; the order among lists is the form's own. */
function sameServers(one: readonly HeldServer[], other: readonly HeldServer[]): boolean {
  const text = (servers: readonly HeldServer[]) => servers.map(contentOf).sort(byKind).join('\n');
  return text(one) === text(other);
}

function byKind(one: string, other: string): number {
  const kind = (content: string) => content.slice(0, content.indexOf(' '));
  return kind(one).localeCompare(kind(other));
}
