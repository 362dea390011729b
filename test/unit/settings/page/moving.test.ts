import assert from 'node:assert/strict';
import type { McpKind } from '../../../../src/shared/mcp';
import { isReordered, moveRow, placesOf } from '../../../../src/features/settings/page/moving';
import { editedServers, newServer, rowsOf, type McpRow } from '../../../../src/features/settings/page/rows';

const server = (id: string, kind: McpKind) => ({ ...newServer(id, kind), url: id, name: id });
const base = [server('a', 'sse'), server('b', 'stdio'), server('c', 'sse'), server('d', 'sse')];
const ids = (rows: readonly McpRow[]) => rows.map(({ server: { id } }) => id).join('');
const rows = rowsOf(base, null);
const deleted = (id: string) => rows.map((row) => (row.server.id === id ? { ...row, deleted: true } : row));

describe('moving MCP servers', () => {
  it('swaps with the neighbor of the same kind, and moves no others', () => {
    assert.equal(ids(moveRow(rows, 'c', -1)), 'cbad');
    assert.equal(ids(moveRow(rows, 'c', 1)), 'abdc');
  });

  it('skips deleted servers', () => {
    assert.equal(ids(moveRow(deleted('c'), 'a', 1)), 'dbca');
  });

  it('does nothing at either end, for the only server of a kind, or a missing one', () => {
    for (const [id, step] of [
      ['a', -1],
      ['d', 1],
      ['b', -1],
      ['b', 1],
      ['x', 1],
    ] as const) {
      assert.equal(moveRow(rows, id, step), rows);
    }
  });

  it('returns the position among servers of the same kind', () => {
    assert.deepEqual(placesOf(rows).get('c'), { place: 2, count: 3 });
    assert.deepEqual(placesOf(deleted('a')).get('c'), { place: 1, count: 2 });
    assert.deepEqual(placesOf(rows).get('b'), { place: 1, count: 1 });
  });

  it('is an edit until undone', () => {
    const moved = moveRow(rows, 'a', 1);
    assert.deepEqual(
      editedServers(base, moved)?.map(({ id }) => id),
      ['c', 'b', 'a', 'd'],
    );
    assert.ok(isReordered(base, moved));
    const back = moveRow(moved, 'a', -1);
    assert.equal(editedServers(base, back), null);
    assert.ok(!isReordered(base, back));
  });

  it('is distinguished from adding and deleting', () => {
    const added = [{ server: server('n', 'sse'), deleted: false }, ...rows];
    assert.ok(!isReordered(base, added));
    assert.ok(!isReordered(base, deleted('a')));
  });
});
