import { mcpKinds, type McpServer } from '../shared/mcp';
import type { McpRow } from './rows';

/** Where a server stands among those of its kind, from 1. The service keeps a list for each kind. */
export interface Place {
  place: number;
  count: number;
}

/** The rows with the one of `id` in the place of its next neighbour of the same kind, and that one in its place. */
export function moveRow(rows: readonly McpRow[], id: string, step: 1 | -1): readonly McpRow[] {
  const from = rows.findIndex(({ server }) => server.id === id);
  const moved = rows[from];
  if (moved === undefined) return rows;
  for (let to = from + step; to >= 0 && to < rows.length; to += step) {
    const other = rows[to];
    if (other === undefined || other.deleted || other.server.kind !== moved.server.kind) continue;
    return rows.with(from, other).with(to, moved);
  }
  return rows;
}

/** Where each server that is not deleted stands, by its id. */
export function placesOf(rows: readonly McpRow[]): ReadonlyMap<string, Place> {
  const lists = mcpKinds.map((kind) =>
    rows.filter(({ server, deleted }) => !deleted && server.kind === kind),
  );
  return new Map(
    lists.flatMap((list) =>
      list.map(({ server }, index) => [server.id, { place: index + 1, count: list.length }] as const),
    ),
  );
}

/** True when servers that the service holds stand in another order than there; adding and deleting is none. */
export function isReordered(base: readonly McpServer[], rows: readonly McpRow[]): boolean {
  const present = rows.filter(({ deleted }) => !deleted).map(({ server }) => server.id);
  const kept = new Set(present);
  const before = base.filter(({ id }) => kept.has(id));
  const held = new Set(before.map(({ id }) => id));
  return present.filter((id) => held.has(id)).some((id, index) => id !== before[index]?.id);
}
