import * as l10n from '@vscode/l10n';
import type { Json } from '../../../shared/json';
import { mcpLabel, wholeServer } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import {
  differingCells,
  holds,
  contentOf,
  sameLabel,
  writeServer,
  type HeldServer,
  type ServerValues,
  carries,
  members,
  wireNames,
  type Member,
  jsonOf,
} from './servers';
import { type Judge, presenceWords, standing, valueWords } from './conflicts';
import { type MyServer, withoutStrays, type WantedEntry } from './secrets';

/** The three sides of the list. Equal ids mean the same server. */
interface ServerSides {
  readonly base: readonly HeldServer[];
  /** The list as the user wants it. */
  readonly mine: readonly MyServer[];
  readonly fresh: readonly HeldServer[];
}

/**
 * Three-way merge of the MCP servers by identity. Servers that others added stay; servers that one side deleted go,
 * unless the other side changed them. The order is the user's if they moved something, else the service's.
 */
export function mergeServers({ base, mine, fresh }: ServerSides, judge: Judge): HeldServer[] {
  const [baseById, mineById, freshById] = [byId(base), byId(mine), byId(fresh)];
  const result = new Map<string, HeldServer>();
  for (const theirs of fresh) {
    const previous = baseById.get(theirs.id);
    const wanted = mineById.get(theirs.id);
    if (previous === undefined) result.set(theirs.id, theirs);
    else if (wanted !== undefined) result.set(theirs.id, both(previous, wanted, theirs, judge));
    else if (!mayGo(previous, theirs, judge)) result.set(theirs.id, theirs);
  }
  for (const server of mine) {
    if (freshById.has(server.id)) continue;
    const previous = baseById.get(server.id);
    if (previous !== undefined && !mayReturn(previous, server, judge)) continue;
    // A copy also gets the members this client doesn't know.
    const { source } = server;
    const now = source && freshById.get(source.id);
    const values = source && now ? copied(server, source, now, judge) : server;
    result.set(server.id, writeServer(server.id, values, source));
  }
  const ids = (servers: readonly { id: string }[]) => servers.map(({ id }) => id);
  const order = moved(base, mine)
    ? weave(ids(mine), ids(fresh), result)
    : weave(ids(fresh), ids(mine), result);
  return order.flatMap((id) => result.get(id) ?? []);
}

/**
 * A new server that copies `source`, which is `now` on the service. Where a secret that it keeps has changed there, the
 * user chooses: the old one may no longer be valid, and the new one may be meant for another address.
 */
function copied(mine: MyServer, source: HeldServer, now: HeldServer, judge: Judge): ServerValues {
  const pick = <T extends Json>(member: string, name: string, kept: T, was: T, held: T): T => {
    if (!same(kept, was) || same(held, was)) return kept;
    const said = (value: Json) => presenceWords(value ? 'set' : 'notSet');
    const words = { mine: said(kept), theirs: held ? l10n.t('Changed') : said(held), previous: said(was) };
    const target = { at: 'mcp', id: mine.id, member } as const;
    const label = `${mcpLabel(mine)}: ${name}`;
    return judge.decide({ target, label, words, theirs: held }) === 'mine' ? kept : held;
  };
  if (mine.kind !== 'stdio')
    return { ...mine, apiKey: pick('apiKey', 'api_key', mine.apiKey, source.apiKey, now.apiKey) };
  const env = mine.entries.map(({ from, name }, index): [string, Json] => {
    const kept = mine.env.get(name) ?? '';
    const [was = kept, held = ''] = from === null ? [] : [source.env.get(from), now.env.get(from)];
    return [name, from === null ? kept : pick(`env.${index}`, `env.${name}`, kept, was, held)];
  });
  return { ...mine, env: new Map(env) };
}

