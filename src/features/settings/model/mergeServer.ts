import type { Json } from '../../../shared/json';
import { mcpLabel } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { carries, members, wireNames, type Member } from './cells';
import { standing, type Judge } from './judge';
import { mergeEnv } from './mergeEnv';
import { withoutStrays, type MyServer } from './secrets';
import { jsonOf, writeServer, type HeldServer, type ServerValues } from './servers';
import { presenceWords, valueWords } from './words';

/**
 * Three-way merge of a server that all three sides have, each member by itself. `theirs` is what the service holds now;
 * its way of writing what did not change is kept.
 */
export function mergeServer(
  previous: HeldServer,
  mine: MyServer,
  theirs: HeldServer,
  judge: Judge,
): HeldServer {
  const label = mcpLabel(theirs);
  const held = withoutStrays(theirs, previous);
  const ask = (key: MergedAsOne) => {
    const words = (values: ServerValues) => memberWords(key, jsonOf(values[key]));
    return judge.decide({
      target: { at: 'mcp', id: previous.id, member: key },
      label: `${label}: ${wireNames[key]}`,
      words: { mine: words(mine), theirs: words(held), previous: words(previous) },
      theirs: jsonOf(held[key]),
    });
  };
  const pick = <K extends MergedAsOne>(key: K): ServerValues[K] => {
    const sides = { previous: jsonOf(previous[key]), mine: jsonOf(mine[key]), theirs: jsonOf(held[key]) };
    return (standing(sides, () => ask(key)) === 'mine' ? mine : held)[key];
  };
  const values: ServerValues = {
    kind: losesChange(previous, mine, held) ? (ask('kind') === 'mine' ? mine : held).kind : pick('kind'),
    url: pick('url'),
    apiKey: pick('apiKey'),
    timeout: pick('timeout'),
    name: pick('name'),
    command: pick('command'),
    args: pick('args'),
    enabled: pick('enabled'),
    env: mergeEnv(
      { id: previous.id, label, previous: previous.env, mine: mine.entries, theirs: held.env },
      judge,
    ),
  };
  return writeServer(previous.id, values, theirs);
}

/** Of the environment, each variable is merged by itself, and its value is a secret. */
type MergedAsOne = Exclude<Member, 'env'>;

/** True if one side changed the kind to one that has no place for what the other side changed. */
function losesChange(previous: ServerValues, mine: ServerValues, theirs: ServerValues): boolean {
  const changes = (side: ServerValues, key: Member) => !same(jsonOf(side[key]), jsonOf(previous[key]));
  const [winner, loser] = changes(mine, 'kind') ? [mine, theirs] : [theirs, mine];
  if (changes(loser, 'kind')) return false;
  return members.some((key) => !carries(winner.kind, key) && changes(loser, key));
}

/** A member's value for people; for a secret, only whether it's set. */
function memberWords(key: MergedAsOne, value: Json): string {
  if (key === 'apiKey') return presenceWords(value === null ? 'notSet' : 'set');
  return valueWords(value);
}
