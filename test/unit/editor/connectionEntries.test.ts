import assert from 'node:assert/strict';
import manifest from '../../../package.json';
import {
  connectionsIn,
  entriesBesideUnused,
  entriesIn,
  entriesWith,
} from '../../../src/editor/connectionEntries';
import type { Connection, ConnectionEntry } from '../../../src/shared/connection';

const url = 'https://team.example.com';
const team: Connection = { name: 'Team', baseUrl: url, origin: url };
const other = { name: 'Other', url: 'https://other.example.com' };

describe('connection in the settings', () => {
  it('keeps the network options that its entry has, even if they can’t be used', () => {
    for (const network of [{ caFile: '/ca.pem', noProxy: '*' }, { caFile: 'relative.pem' }]) {
      const entry = { name: 'Previous', url: `${url}/`, network };
      const known: Connection = { ...team, authentication: 'apiKey', network: { caFile: '/previous.pem' } };
      for (const connection of [team, known]) {
        const [changed, ...others] = entriesWith([entry, other], connection);
        assert.deepEqual([changed?.name, changed?.url, changed?.network], ['Team', url, network]);
        assert.equal(changed?.authentication, connection.authentication);
        assert.deepEqual(others, [other]);
      }
    }
  });

  it('keeps no network options that were removed from its entry', () => {
    const known = { ...team, network: { caFile: '/ca.pem' } };
    assert.deepEqual(entriesWith([{ name: 'Team', url }], known), [{ name: 'Team', url }]);
    assert.deepEqual(entriesWith([other], known), [other, { name: 'Team', url, network: known.network }]);
  });

  it('is read, and kept when another is added, though it was written without a list', () => {
    assert.deepEqual(connectionsIn({ name: 'Team', url }).connections, [team]);
    assert.match(connectionsIn(url).problems[0] ?? '', /^Connection 1 in your settings needs a name/);
    for (const value of [{ name: 'Team', url }, url, 5]) assert.deepEqual(entriesIn(value), [value]);
    for (const value of [undefined, null, []]) assert.deepEqual(entriesIn(value), []);
  });

  it('is refused by its address if its network options can’t be used', () => {
    const refused = { name: 'Team', url: `${url}/`, network: { certFile: '/client.pem' } };
    const found = connectionsIn([refused, other]);
    assert.deepEqual(
      found.connections.map(({ name }) => name),
      ['Other'],
    );
    const words = 'Connection “Team” in your settings: Set both “certFile” and “keyFile”, or neither.';
    assert.deepEqual(found.problems, [words]);
    assert.deepEqual([...found.refused], [[url, words]]);
  });

  it('is named with the member that’s wrong, and without its value', () => {
    const [value, known] = ['canary', { name: 'Team', url }];
    const cases: [object, string][] = [
      [{ ...known, authentication: value }, 'The value of “authentication” isn’t valid.'],
      [{ ...known, network: value }, 'The value of “network” isn’t valid.'],
      [{ ...known, network: { caFile: '' } }, 'The value of “network.caFile” isn’t valid.'],
      [{ ...known, network: { ca: value } }, '“network.ca” isn’t a setting of a connection.'],
      [{ ...known, sessionKey: value }, '“sessionKey” isn’t a setting of a connection.'],
    ];
    for (const [entry, words] of cases)
      assert.deepEqual(connectionsIn([entry]).problems, [`Connection “Team” in your settings: ${words}`]);
  });

  it('is counted if it has no name or address', () => {
    const entries = [{ url }, { name: '', url, authentication: 'key' }, { name: 'Team', network: {} }, null];
    assert.deepEqual(
      connectionsIn(entries).problems,
      [1, 2, 3, 4].map((place) => `Connection ${place} in your settings needs a name and an address.`),
    );
  });

  it('doesn’t stay for nothing if it’s the default one without a key', () => {
    const defaults = manifest.contributes.configuration.properties['agentWorkspace.connections'].default;
    const [unused] = defaults;
    assert.ok(unused);
    const without = (entries: ConnectionEntry[], ...keys: string[]) =>
      entriesBesideUnused(entries, defaults, (origin) => keys.includes(origin));
    assert.deepEqual(without([unused, other]), [other]);
    assert.deepEqual(without([unused, other], unused.url), [unused, other]);
    const edited = [
      { ...unused, name: 'Mine' },
      { ...unused, url: 'http://localhost:3001' },
      { ...unused, authentication: 'apiKey' as const },
    ];
    assert.deepEqual(without(edited), edited);
    assert.deepEqual(
      entriesBesideUnused([unused], undefined, () => false),
      [unused],
    );
  });
});