/** A server that all three sides have. */
function both(previous: HeldServer, mine: MyServer, theirs: HeldServer, judge: Judge): HeldServer {
  if (differingCells(previous, mine).length === 0) return theirs;
  // The user's change, such as a key, must not go to a different server unnoticed.
  if (theirs.guessed && askIfSame(l10n.t('Changed'), previous, theirs, judge) === 'theirs') return theirs;
  return mergeServer(previous, mine, theirs, judge);
}

/** Asks about a server that seems to have got another label. */
function askIfSame(mine: string, previous: HeldServer, theirs: HeldServer, judge: Judge): 'mine' | 'theirs' {
  const words: Words = [mine, l10n.t('Now {0}', mcpLabel(theirs)), mcpLabel(previous)];
  return ask(judge, previous, words, contentOf(theirs), 'likeness');
}

/** Whether a server that the user deleted is removed from the service. */
function mayGo(previous: HeldServer, theirs: HeldServer, judge: Judge): boolean {
  if (contentOf(previous) === contentOf(theirs)) return true;
  if (theirs.guessed) return askIfSame(l10n.t('Deleted'), previous, theirs, judge) === 'mine';
  const words: Words = [l10n.t('Deleted'), l10n.t('Changed'), l10n.t('Unchanged')];
  return ask(judge, theirs, words, contentOf(theirs)) === 'mine';
}

/** Whether a server that the service no longer has comes back as the user wants it. */
function mayReturn(previous: HeldServer, mine: MyServer, judge: Judge): boolean {
  if (differingCells(previous, mine).length === 0) return false;
  const words: Words = [l10n.t('Changed'), l10n.t('Deleted'), l10n.t('Unchanged')];
  return ask(judge, previous, words, null) === 'mine';
}

/**
 * Handles labels the user gave that a server of someone else also has: one that is new, that got the label since, or that
 * the user deleted and keeps after all. `merged` is what the sides were merged to.
 */
export function settleDoubles(
  merged: readonly HeldServer[],
  { base, mine, fresh }: ServerSides,
  judge: Judge,
): HeldServer[] {
  const [baseById, mineById, freshById] = [byId(base), byId(mine), byId(fresh)];
  const result = byId(merged);
  const gives = (one: HeldServer | MyServer) => {
    const previous = baseById.get(one.id);
    return previous === undefined || !sameLabel(previous, one);
  };
  const isTheirs = ({ id }: HeldServer) => {
    const theirs = freshById.get(id);
    return theirs !== undefined && (!mineById.has(id) || (baseById.has(id) && gives(theirs)));
  };
  for (const one of merged) {
    const wanted = mineById.get(one.id);
    const double = merged.find(
      (other) => other !== one && result.has(other.id) && isTheirs(other) && sameLabel(one, other),
    );
    if (wanted === undefined || !gives(wanted) || double === undefined) continue;
    const agreed = holds(one, double);
    const theirWords = baseById.has(double.id) ? l10n.t('Changed') : l10n.t('Added with other values');
    const words: Words = [l10n.t('Added'), theirWords, l10n.t('None')];
    if (!agreed && ask(judge, one, words, contentOf(double), 'double') === 'mine') {
      result.delete(double.id);
      continue;
    }
    const theirs = freshById.get(one.id);
    if (agreed || theirs === undefined) result.delete(one.id);
    else result.set(one.id, theirs);
  }
  return [...result.values()];
}

type Words = readonly [mine: string, theirs: string, previous: string];

/** Asks about a server as a whole. */
function ask(judge: Judge, about: HeldServer, [mine, theirs, previous]: Words, held: Json, aspect = '') {
  return judge.decide({
    target: { at: 'mcp', id: about.id, member: wholeServer },
    aspect,
    label: mcpLabel(about),
    words: { mine, theirs, previous },
    theirs: held,
  });
}

