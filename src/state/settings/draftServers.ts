import * as l10n from '@vscode/l10n';
import { targetKey, type Conflict } from '../../shared/form';
import { identityOf } from '../../shared/intentions';
import type { Json } from '../../shared/json';
import { mcpLabel, wholeServer, type McpEnvEntry, type McpServer } from '../../shared/mcp';
import { sameJson } from './json';
import { wireNames } from './serverMerge';
import { sameLabel } from './servers';
import { weave } from './serversMerge';
import { valueWords } from './words';

/**
 * Merges the user's list of servers, based on `former`, with the service's current list. Ids are those of `now`; ids of
 * earlier sessions match nothing. Adds what both sides changed to `overlaps`.
 */
export function restoreServers(
  former: readonly McpServer[],
  mine: readonly McpServer[],
  now: readonly McpServer[],
  overlaps: Conflict[],
): McpServer[] {
  const partners = matchShown(former, mine, now);
  const overlap = (
    id: string,
    member: string,
    label: string,
    words: [mine: string, theirs: string, former: string],
  ) => {
    const target = { at: 'mcp', id, member } as const;
    overlaps.push({
      key: targetKey(target),
      target,
      label,
      mine: words[0],
      theirs: words[1],
      former: words[2],
    });
  };
  const result = new Map<string, McpServer>();
  const order: string[] = [];
  const put = (server: McpServer) => {
    result.set(server.id, server);
    order.push(server.id);
  };

  for (const server of mine) {
    const before = former.find(({ id }) => id === server.id);
    const partner = partners.get(server.id);
    if (before !== undefined && partner !== undefined) put(rebase(before, server, partner, overlap));
    else if (before === undefined || !sameShown(before, server)) {
      const added = asNew(server, partners);
      put(added);
      if (before !== undefined)
        overlap(added.id, wholeServer, mcpLabel(before), [
          l10n.t('Changed'),
          l10n.t('Deleted'),
          l10n.t('Unchanged'),
        ]);
    }
  }
  for (const before of former) {
    const partner = partners.get(before.id);
    const isDeleted = !mine.some(({ id }) => id === before.id);
    if (isDeleted && partner !== undefined && !sameShown(before, partner))
      overlap(partner.id, wholeServer, mcpLabel(partner), [
        l10n.t('Deleted'),
        l10n.t('Changed'),
        l10n.t('Unchanged'),
      ]);
  }
  const matched = new Set([...partners.values()].map(({ id }) => id));
  for (const server of now) if (!matched.has(server.id)) result.set(server.id, server);
  return weave(
    order,
    now.map(({ id }) => id),
    result,
  ).flatMap((id) => result.get(id) ?? []);
}

type Overlap = (
  id: string,
  member: string,
  label: string,
  words: [mine: string, theirs: string, former: string],
) => void;

/** The current server for each former server's id. */
function matchShown(
  former: readonly McpServer[],
  mine: readonly McpServer[],
  now: readonly McpServer[],
): Map<string, McpServer> {
  const partners = new Map<string, McpServer>();
  const open = new Set(now);
  const each = (same: (before: McpServer, server: McpServer) => boolean) => {
    for (const before of former) {
      if (partners.has(before.id)) continue;
      const partner = [...open].find((server) => same(before, server));
      if (partner === undefined) continue;
      partners.set(before.id, partner);
      open.delete(partner);
    }
  };
  each(sameShown);
  each(sameLabel);
  each((before, server) => mcpLabel(before) === mcpLabel(server));
  each((before, server) => mine.some((wanted) => wanted.id === before.id && sameLabel(wanted, server)));
  return partners;
}

/** True when two servers look the same in the form; ids and what shall become of secrets aside from clearing. */
function sameShown(one: McpServer, other: McpServer): boolean {
  const text = ({ kind, url, apiKey, timeout, name, command, args, env }: McpServer): Json => [
    [kind, url, apiKey.presence, apiKey.intention, timeout, name, command, args],
    env.map((entry) => [entry.name, entry.presence, entry.intention]),
  ];
  return sameJson(text(one), text(other));
}

const notSet = { presence: 'notSet', intention: 'keep' } as const;

/** A server that isn't or is no longer on the service: its secrets have to be entered again. */
function asNew(server: McpServer, partners: ReadonlyMap<string, McpServer>): McpServer {
  const { copiedFrom, ...rest } = server;
  const source = copiedFrom === undefined ? undefined : partners.get(copiedFrom)?.id;
  const id = server.id.startsWith('new-') ? server.id : `new-${server.id}`;
  if (source !== undefined) return { ...rest, id, copiedFrom: source };
  return { ...rest, id, apiKey: { ...notSet }, env: server.env.map(({ name }) => ({ name, ...notSet })) };
}

const plainMembers = ['kind', 'url', 'timeout', 'name', 'command', 'args'] as const;

function rebase(before: McpServer, mine: McpServer, now: McpServer, overlap: Overlap): McpServer {
  const label = mcpLabel(now);
  const changed = plainMembers.filter((key) => !sameJson(mine[key], before[key]));
  for (const key of changed) {
    if (sameJson(now[key], before[key]) || sameJson(now[key], mine[key])) continue;
    const words: [string, string, string] = [
      valueWords(mine[key]),
      valueWords(now[key]),
      valueWords(before[key]),
    ];
    overlap(now.id, key, `${label}: ${wireNames[key]}`, words);
  }
  return {
    ...now,
    ...Object.fromEntries(changed.map((key) => [key, mine[key]])),
    apiKey: { ...now.apiKey, intention: mine.apiKey.intention },
    env: rebaseEnv(before.env, mine.env, now.env, (entry) =>
      overlap(now.id, 'env', `${label}: env.${entry.name}`, [
        l10n.t('Changed'),
        l10n.t('Deleted'),
        l10n.t('Set'),
      ]),
    ),
  };
}

function rebaseEnv(
  before: readonly McpEnvEntry[],
  mine: readonly McpEnvEntry[],
  now: readonly McpEnvEntry[],
  isGone: (edited: McpEnvEntry) => void,
): McpEnvEntry[] {
  const isIn = (list: readonly McpEnvEntry[], name: string) => list.some((entry) => entry.name === name);
  const wanted = new Map(mine.map((entry) => [identityOf(entry), entry]));
  const kept = now
    .filter(({ name }) => wanted.has(name) || !isIn(before, name))
    .map((entry) => {
      const edited = wanted.get(entry.name);
      if (edited === undefined) return entry;
      const renamed = edited.name === entry.name ? {} : { name: edited.name, originalName: entry.name };
      return { ...entry, ...renamed, intention: edited.intention };
    });
  for (const entry of mine) {
    const name = identityOf(entry);
    const isEdited = entry.name !== name || entry.intention !== 'keep';
    if (isEdited && isIn(before, name) && !isIn(now, name)) isGone(entry);
  }
  const added = mine.filter((entry) => !isIn(before, identityOf(entry)) && !isIn(now, identityOf(entry)));
  return [...kept, ...added.map(({ name }) => ({ name, ...notSet }))];
}
