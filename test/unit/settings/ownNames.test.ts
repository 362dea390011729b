import assert from 'node:assert/strict';
import { withOwnNames } from '../../../src/features/settings/model/ownNames';
import { readServers } from '../../../src/features/settings/model/servers';

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
});