function byId<T extends { id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** True if the user reordered servers of the service. */
function moved(base: readonly HeldServer[], mine: readonly MyServer[]): boolean {
  const positions = mine.flatMap(({ id }) => {
    const position = base.findIndex((server) => server.id === id);
    return position === -1 ? [] : [position];
  });
  return positions.some((position, index) => position < (positions[index - 1] ?? -1));
}

/** The ids of `first` in order, with each missing id of `second` inserted after its neighbor there. */
export function weave(
  first: readonly string[],
  second: readonly string[],
  wanted: ReadonlyMap<string, unknown>,
): string[] {
  const ids = first.filter((id) => wanted.has(id));
  second.forEach((id, index) => {
    if (ids.includes(id) || !wanted.has(id)) return;
    const neighbour = second.slice(0, index).findLast((other) => ids.includes(other));
    ids.splice(neighbour === undefined ? 0 : ids.indexOf(neighbour) + 1, 0, id);
  });
  return ids;
}

/**
 * Three-way merge of a server that all three sides have, each member by itself. `theirs` is what the service holds now;
 * its way of writing what did not change is kept.
 */
function mergeServer(previous: HeldServer, mine: MyServer, theirs: HeldServer, judge: Judge): HeldServer {
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

/** The three sides of one server's environment variables. Values are secrets. */
interface EnvSides {
  id: string;
  label: string;
  previous: ReadonlyMap<string, Json>;
  mine: readonly WantedEntry[];
  theirs: ReadonlyMap<string, Json>;
}

type EnvWords = Record<'mine' | 'theirs' | 'previous', string>;

/** Three-way merge of environment variables, each by itself and known by the name it had. */
function mergeEnv(sides: EnvSides, judge: Judge): Map<string, Json> {
  const { previous, mine, theirs } = sides;
  /** By the name in `theirs`; a new one by a key that no name equals. */
  const result = new Map<string | symbol, [name: string, value: Json]>(
    [...theirs].map(([name, value]) => [name, [name, value]]),
  );
  const ask = (name: string, member: string, words: EnvWords) =>
    judge.decide({
      target: { at: 'mcp', id: sides.id, member },
      label: `${sides.label}: env.${name}`,
      words,
      theirs: [name, theirs.get(name) ?? null],
    });

  const stillWanted = new Set(mine.map(({ from }) => from));
  for (const [name, was] of previous) {
    const held = theirs.get(name);
    if (held === undefined || stillWanted.has(name)) continue;
    const words = { mine: l10n.t('Deleted'), theirs: l10n.t('Changed'), previous: l10n.t('Set') };
    if (same(held, was) || ask(name, `env:${name}`, words) === 'mine') result.delete(name);
  }

  mine.forEach(({ from, name, value: wanted }, index) => {
    const was = from === null ? undefined : previous.get(from);
    const held = from === null ? undefined : theirs.get(from);
    const replaces = wanted !== undefined && !(was !== undefined && same(wanted, was));
    if (was !== undefined && !replaces && name === from) return;

    const ours = replaces ? l10n.t('Replaced') : l10n.t('Renamed');
    const yields = (theirWords: string, previousWords: string) =>
      ask(name, `env.${index}`, { mine: ours, theirs: theirWords, previous: previousWords }) === 'theirs';
    let value = replaces ? wanted : (held ?? was ?? '');
    /** A variable that someone else gave the new name of this one. */
    const double = name === from || previous.has(name) ? undefined : theirs.get(name);

    if (double !== undefined && same(double, value)) {
      // Both sides did the same, or an earlier save with an unknown outcome did.
      if (from !== null) result.delete(from);
      return;
    }
    if (was !== undefined && held === undefined && yields(l10n.t('Deleted'), l10n.t('Set'))) return;
    if (was !== undefined && held !== undefined && replaces) {
      const agreed = same(held, was) || same(held, value);
      if (!agreed && yields(l10n.t('Changed'), l10n.t('Set'))) value = held;
    }
    if (double !== undefined && yields(l10n.t('Added'), l10n.t('None'))) return;
    if (double !== undefined) result.delete(name);
    result.set(held === undefined ? Symbol(name) : (from ?? name), [name, value]);
  });
  return new Map(result.values());
}
