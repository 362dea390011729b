import * as l10n from '@vscode/l10n';
import type { Json } from '../../shared/json';
import { mcpLabel, type McpKind } from '../../shared/mcp';
import { mergeEnv } from './envMerge';
import { sameJson } from './json';
import type { Judge } from './judge';
import { newValues, type WantedServer } from './secrets';
import { jsonOf, membersOfKind, writeServer, type HeldServer, type ServerValues } from './servers';
import { presenceWords, valueWords } from './words';

type Member = keyof ServerValues;

/** The wire names of the members, in the order of the form. */
export const wireNames: Record<Member, string> = {
  kind: 'kind',
  ...membersOfKind.shttp,
  ...membersOfKind.stdio,
};

const members = Object.keys(wireNames) as Member[];

/** The members that differ between two states of a server; environment variables count as one. */
export function changedMembers(before: ServerValues, after: ServerValues): Member[] {
  return members.filter((key) => !sameJson(jsonOf(before[key]), jsonOf(after[key])));
}

/** True if the service has the server as wanted. It may have filled in a default timeout. */
export function isAsWanted(wanted: ServerValues, held: ServerValues): boolean {
  return changedMembers(wanted, held).every((key) => key === 'timeout' && wanted.timeout === null);
}

/**
 * Three-way merge of a server that all three sides have, each member by itself. `theirs` is what the service holds now;
 * its way of writing what did not change is kept.
 */
export function mergeServer(
  former: HeldServer,
  mine: WantedServer,
  theirs: HeldServer,
  judge: Judge,
): HeldServer {
  const label = mcpLabel(theirs);
  const wanted = valuesOf(mine, former);
  const held = withoutStrays(theirs, former);
  const myChanges = changedMembers(former, wanted);
  const theirChanges = changedMembers(former, held);

  const ask = (key: Member) => {
    const words = (values: ServerValues) => memberWords(key, jsonOf(values[key]));
    return judge.decide({
      target: { at: 'mcp', id: former.id, member: key },
      label: `${label}: ${wireNames[key]}`,
      words: { mine: words(wanted), theirs: words(held), former: words(former) },
      theirs: jsonOf(held[key]),
    });
  };
  const pick = <K extends Member>(key: K): ServerValues[K] => {
    if (!myChanges.includes(key)) return held[key];
    const agreed = !theirChanges.includes(key) || sameJson(jsonOf(held[key]), jsonOf(wanted[key]));
    return agreed || ask(key) === 'mine' ? wanted[key] : held[key];
  };
  const pickKind = (): McpKind => {
    const [kind, lost] = myChanges.includes('kind') ? [wanted.kind, theirChanges] : [held.kind, myChanges];
    const losesChange = !lost.includes('kind') && lost.some((key) => !carries(kind, key));
    if (!losesChange) return pick('kind');
    return ask('kind') === 'mine' ? wanted.kind : held.kind;
  };

  const values: ServerValues = {
    kind: pickKind(),
    url: pick('url'),
    apiKey: pick('apiKey'),
    timeout: pick('timeout'),
    name: pick('name'),
    command: pick('command'),
    args: pick('args'),
    env: mergeEnv({ id: former.id, label, former: former.env, mine: mine.env, theirs: held.env }, judge),
  };
  return writeServer(former.id, values, theirs);
}

/** The values the user wants; secrets that weren't typed are kept. */
export function valuesOf(mine: WantedServer, former: ServerValues): ServerValues {
  const apiKey = mine.apiKey === undefined ? former.apiKey : mine.apiKey;
  const env = mine.env.map((entry) => ({ ...entry, value: entry.value ?? former.env.get(entry.from ?? '') }));
  return withoutStrays(newValues({ ...mine, apiKey, env }), former);
}

/** A member that a server's kind has not was not changed: it went with a change of kind, or is only the form's. */
function withoutStrays(values: ServerValues, former: ServerValues): ServerValues {
  const strays = members.filter((key) => !carries(values.kind, key));
  return { ...values, ...Object.fromEntries(strays.map((key) => [key, former[key]])) };
}

function carries(kind: McpKind, key: Member): boolean {
  return key === 'kind' || key in membersOfKind[kind];
}

/** A member's value for people; for a secret, only whether it's set. */
function memberWords(key: Member, value: Json): string {
  if (key === 'apiKey') return presenceWords(value === null ? 'notSet' : 'set');
  if (key === 'env') return Object.keys(value as object).join(', ') || l10n.t('None');
  return valueWords(value);
}
