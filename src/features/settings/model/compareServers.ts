import * as l10n from '@vscode/l10n';
import type { ErrorTarget, SaveNote } from '../shared/form';
import type { Json } from '../../../shared/json';
import { mcpKinds, mcpLabel, wholeServer, type McpKind } from '../../../shared/mcp';
import type { Meant } from './body';
import { holds, misses } from './cells';
import { veiledByService } from './hidden';
import { canonical } from './json';
import { lastingIds, withIds } from './match';
import { looksMasked } from './secrets';
import type { Snapshot } from './merge';
import { sameLabel, type HeldServer } from './servers';

/** Differences between the MCP servers that were sent and those that were read back, with the ids of `lastingIds`. */
export function serverNotes({ merged, post }: Meant, after: readonly HeldServer[]): SaveNote[] {
  const ids = lastingIds(after);
  const meant = withIds(Object.values(post.posted).flat(), ids);
  const open = new Set(withIds(after, ids));
  const take = (same: (held: HeldServer) => boolean) => {
    const held = [...open].find(same);
    if (held) open.delete(held);
    return held;
  };
  const exact = new Map(meant.map((server) => [server, take((held) => holds(server, held))]));
  const notes = meant.flatMap((server) => {
    if (exact.get(server)) return [];
    const held = take((other) => sameLabel(other, server));
    return held ? memberNotes(server, held) : [missing(server)];
  });
  const returned = [...open].filter(
    (held) =>
      merged.fresh.servers.some((server) => sameLabel(server, held)) &&
      !meant.some((server) => holds(server, held)),
  );
  return [...notes, ...returned.map(comeBack)];
}

function missing(server: HeldServer): SaveNote {
  const label = mcpLabel(server);
  const message = l10n.t('The MCP server {0} was sent, but the service doesn’t have it.', label);
  return { kind: 'missing', target: { at: 'mcp', id: server.id, member: wholeServer }, label, message };
}

function comeBack(held: HeldServer): SaveNote {
  const label = mcpLabel(held);
  const message = l10n.t(
    'The MCP server {0} came back. It’s part of the service’s configuration, and only your administrator can remove it.',
    label,
  );
  return { kind: 'returned', target: { at: 'mcp', id: held.id, member: wholeServer }, label, message };
}

function memberNotes(meant: HeldServer, held: HeldServer): SaveNote[] {
  const label = mcpLabel(meant);
  return misses(meant, held).flatMap((miss): SaveNote[] => {
    const isVariable = miss.path?.startsWith('env.');
    const target = {
      at: 'mcp',
      id: meant.id,
      member: isVariable ? 'env' : (miss.path ?? wholeServer),
    } as const;
    const full = `${label}: ${miss.name}`;
    if (isVariable || miss.path === 'apiKey') {
      const isSet = !isNothing(miss.held);
      if (isSet === isNothing(miss.meant)) return [secretNote(target, full, isSet)];
      if (!isSet || looksMasked(miss.held)) return [];
    }
    return [changedNote(target, full)];
  });
}

const isNothing = (value: Json) => value === null || value === '';

/** Notes that the service holds something else. */
export function changedNote(target: ErrorTarget, label: string): SaveNote {
  const message = l10n.t('The service has a different value for {0} than was sent.', label);
  return { kind: 'changed', target, label, message };
}

/** Notes that a secret is set but shouldn't be, or the reverse. */
export function secretNote(target: ErrorTarget, label: string, isSet: boolean): SaveNote {
  const message = isSet
    ? l10n.t('The service has a value for {0}, but it should have none.', label)
    : l10n.t('The service no longer has a value for {0}. Enter it again.', label);
  return { kind: 'secret', target, label, message };
}

/**
 * Whether each server was added or removed as the save should have; a change counts as one of both. If only the order
 * should have changed, whether it did.
 */
export function serverResults({ merged, post }: Meant, { servers, hidesSecrets }: Snapshot): boolean[] {
  // A secret that doesn't show proves nothing, not even one that was filled in from what was sent.
  const seen = (list: readonly HeldServer[]) => (hidesSecrets ? list.map(veiledByService) : list);
  const meant = seen(Object.values(post.posted).flat());
  const after = seen(servers);
  const before = seen(merged.fresh.servers);
  const isIn = (list: readonly HeldServer[], server: HeldServer) => list.some((held) => holds(server, held));
  const added = meant.filter((server) => !isIn(before, server));
  const removed = before.filter((server) => !isIn(meant, server));
  const arrived = (server: HeldServer): boolean[] => {
    if (isIn(after, server)) return [true];
    const isThere = (list: readonly HeldServer[]) => list.some((held) => sameLabel(held, server));
    // It was added, but not as it was sent.
    return !isThere(before) && isThere(after) ? [true, false] : [false];
  };
  // A server that is still there may be in the administrator's configuration, so no save can remove it.
  const gone = removed.flatMap((server) => (isIn(after, server) ? [] : [true]));
  const results = [...added.flatMap(arrived), ...gone];
  if (added.length + removed.length > 0) return results;
  return order(meant) === order(before) ? [] : [order(after) === order(meant)];
}

/** The labels of each list in order, without repetitions. */
function order(servers: readonly HeldServer[]): string {
  const labels = (kind: McpKind) => servers.filter((server) => server.kind === kind).map(mcpLabel);
  return canonical(mcpKinds.map((kind) => [...new Set(labels(kind))]));
}
