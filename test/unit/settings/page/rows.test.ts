import assert from 'node:assert/strict';
import { withServerIntention, renamed } from '../../../../src/features/settings/shared/form';
import { mcpKinds, type McpServer, type McpKind } from '../../../../src/shared/mcp';
import {
  rowProblems,
  changeRow,
  changeServer,
  copyOf,
  deleteRow,
  editedServers,
  matchesFilter,
  newServer,
  newVariable,
  rowsOf,
  rowState,
  type McpRow,
  isReordered,
  moveRow,
  placesOf,
} from '../../../../src/features/settings/page/rows';

const a: McpServer = { ...newServer('a', 'shttp'), url: 'https://a.example/mcp', timeout: 9 };
const b: McpServer = {
  ...newServer('b', 'stdio'),
  name: 'b',
  command: 'run b',
  args: ['x y'],
  env: [{ name: 'KEY', presence: 'set', intention: 'keep' }],
};
const c: McpServer = { ...newServer('c', 'sse'), url: 'https://c.example/sse' };
const base = [a, b, c];

const targets = (rows: readonly McpRow[]) =>
  rowProblems(base, rows).map(({ target }) => (target.at === 'mcp' ? `${target.id}.${target.member}` : ''));

describe('MCP server rows', () => {
  it('match the service’s list, including deleted rows', () => {
    assert.equal(editedServers(base, rowsOf(base, null)), null);
    const rows = rowsOf(base, [b, { ...c, url: 'https://d.example' }]);
    assert.deepEqual(
      rows.map(({ server, deleted }) => `${server.id} ${deleted}`),
      ['a true', 'b false', 'c false'],
    );
    assert.deepEqual(
      rows.map((row) => rowState(base, row)),
      ['deleted', 'same', 'changed'],
    );
    assert.deepEqual(editedServers(base, rows), [b, { ...c, url: 'https://d.example' }]);
  });

  it('return to their original state after every undone change', () => {
    let rows = rowsOf(base, null);
    for (const kind of mcpKinds) rows = changeServer(rows, 'a', () => ({ kind }));
    rows = deleteRow(base, rows, 'b');
    assert.deepEqual(
      editedServers(base, rows)?.map(({ id }) => id),
      ['a', 'c'],
    );
    rows = changeRow(rows, 'b', () => ({ deleted: false }));
    rows = changeServer(rows, 'b', (held) => withServerIntention(held, 'KEY', 'clear'));
    assert.equal(editedServers(base, rows)?.[1]?.env[0]?.intention, 'clear');
    rows = changeServer(rows, 'b', (held) => withServerIntention(held, 'KEY', 'keep'));
    assert.equal(editedServers(base, rows), null);
  });

  it('drop a new server that is deleted', () => {
    const rows = [...rowsOf(base, null), { server: newServer('new-1', 'sse'), deleted: false }];
    assert.equal(deleteRow(base, rows, 'new-1').length, 3);
  });

  it('copy a server with its stored secrets, but not its typed ones', () => {
    const copy = copyOf({ ...a, apiKey: { presence: 'set', intention: 'keep' } }, 'new-1', true);
    assert.deepEqual(copy, {
      ...a,
      id: 'new-1',
      copiedFrom: 'a',
      apiKey: { presence: 'set', intention: 'keep' },
    });
    const typed = copyOf({ ...a, apiKey: { presence: 'set', intention: 'replace' } }, 'new-1', true);
    assert.deepEqual(typed.apiKey, { presence: 'set', intention: 'keep' }, 'the one on the service');
    const ofNew = copyOf(b, 'new-2', false);
    assert.equal('copiedFrom' in ofNew, false);
    assert.deepEqual(ofNew.env, [{ name: 'KEY', presence: 'notSet', intention: 'keep' }]);
    assert.equal(ofNew.name, 'b-copy');
  });

  it('copy a copy with the secrets of the server on the service', () => {
    const first = copyOf({ ...a, apiKey: { presence: 'set', intention: 'keep' } }, 'new-1', true);
    assert.deepEqual(copyOf(first, 'new-2', false), { ...first, id: 'new-2' });
    const cleared = withServerIntention(first, null, 'clear');
    assert.deepEqual(copyOf(cleared, 'new-2', false).apiKey, { presence: 'set', intention: 'clear' });
    const typed = withServerIntention(first, null, 'replace');
    assert.deepEqual(copyOf(typed, 'new-2', false).apiKey, { presence: 'set', intention: 'keep' });
  });

  it('keep track of a renamed variable by its original name', () => {
    const [key] = b.env;
    assert.ok(key);
    const once = renamed(key, 'TOKEN');
    assert.deepEqual(once, { ...key, name: 'TOKEN', originalName: 'KEY' });
    assert.deepEqual(renamed(renamed(once, 'OTHER'), 'KEY'), key);
    const added = renamed(newVariable('new-x'), 'KEY');
    assert.equal(added.originalName, 'new-x');
  });

  it('find a server by its address, name, command and arguments', () => {
    const rows = rowsOf(base, null);
    const found = (filter: string) =>
      rows.filter((row) => matchesFilter(row, filter)).map((row) => row.server.id);
    assert.deepEqual(found(''), ['a', 'b', 'c']);
    assert.deepEqual(found(' EXAMPLE/mcp '), ['a']);
    assert.deepEqual(found('x y'), ['b']);
    assert.deepEqual(found('nothing'), []);
  });

  it('are not validated if unchanged', () => {
    // The command contains a space, which the form rejects.
    const rows = changeServer(rowsOf(base, null), 'b', () => ({ args: [] }));
    assert.deepEqual(targets(rows), []);
    assert.deepEqual(targets(changeServer(rows, 'b', () => ({ command: 'run more' }))), ['b.command']);
    assert.deepEqual(targets(changeServer(rowsOf(base, null), 'a', () => ({ kind: 'stdio' }))), [
      'a.name',
      'a.command',
    ]);
  });

  it('are validated by the client’s schemas when changed', () => {
    const change = (id: string, part: Partial<McpServer>) =>
      targets(changeServer(rowsOf(base, null), id, () => part));
    assert.deepEqual(change('a', { url: 'ftp://a.example' }), ['a.url']);
    assert.deepEqual(change('a', { url: ' https://b.example ' }), []);
    assert.deepEqual(change('a', { timeout: 0 }), ['a.timeout']);
    assert.deepEqual(change('a', { timeout: 3600 }), []);
    assert.deepEqual(change('b', { name: 'not good' }), ['b.name']);
    assert.deepEqual(change('c', { kind: 'shttp', url: a.url }), ['c.url']);
    assert.deepEqual(change('c', { url: a.url }), []);
  });

  it('show which variable is invalid, but ignore stored ones', () => {
    const env = (...entries: McpServer['env']) =>
      targets(changeServer(rowsOf(base, null), 'b', () => ({ env: entries })));
    const [key] = b.env;
    assert.ok(key);
    assert.deepEqual(env(key, { ...key, name: 'A=B' }), ['b.env.1']);
    assert.deepEqual(env(key, { ...key, originalName: 'n' }), ['b.env.1']);
    assert.deepEqual(env({ ...key, name: '' }), ['b.env.0']);
    const odd: McpServer = { ...b, env: [{ ...key, name: 'A B' }] };
    assert.deepEqual(rowProblems([odd], [{ server: { ...odd, args: [] }, deleted: false }]), []);
  });

  it('mark missing values, which are reported only on Save', () => {
    const rows = [{ server: newServer('new-1', 'stdio'), deleted: false }];
    assert.deepEqual(
      rowProblems([], rows).map(({ quiet }) => quiet),
      [true, true],
    );
  });

  it('are changed by an invalid timeout, but can’t be saved', () => {
    const rows = changeRow(rowsOf(base, null), 'a', () => ({ timeoutText: 'soon' }));
    assert.equal(rowState(base, rows[0]!), 'changed');
    assert.deepEqual(targets(rows), ['a.timeout']);
    assert.equal(editedServers(base, rows), null);
  });
});

describe('moving MCP servers', () => {
  const server = (id: string, kind: McpKind) => ({ ...newServer(id, kind), url: id, name: id });
  const base = [server('a', 'sse'), server('b', 'stdio'), server('c', 'sse'), server('d', 'sse')];
  const ids = (rows: readonly McpRow[]) => rows.map(({ server: { id } }) => id).join('');
  const rows = rowsOf(base, null);
  const deleted = (id: string) => rows.map((row) => (row.server.id === id ? { ...row, deleted: true } : row));

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
