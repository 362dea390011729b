import assert from 'node:assert/strict';
import { connectionEntrySchema, otherOrganizations } from '../../../src/shared/connection';

const entry = { name: 'Team', url: 'https://agents.example.com' };

describe('an entry of the setting “connections”', () => {
  for (const authentication of ['sessionKey', 'apiKey'])
    it(`may have the authentication ${authentication}`, () => {
      assert.deepEqual(connectionEntrySchema.parse({ ...entry, authentication }), {
        ...entry,
        authentication,
      });
    });

  it('may have each network option', () => {
    const network = {
      caFile: 'ca.pem',
      certFile: 'c.pem',
      keyFile: 'k.pem',
      proxy: 'proxy:8080',
      noProxy: '',
    };
    assert.deepEqual(connectionEntrySchema.parse({ ...entry, network }), { ...entry, network });
  });

  for (const [title, wrong] of [
    ['another authentication', { ...entry, authentication: '' }],
    ['no address', { name: 'Team' }],
    ['an unknown member', { ...entry, key: 'secret' }],
    ['an unknown network option', { ...entry, network: { insecure: true } }],
    ['an empty network option', { ...entry, network: { caFile: '' } }],
  ] as const)
    it(`is refused with ${title}`, () => {
      assert.equal(connectionEntrySchema.safeParse(wrong).success, false);
    });
});

describe('the organizations to switch to', () => {
  const [a, b] = [
    { id: 'a', name: 'One' },
    { id: 'b', name: 'Two' },
  ];

  it('are all but the one of the connection, which may have removed the user', () => {
    assert.deepEqual(otherOrganizations([a, b], { organization: a }), [b]);
    assert.deepEqual(otherOrganizations([b], { organization: a }), [b]);
    assert.deepEqual(otherOrganizations([a], { organization: a }), []);
  });

  it('are several where the service has chosen one', () => {
    assert.deepEqual(otherOrganizations([a, b], {}), [a, b]);
    assert.deepEqual(otherOrganizations([a], {}), []);
  });
});
