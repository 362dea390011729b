import assert from 'node:assert/strict';
import { replaceSecret } from '../../src/features/secrets/model/replaceSecret';
import { failureOf } from '../unit/api/support/client';
import { values } from '../unit/settings/values';
import { holdSettings, onDisk } from './support/settings';
import { real, knownClient, realClient, realSuite } from './support/suite';

const key = async () => {
  const { agent_settings } = (await onDisk()) as { agent_settings: { llm: { api_key: string } } };
  return agent_settings.llm.api_key;
};

/** The settings without the profiles that some releases include. */
const settings = async () => {
  const { llm_profiles: _, ...rest } = (await realClient().getSettings()) as Record<string, unknown>;
  return rest;
};

realSuite('model profiles', ['current'], () => {
  beforeEach(async () => {
    await holdSettings();
    const client = knownClient();
    for (const { name } of (await client.listProfiles()).profiles) await client.deleteProfile(name);
  });

  it('save the current model with its key, and leave the settings alone', async () => {
    const client = knownClient();
    const before = await settings();
    assert.deepEqual((await client.listProfiles()).profiles, []);
    await client.saveProfile('mine');
    const { profiles } = await client.listProfiles();
    assert.deepEqual(
      profiles.map(({ name, model, base_url, api_key_set }) => [name, model, base_url, api_key_set]),
      [['mine', values.llm_model, values.llm_base_url, true]],
    );
    assert.deepEqual(await settings(), before);
    assert.doesNotMatch(JSON.stringify(await client.listProfiles()), /llm-secret/);
  });

  it('change only model, address, and key when activated', async () => {
    const client = knownClient();
    await client.saveProfile('mine');
    const before = await settings();
    const other = {
      llm_model: 'openai/gpt',
      llm_base_url: 'https://other.example.com',
      llm_api_key: 'other',
    };
    await client.getSettings();
    await client.postSettings(other);
    assert.equal(await key(), 'other');
    await client.activateProfile('mine');
    assert.deepEqual(await settings(), before);
    assert.equal(await key(), 'llm-secret');
    assert.equal((await client.listProfiles()).active_profile, 'mine');
  });

  it('can be renamed and deleted', async () => {
    const client = knownClient();
    await client.saveProfile('one');
    await client.saveProfile('two');
    await client.renameProfile('one', 'three');
    assert.equal((await failureOf(client.renameProfile('two', 'three'))).reason, 'conflict');
    await client.deleteProfile('two');
    await client.deleteProfile('two');
    assert.deepEqual(
      (await client.listProfiles()).profiles.map(({ name }) => name),
      ['three'],
    );
  });
});

realSuite('custom secrets', ['current'], () => {
  const stored = async () => {
    const { custom_secrets } = (await onDisk('secrets.json')) as {
      custom_secrets: Record<string, { secret: string; description: string }>;
    };
    return Object.fromEntries(
      Object.entries(custom_secrets).map(([name, { secret, description }]) => [name, [secret, description]]),
    );
  };

  beforeEach(async () => {
    await holdSettings();
    const client = knownClient();
    await client.saveSecret({ name: 'FIRST', value: 'one-secret', description: 'The first' });
    await client.saveSecret({ name: 'SECOND', value: 'two-secret', description: '' });
  });

  it('are stored, and listed without their values', async () => {
    const secrets = await knownClient().listSecrets();
    assert.deepEqual(
      secrets.map(({ name, description }) => [name, description ?? '']),
      [
        ['FIRST', 'The first'],
        ['SECOND', ''],
      ],
    );
    assert.deepEqual(await stored(), { FIRST: ['one-secret', 'The first'], SECOND: ['two-secret', ''] });
  });

  it('keep their value when the description changes', async () => {
    await knownClient().describeSecret('FIRST', 'Another description');
    assert.deepEqual((await stored())['FIRST'], ['one-secret', 'Another description']);
  });

  it('are replaced, or deleted and added again if the service refuses to replace them', async () => {
    const third = { name: 'FIRST', value: 'three-secret', description: 'The third' };
    const keeps = real().release.quirks.includes('keepsSecrets');
    if (keeps) {
      assert.equal((await failureOf(knownClient().saveSecret(third))).status, 400);
      assert.deepEqual((await stored())['FIRST'], ['one-secret', 'The first']);
    }
    let deletions = 0;
    await replaceSecret(knownClient(), third, () => (deletions += 1));
    assert.deepEqual(await stored(), { FIRST: ['three-secret', 'The third'], SECOND: ['two-secret', ''] });
    assert.equal(deletions, keeps ? 1 : 0);
  });

  it('are deleted one by one', async () => {
    await knownClient().deleteSecret('SECOND');
    assert.deepEqual(Object.keys(await stored()), ['FIRST']);
  });

  it('survive a save of the settings', async () => {
    const client = knownClient();
    await client.getSettings();
    await client.postSettings({ language: 'fr' });
    assert.deepEqual(Object.keys(await stored()), ['FIRST', 'SECOND']);
  });
});

realSuite('model profiles and custom secrets, if the service has none', ['first'], () => {
  it('are absent from the client', async () => {
    const client = realClient();
    await client.getSettings();
    assert.deepEqual([client.profiles, client.secrets], [undefined, undefined]);
  });
});
