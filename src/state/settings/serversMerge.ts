import * as l10n from '@vscode/l10n';
import type { Json } from '../../shared/json';
import { mcpLabel, wholeServer, type McpServer } from '../../shared/mcp';
import type { Judge } from './judge';
import { newValues, wantedServer, type TypedSecrets } from './secrets';
import { changedMembers, isAsWanted, mergeServer, valuesOf } from './serverMerge';
import { contentOf, sameLabel, writeServer, type HeldServer } from './servers';

/** The inputs of the merge. Equal ids in `base`, `mine` and `fresh` mean the same server. */
export interface ServersMerge {
  base: readonly HeldServer[];
  /** The list as the user wants it. */
  mine: readonly McpServer[];
  fresh: readonly HeldServer[];
  /** The server a new one copies. */
  source: (id: string) => HeldServer | undefined;
  typed: TypedSecrets;
}

/**
 * Three-way merge of the MCP servers by identity. Servers that others added stay; servers that one side deleted go,
 * unless the other side changed them. The order is the user's if they moved something, else the service's.
 */
export function mergeServers({ base, mine, fresh, source, typed }: ServersMerge, judge: Judge): HeldServer[] {
  const baseById = byId(base);
  const mineById = byId(mine);
  const freshById = byId(fresh);
  const result = new Map<string, HeldServer>();
  const ask = (
    about: HeldServer,
    words: readonly [mine: string, theirs: string, former: string],
    theirs: Json,
    aspect = '',
  ) =>
    judge.decide({
      target: { at: 'mcp', id: about.id, member: wholeServer },
      aspect,
      label: mcpLabel(about),
      words: { mine: words[0], theirs: words[1], former: words[2] },
      theirs,
    });

  for (const theirs of fresh) {
    const former = baseById.get(theirs.id);
    const wanted = mineById.get(theirs.id);
    if (!theirs.shown || !former?.shown) result.set(theirs.id, theirs);
    else if (wanted !== undefined) result.set(theirs.id, both(former, wanted, theirs));
    else if (contentOf(former) !== contentOf(theirs)) {
      const words = [l10n.t('Deleted'), l10n.t('Changed'), l10n.t('Unchanged')] as const;
      if (ask(theirs, words, contentOf(theirs)) === 'theirs') result.set(theirs.id, theirs);
    }
  }

  for (const server of mine) {
    if (freshById.has(server.id)) continue;
    const former = baseById.get(server.id);
    if (former === undefined) {
      const copied = source(server.copiedFrom ?? '');
      // A copy also gets the members this client doesn't know.
      const values = newValues(wantedServer(server, copied, typed));
      result.set(server.id, writeServer(server.id, values, copied));
      continue;
    }
    const values = valuesOf(wantedServer(server, former, typed), former);
    if (changedMembers(former, values).length === 0) continue;
    const words = [l10n.t('Changed'), l10n.t('Deleted'), l10n.t('Unchanged')] as const;
    if (ask(former, words, null) === 'mine') result.set(server.id, writeServer(server.id, values, former));
  }

  settleDoubles();
  const ids = moved(base, mine)
    ? weave(
        mine.map(({ id }) => id),
        fresh.map(({ id }) => id),
        result,
      )
    : weave(
        fresh.map(({ id }) => id),
        mine.map(({ id }) => id),
        result,
      );
  return ids.flatMap((id) => result.get(id) ?? []);

  function both(former: HeldServer, wanted: McpServer, theirs: HeldServer): HeldServer {
    const mine = wantedServer(wanted, former, typed);
    const isEdited = changedMembers(former, valuesOf(mine, former)).length > 0;
    if (!isEdited) return theirs;
    // The user's change, such as a key, must not go to a different server unnoticed.
    const words = [l10n.t('Changed'), l10n.t('Now {0}', mcpLabel(theirs)), mcpLabel(former)] as const;
    if (theirs.guessed && ask(former, words, contentOf(theirs), 'likeness') === 'theirs') return theirs;
    return mergeServer(former, mine, theirs, judge);
  }

  /** Handles labels the user gave that someone else's new server also has. */
  function settleDoubles(): void {
    const added = fresh.filter(({ id }) => !baseById.has(id) && !mineById.has(id));
    for (const one of [...result.values()]) {
      const former = baseById.get(one.id);
      const wanted = mineById.get(one.id);
      const isMine = wanted !== undefined && !(former !== undefined && sameLabel(former, wanted));
      const double = added.find((other) => result.has(other.id) && sameLabel(one, other));
      if (!isMine || double === undefined) continue;
      const agreed = isAsWanted(one, double);
      const words = [l10n.t('Added'), l10n.t('Added with other values'), l10n.t('None')] as const;
      if (!agreed && ask(one, words, contentOf(double), 'double') === 'mine') {
        result.delete(double.id);
        continue;
      }
      const theirs = freshById.get(one.id);
      if (agreed || theirs === undefined) result.delete(one.id);
      else result.set(one.id, theirs);
    }
  }
}

function byId<T extends { id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** True if the user reordered servers of the service. */
function moved(base: readonly HeldServer[], mine: readonly McpServer[]): boolean {
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
