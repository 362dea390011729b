import assert from 'node:assert/strict';
import type { Json } from '../../../src/shared/json';
import { listOfKind, type McpKind } from '../../../src/shared/mcp';
import {
  differingCells,
  holds,
  listsOf,
  misses,
  readServers,
  type HeldServer,
  withOwnNames,
} from '../../../src/features/settings/model/servers';

/** The server as it's read from `wire`. */
function server(kind: McpKind, wire: Json): HeldServer {
  const [held] = readServers({ [listOfKind[kind]]: [wire] });
  assert.ok(held);
  return held;
}

const url = 'https://one.example.com/mcp';
const tool = (env: Json, more: Record<string, Json> = {}) =>
  server('stdio', { name: 'tool', command: 'run', args: ['a'], env, ...more });

describe('cells of MCP servers', () => {
  it('differ by member and by variable', () => {
    const before = tool({ A: '1', B: '2' });
    const after = tool({ B: '3', C: '4' }, { command: 'other' });
    assert.deepEqual(differingCells(before, after), ['command', 'env.A', 'env.B', 'env.C']);
    assert.deepEqual(differingCells(before, tool({ B: '2', A: '1' })), []);
  });

  it('are only those that the kind has', () => {
    const [held, moved] = [server('shttp', { url, timeout: 5 }), server('sse', { url })];
    assert.deepEqual(differingCells(held, moved), ['kind', 'timeout']);
  });

  it('are held if the service only fills in a timeout', () => {
    assert.equal(holds(server('shttp', { url }), server('shttp', { url, timeout: 60 })), true);
    assert.deepEqual(misses(server('shttp', { url, timeout: 5 }), server('shttp', { url, timeout: 60 })), [
      { path: 'timeout', name: 'timeout', meant: 5, held: 60 },
    ]);
  });

  it('are named as on the wire', () => {
    assert.deepEqual(misses(server('sse', { url, api_key: 'a' }), server('sse', { url })), [
      { path: 'apiKey', name: 'api_key', meant: 'a', held: null },
    ]);
    assert.deepEqual(misses(tool({ A: 'a' }), tool({ A: 'b' })), [
      { path: 'env.A', name: 'env.A', meant: 'a', held: 'b' },
    ]);
  });

  it('miss unknown members that are lost or changed, but none that the service adds', () => {
    const [with5, with6] = [tool({}, { extra: 5 }), tool({}, { extra: 6 })];
    assert.deepEqual(misses(with5, tool({})), [{ path: undefined, name: 'extra', meant: 5, held: null }]);
    assert.deepEqual(misses(with5, with6), [{ path: undefined, name: 'extra', meant: 5, held: 6 }]);
    assert.equal(holds(tool({}), with5), true);
    assert.equal(holds(with5, tool({}, { extra: 5 })), true);
  });
});

/** Tools that have these names, and ids of their own. */
const tools = (...names: string[]) =>
  readServers({ stdio_servers: names.map((name, index) => ({ name, command: `run ${index}` })) }).map(
    (server, index) => ({ ...server, id: `id-${index}` }),
  );

describe('names of servers in a map', () => {
  it('are numbered where they are taken, but not for the one that has the name there', () => {
    const servers = tools('one', 'one', 'one', 'two');
    const named = withOwnNames(servers, servers.slice(1, 2));
    assert.deepEqual(
      named.map(({ name }) => name),
      ['one-2', 'one', 'one-3', 'two'],
    );
    assert.deepEqual(named[0]?.raw, { name: 'one-2', command: 'run 0' });
    assert.equal(named[1], servers[1]);
    assert.equal(named[3], servers[3]);
  });

  it('aren’t made up for servers that have none', () => {
    const config = {
      sse_servers: [{ url: `${url}/1` }, { url: `${url}/2`, name: null }],
      shttp_servers: [{ url }, { url: `${url}/3` }, { url: `${url}/4`, name: 'named' }],
    };
    const servers = readServers(config);
    assert.deepEqual(listsOf(withOwnNames(servers, [])), { ...config, stdio_servers: [] });
  });

  it('are numbered for copies of a server with an address, too', () => {
    const servers = readServers({
      shttp_servers: [
        { url, name: 'one' },
        { url: `${url}/copy`, name: 'one' },
      ],
    });
    assert.deepEqual(
      withOwnNames(servers, servers.slice(0, 1)).map(({ raw }) => raw),
      [
        { url, name: 'one' },
        { url: `${url}/copy`, name: 'one-2' },
      ],
    );
  });
});
