import * as l10n from '@vscode/l10n';
import { type Json, member } from '../../../shared/json';
import { joined } from '../../../shared/joined';
import { kindLabel, mcpLabel, wholeServer, type McpKind } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { same } from '../../../shared/same';
import {
  cellsOf,
  contentOf,
  differingCells,
  holds,
  placeOfServer,
  sameLabel,
  unknownMembers,
  wireName,
  writeServer,
  type Cells,
  type HeldServer,
  type ServerValues,
} from './servers';
import { intentionWords, type Judge, presenceWords, valueWords } from './conflicts';
import type { MyServer } from './secrets';

/** The three sides of the list. Equal ids mean the same server. */
interface ServerSides {
  readonly base: readonly HeldServer[];
  /** The list as the user wants it. */
  readonly mine: readonly MyServer[];
  readonly fresh: readonly HeldServer[];
}

/**
 * Three-way merge of the MCP servers by identity; each comes out as one side has it. Servers that others added stay;
 * servers that one side deleted go, unless the other side changed them. The order is the user's if they moved something,
 * else the service's.
 */
export function mergeServers({ base, mine, fresh }: ServerSides, judge: Judge): HeldServer[] {
  const [baseById, mineById, freshById] = [byId(base), byId(mine), byId(fresh)];
  const result = new Map<string, HeldServer>();
  for (const theirs of fresh) {
    const previous = baseById.get(theirs.id);
    const wanted = mineById.get(theirs.id);
    if (previous === undefined) result.set(theirs.id, theirs);
    else if (wanted !== undefined) result.set(theirs.id, either(previous, wanted, theirs, judge));
    else if (!mayGo(previous, theirs, judge)) result.set(theirs.id, theirs);
  }
  for (const server of mine) {
    if (freshById.has(server.id)) continue;
    const previous = baseById.get(server.id);
    if (previous !== undefined && !mayReturn(previous, server, judge)) continue;
    result.set(server.id, added(server, freshById, judge));
  }
  const ids = (servers: readonly { id: string }[]) => servers.map(({ id }) => id);
  const order = moved(base, mine)
    ? weave(ids(mine), ids(fresh), result)
    : weave(ids(fresh), ids(mine), result);
  return order.flatMap((id) => result.get(id) ?? []);
}

/**
 * A server that all three sides have: as the user has it or as the service has it. A mix of both is one that nobody has
 * seen, and could send somebody's secret to somebody else's address.
 */
function either(previous: HeldServer, mine: MyServer, theirs: HeldServer, judge: Judge): HeldServer {
  const stays = [mine, theirs].every((one) => placeOfServer(one) === placeOfServer(previous));
  // A secret that the user keeps is the service's, whoever replaces it, as long as it goes where it went.
  const isFollowed = (was: Json, now: Json) => stays && isSet(was) && isSet(now);
  const { before, wanted } = withSecretsOf(theirs, previous, mine, isFollowed);
  if (hasAll(theirs, differingCells(before, wanted), wanted)) return theirs;
  const others = stays ? [] : changedUnknown(previous, theirs);
  // Under its new name, a variable that is gone from the service would come back.
  const revives = mine.entries.some(
    ({ from, name }) => from !== null && !theirs.env.has(from) && !theirs.env.has(name),
  );
  const isMine = others.length === 0 && !revives && hasAll(wanted, differingCells(before, theirs), theirs);
  const result = writeServer(previous.id, wanted, stays || isMine ? theirs : previous);
  if (isMine) return result;
  const words: Words = [
    changeWords(before, wanted, intentionWords('replace')),
    joined(changeWords(before, theirs), ...others),
    stateWords(before, [...differingCells(before, wanted), ...differingCells(before, theirs)]),
  ];
  return ask(judge, previous, words, contentOf(theirs), { wanted: contentOf(result) }) === 'mine'
    ? result
    : theirs;
}

/** True if `one` has these cells as `other` has them. */
function hasAll(one: ServerValues, paths: readonly string[], other: ServerValues): boolean {
  const differing = new Set(differingCells(one, other));
  return !paths.some((path) => differing.has(path));
}

const isSet = (value: Json) => value !== null && value !== '';

/**
 * The user's server and the one it was made from, with the secrets of `now` in place of those that the user keeps.
 * @param takes decides by a secret's value before and now; null for none
 */
function withSecretsOf(
  now: ServerValues,
  source: ServerValues,
  mine: MyServer,
  takes: (was: Json, now: Json) => boolean,
): { before: ServerValues; wanted: ServerValues } {
  const isTaken = (wanted: Json, was: Json, held: Json) => same(wanted, was) && takes(was, held);
  const taken = mine.entries.flatMap(({ from, name }) => {
    if (from === null) return [];
    const [wanted = null, was = null, held = null] = [
      mine.env.get(name),
      source.env.get(from),
      now.env.get(from),
    ];
    return isTaken(wanted, was, held) ? [{ from, name, held: held ?? '' }] : [];
  });
  const key = isTaken(mine.apiKey, source.apiKey, now.apiKey) ? { apiKey: now.apiKey } : {};
  const env = (own: ServerValues['env'], nameOf: (one: (typeof taken)[number]) => string) =>
    new Map([...own, ...taken.map((one) => [nameOf(one), one.held] as const)]);
  return {
    before: { ...source, ...key, env: env(source.env, ({ from }) => from) },
    wanted: { ...mine, ...key, env: env(mine.env, ({ name }) => name) },
  };
}

/**
 * A server that the service doesn't have, with the members of its source that this client doesn't know. Where a secret
 * that a copy keeps has changed on the service, the user chooses: the old one may no longer be valid, and the new one
 * may be meant for another address.
 */
