import type { MoreFields } from '../../../api/service/current/moreFields';
import type { FormEdits } from '../shared/form';
import type { MoreSettings, MoreValues } from '../../../shared/moreFields';
import { same } from '../../../shared/same';
import {
  fieldLabel,
  secretFields,
  type PlainField,
  type PlainValues,
  type SecretField,
  type SecretIntention,
} from '../../../shared/settings';
import { isMineStanding, type Judge, intentionWords, presenceWords, usedForWords } from './conflicts';
import { mergeMore, moreValues } from './moreSettings';
import { mergeServers, settleDoubles } from './mergeServers';
import { withOwnNames, listsOf, type HeldServer } from './servers';
import { changedFields, samePlain, type SettingsReading } from './record';
import type { MyServer, TypedSecrets } from './secrets';

/** The settings as read at one moment, with their MCP servers and ids. */
export interface Snapshot extends SettingsReading {
  readonly servers: readonly HeldServer[];
  /** The service doesn't show the servers' secrets. `servers` has those that are known here. */
  readonly hidesSecrets: boolean;
  /** This computer keeps them for such a service; null if that can't be read now. */
  readonly isKept: boolean | null;
  /** The fields that the service described when the form was opened. */
  readonly described: MoreFields;
  /** The described fields, with their current values. */
  readonly more: MoreSettings;
}

interface RenamedServer {
  readonly server: HeldServer;
  readonly wanted: string;
}

/** What the service should have after a save. */
export interface Merged {
  /** What it has now. */
  readonly fresh: Snapshot;
  /** The plain fields that change, with their new values. */
  readonly values: Partial<PlainValues>;
  /** The fields described by the service that change, with their new values. */
  readonly more: MoreValues;
  /** The secrets to send: a new value, or `""` to clear; absent ones are kept. */
  readonly secrets: Partial<Record<SecretField, string>>;
  readonly servers: readonly HeldServer[];
  /** Those among them that get another name, because a server of another kind has the one that they should have. */
  readonly renamed: readonly RenamedServer[];
  /** False if the service already has these servers. */
  readonly serversChange: boolean;
  /** False if the service already has the wanted values. */
  readonly changes: boolean;
}

/** The inputs of a merge besides the user's edits. */
export interface MergeSides {
  base: Snapshot;
  /** The servers as the user wants them; null if the list was not touched. */
  mine: readonly MyServer[] | null;
  /** Its servers have the same ids as in `base`. */
  fresh: Snapshot;
  typed: TypedSecrets;
  /** Secrets this document has already sent, so their changes aren't another client's. */
  sent: ReadonlySet<SecretField>;
}

/**
 * Three-way merge: what the user didn't change keeps the service's current value. If both changed the same thing to
 * different values, `judge` decides.
 */
export function merge(edits: FormEdits, sides: MergeSides, judge: Judge): Merged {
  const { base, mine, fresh } = sides;
  // If the settings were reset, which the user has confirmed, nobody else changed these values.
  const previous = fresh.saved ? base : fresh;
  const values = mergeValues(edits.values, previous.values, fresh.values, fresh.abilities.lacks, judge);
  const more = mergeMore(edits.more, moreValues(previous.more), fresh.more, judge);
  const isElsewhere = (field: PlainField) =>
    !samePlain({ ...previous.values, ...edits.values }[field], { ...fresh.values, ...values }[field]);
  const secrets = mergeSecrets(edits, { ...sides, base: previous }, isElsewhere, judge);
  const wanted = mine === null ? fresh.servers : mergedServers(mine, sides, judge);
  const servers = mine === null || fresh.abilities.replaces ? wanted : withOwnNames(wanted, fresh.servers);
  const renamed = servers.flatMap((server, index) => {
    const { name = server.name } = wanted[index] ?? {};
    return name === server.name ? [] : [{ server, wanted: name }];
  });
  // The order among the lists is the form's own.
  const serversChange = !same(listsOf(servers), listsOf(fresh.servers));
  const changes = serversChange || [values, more, secrets].some((one) => Object.keys(one).length > 0);
  return { fresh, values, more, secrets, servers, renamed, serversChange, changes };
}

/** The user's values that the service doesn't have yet, unless the service's win. */
export function mergeValues(
  mine: Partial<PlainValues>,
  previous: PlainValues,
  theirs: PlainValues,
  lacks: readonly string[],
  judge: Judge,
): Partial<PlainValues> {
  const changed = changedFields(theirs, mine).filter((field) => {
    if (lacks.includes(field)) return false;
    const sides = { mine: mine[field] ?? null, previous: previous[field], theirs: theirs[field] };
    return isMineStanding({ at: 'field', field }, field, sides, judge, samePlain);
  });
  return Object.fromEntries(changed.map((field) => [field, mine[field]]));
}

/** @param isElsewhere whether the service will have another value of a field than the form showed with the edits */
function mergeSecrets(
  edits: FormEdits,
  { base, fresh, typed, sent }: MergeSides,
  isElsewhere: (field: PlainField) => boolean,
  judge: Judge,
): Partial<Record<SecretField, string>> {
  const changed = secretFields.flatMap((field): [SecretField, string][] => {
    const intention = edits.secrets[field];
    const [previous, theirs] = [base.secrets[field], fresh.secrets[field]];
    if (intention === undefined || fresh.abilities.lacks.includes(field)) return [];
    if (intention === 'clear' && theirs === 'notSet') return [];
    const agreed = theirs === previous || theirs === 'unknown' || previous === 'unknown' || sent.has(field);
    // The key of another model isn't the one that the user means: a model profile was used since, for example.
    const other = field === 'llm_api_key' ? keyFields(intention).find(isElsewhere) : undefined;
    const forOther = (values: Partial<PlainValues>, text: string) =>
      other === undefined ? text : usedForWords(text, fieldLabel(other), values[other] ?? null);
    const words = {
      mine: forOther({ ...base.values, ...edits.values }, intentionWords(intention)),
      theirs: forOther(fresh.values, presenceWords(theirs)),
      previous: forOther(base.values, presenceWords(previous)),
    };
    const seen = other === undefined ? theirs : [theirs, fresh.values[other]];
    const isDoubtful = !agreed || other !== undefined;
    const matter = { target: { at: 'field', field }, label: field, words, theirs: seen } as const;
    if (isDoubtful && judge.decide(matter) === 'theirs') return [];
    const value = intention === 'clear' ? '' : typed.get(matter.target);
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(changed);
}

/** What a key belongs to. Before a typed one goes to another address, the user is asked anyway. */
const keyFields = (intention: SecretIntention) =>
  intention === 'clear' ? (['llm_model', 'llm_base_url'] as const) : (['llm_model'] as const);

function mergedServers(
  mine: readonly MyServer[],
  { base, fresh }: MergeSides,
  judge: Judge,
): readonly HeldServer[] {
  const sides = { base: base.servers, mine, fresh: fresh.servers };
  return settleDoubles(mergeServers(sides, judge), sides, judge);
}
