import { mcpKinds, type McpServer } from '../../../shared/mcp';
import type { McpRow } from './rows';

/** A server's place among those of its kind, from 1. The service keeps a list for each kind. */
export interface ServerPosition {
  place: number;
  count: number;
}

/** The rows with `id` and its next neighbor of the same kind swapped. */
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

/** The place of each server that isn't deleted, by id. */
export function placesOf(rows: readonly McpRow[]): ReadonlyMap<string, ServerPosition> {
  const lists = mcpKinds.map((kind) =>
    rows.filter(({ server, deleted }) => !deleted && server.kind === kind),
  );
  return new Map(
    lists.flatMap((list) =>
      list.map(({ server }, index) => [server.id, { place: index + 1, count: list.length }] as const),
    ),
  );
}

/** True if the order of the service's servers has changed; adding and deleting doesn't count. */
export function isReordered(base: readonly McpServer[], rows: readonly McpRow[]): boolean {
  const present = rows.filter(({ deleted }) => !deleted).map(({ server }) => server.id);
  const kept = new Set(present);
  const before = base.filter(({ id }) => kept.has(id));
  const held = new Set(before.map(({ id }) => id));
  return present.filter((id) => held.has(id)).some((id, index) => id !== before[index]?.id);
}