function added(mine: MyServer, freshById: ReadonlyMap<string, HeldServer>, judge: Judge): HeldServer {
  const { source } = mine;
  const result = writeServer(mine.id, mine, source);
  const now = source && freshById.get(source.id);
  if (source === undefined || now === undefined) return result;
  // What the source has by now is meant for the place of the source.
  if ([mine, now].some((one) => placeOfServer(one) !== placeOfServer(source))) return result;
  const { wanted: theirs } = withSecretsOf(now, source, mine, () => true);
  const changed = differingCells(mine, theirs);
  if (changed.length === 0) return result;
  const before = stateWords(mine, changed);
  const words: Words = [before, changeWords(mine, theirs), before];
  const wanted = contentOf(result);
  return ask(judge, result, words, contentOf(now), { wanted }) === 'mine'
    ? result
    : writeServer(mine.id, theirs, now);
}

/** Whether a server that the user deleted is removed from the service. */
function mayGo(previous: HeldServer, theirs: HeldServer, judge: Judge): boolean {
  if (contentOf(previous) === contentOf(theirs)) return true;
  const changes = joined(changeWords(previous, theirs), ...changedUnknown(previous, theirs));
  const before = stateWords(previous, differingCells(previous, theirs));
  const words: Words = [l10n.t('Deleted'), changes || l10n.t('Changed'), before || l10n.t('Unchanged')];
  return ask(judge, previous, words, contentOf(theirs)) === 'mine';
}

/** Whether a server that the service no longer has comes back as the user wants it. */
function mayReturn(previous: HeldServer, mine: MyServer, judge: Judge): boolean {
  const changed = differingCells(previous, mine);
  if (changed.length === 0) return false;
  const changes = changeWords(previous, mine, intentionWords('replace'));
  const words: Words = [changes, l10n.t('Deleted'), stateWords(previous, changed)];
  const wanted = contentOf(writeServer(mine.id, mine, previous));
  return ask(judge, previous, words, null, { wanted }) === 'mine';
}

/** Longer values are cut in words, so that a change after them still shows. */
const longestValue = 200;

/** What changed between two states of a server, in words; of a secret, only what became of it. */
function changeWords(before: ServerValues, after: ServerValues, replaced = l10n.t('Changed')): string {
  const [was, is] = [cellsOf(before), cellsOf(after)];
  const changed = differingCells(before, after);
  /** The variable that has come or gone with the same value. */
  const namesake = (path: string) =>
    isVariable(path) &&
    changed.some((other) => {
      const [value = null, others] = is.has(path)
        ? [is.get(path), was.get(other)]
        : [was.get(path), is.get(other)];
      return isVariable(other) && isSet(value) && others === value && was.has(other) !== is.has(other);
    });
  const became = (path: string) => {
    const [previous = null, now = null] = [was.get(path), is.get(path)];
    if (!isSecret(path)) return cellWords(path, is);
    if (isVariable(path) && !is.has(path)) return l10n.t('Deleted');
    if (isVariable(path) && !was.has(path)) return namesake(path) ? l10n.t('Renamed') : l10n.t('Added');
    if (!isSet(now)) return intentionWords('clear');
    return isSet(previous) ? replaced : presenceWords('set');
  };
  // What a new kind has no place for goes without saying, and so does a variable's earlier name.
  const told = changed.filter((path) => is.has(path) || (isOwn(path, after.kind) && !namesake(path)));
  return joined(...told.map((path) => `${wireName(path)}: ${became(path)}`));
}

/** The cells of `paths` in words; of a secret, only whether it's set. */
function stateWords(server: ServerValues, paths: readonly string[]): string {
  const cells = cellsOf(server);
  const told = [...new Set(paths)].filter((path) => cells.has(path) || isOwn(path, server.kind));
  return joined(...told.map((path) => `${wireName(path)}: ${cellWords(path, cells)}`));
}

const isVariable = (path: string) => path.startsWith('env.');
const isSecret = (path: string) => path === 'apiKey' || isVariable(path);
/** Any name can be that of a variable. */
const isOwn = (path: string, kind: McpKind) => kind === 'stdio' && isVariable(path);

function cellWords(path: string, cells: Cells): string {
  const value = cells.get(path);
  if (value === undefined) return l10n.t('None');
  if (isSecret(path)) return presenceWords(isSet(value) ? 'set' : 'notSet');
  return plainText(path === 'kind' ? kindLabel(value as McpKind) : valueWords(value), longestValue);
}

/** The members nobody here knows, and that matter, which have changed, in words. */
function changedUnknown(before: HeldServer, after: HeldServer): string[] {
  const names = new Set([before, after].flatMap(unknownMembers));
  const changed = [...names].filter((name) => !same(member(before.raw, name), member(after.raw, name)));
  return changed.map((name) => `${name}: ${l10n.t('Changed')}`);
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
    const theirWords = changeWords(one, double) || l10n.t('Changed');
    const words: Words = [
      stateWords(one, differingCells(one, double)) || l10n.t('Added'),
      theirWords,
      l10n.t('None'),
    ];
    const more = { wanted: contentOf(one), aspect: 'double' };
    if (!agreed && ask(judge, one, words, contentOf(double), more) === 'mine') {
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

/**
 * Asks about a server as a whole.
 * @param held what the service has, and `wanted` what the user wants, where the words don't say it all
 */
function ask(
  judge: Judge,
  about: HeldServer,
  [mine, theirs, previous]: Words,
  held: Json,
  { wanted = mine, aspect = '' }: { wanted?: Json; aspect?: string } = {},
): 'mine' | 'theirs' {
  return judge.decide({
    target: { at: 'mcp', id: about.id, member: wholeServer },
    aspect,
    label: mcpLabel(about),
    words: { mine, theirs, previous },
    mine: wanted,
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
