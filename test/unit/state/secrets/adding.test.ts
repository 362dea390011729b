import assert from 'node:assert/strict';
import { Refusal } from '../../../../src/state/basics/refusal';
import { addProfile, addSecret } from '../../../../src/state/secrets/adding';
import { startService, type ReferenceService } from '../../../service/service';
import { testClient } from '../../api/support/client';

describe('adding what a service keeps by name', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'current' });
  });
  beforeEach(() => service.reset({ seed: 'lifelike' }));
  after(() => service.close());

  const client = () => testClient(service.url, { sessionKey: service.sessionKey }).client;
  const changes = () => service.requests.filter(({ method }) => method !== 'GET').length;

  it('adds a secret, and replaces none that somebody else has added meanwhile', async () => {
    await addSecret(client(), { name: 'TOKEN', value: 'one', description: '' });
    assert.equal(service.state.secrets.get('TOKEN')?.value, 'one');
    await assert.rejects(addSecret(client(), { name: 'TOKEN', value: 'two', description: '' }), Refusal);
    assert.deepEqual([service.state.secrets.get('TOKEN')?.value, changes()], ['one', 1]);
  });

  it('adds a profile, and replaces none that somebody else has added meanwhile', async () => {
    const before = (await client().listProfiles()).profiles.map(({ name }) => name);
    await addProfile(client(), 'work');
    await assert.rejects(addProfile(client(), 'work'), Refusal);
    assert.deepEqual(
      [(await client().listProfiles()).profiles.map(({ name }) => name), changes()],
      [[...before, 'work'], 1],
    );
  });
});
