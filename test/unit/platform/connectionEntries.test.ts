import assert from 'node:assert/strict';
import { connectionsIn, entriesWith } from '../../../src/platform/connectionEntries';
import type { Connection } from '../../../src/shared/connection';

const url = 'https://team.example.com';
const team: Connection = { name: 'Team', baseUrl: url, origin: url };
const other = { name: 'Other', url: 'https://other.example.com' };

describe('connection in the settings', () => {
  it('keeps the network options that its entry has, even if they can’t be used', () => {
    for (const network of [{ caFile: '/ca.pem', noProxy: '*' }, { caFile: 'relative.pem' }]) {
      const entry = { name: 'Former', url: `${url}/`, network };
      const known: Connection = { ...team, authentication: 'apiKey', network: { caFile: '/former.pem' } };
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
});
