import assert from 'node:assert/strict';
import type { FlatClient } from '../../../support/builders/client';
import { startService, type ReferenceService } from '../../../service/service';
import { failureOf, testClient } from '../support/client';

describe('model profiles, custom secrets, and repositories of the current generation', () => {
  let service: ReferenceService;
  let client: FlatClient;
  before(async () => {
    service = await startService({ profile: 'current' });
  });
  beforeEach(() => {
    service.reset({ seed: 'lifelike' });
    ({ client } = testClient(service.url, { sessionKey: service.sessionKey, known: 'current' }));
  });
  after(() => service.close());

  const settings = () => service.state.settings;
  const asked = () => service.requests.map(({ method, path }) => `${method} ${path}`);

  it('saves the current model as a profile, whose key never shows', async () => {
    service.patch({ settings: { llm_model: 'openai/gpt-5', llm_base_url: null, llm_api_key: 'canary' } });
    await client.saveProfile('work');
    const { profiles } = await client.listProfiles();
    assert.deepEqual(profiles, [{ name: 'work', model: 'openai/gpt-5', base_url: null, api_key_set: true }]);
    assert.equal(service.state.profiles.get('work')?.api_key, 'canary');
  });

  it('saves another model as a profile, while the current one stays', async () => {
    await client.getSettings();
    service.patch({ settings: { llm_model: 'openai/gpt-5', llm_api_key: 'mine' } });
    const model = { model: 'anthropic/claude', key: 'canary', baseUrl: 'https://llm.example.com' };
    await client.saveProfile('other', undefined, model);
    await client.saveProfile('keyless', undefined, { ...model, key: '', baseUrl: '' });
    assert.deepEqual(service.state.profiles.get('other'), {
      ...{ model: 'anthropic/claude', base_url: 'https://llm.example.com', api_key: 'canary' },
    });
    assert.equal(service.state.profiles.get('keyless')?.api_key, null);
    assert.deepEqual([settings()?.llm_model, settings()?.llm_api_key], ['openai/gpt-5', 'mine']);
  });

  it('uses a profile, which replaces model, address, and key', async () => {
    const profile = { model: 'anthropic/claude', base_url: 'https://llm.example.com', api_key: null };
    service.state.profiles.set('home', profile);
    await client.activateProfile('home');
    assert.equal((await client.listProfiles()).active_profile, 'home');
    assert.deepEqual(
      [settings()?.llm_model, settings()?.llm_base_url, settings()?.llm_api_key],
      ['anthropic/claude', 'https://llm.example.com', null],
    );
  });

  it('has no profile in use once the model changes', async () => {
    await client.getSettings();
    await client.saveProfile('work');
    await client.activateProfile('work');
    await client.postSettings({ llm_model: 'openai/other' });
    assert.equal((await client.listProfiles()).active_profile, null);
  });

  it('renames and deletes a profile', async () => {
    await client.saveProfile('work');
    await client.saveProfile('home');
    assert.equal((await failureOf(client.renameProfile('work', 'home'))).reason, 'conflict');
    await client.renameProfile('work', 'office');
    await client.deleteProfile('home');
    assert.deepEqual([...service.state.profiles.keys()], ['office']);
  });

  it('says that there is no room for an eleventh profile', async () => {
    for (let count = 0; count < 10; count += 1) await client.saveProfile(`p${count}`);
    assert.equal((await failureOf(client.saveProfile('p10'))).reason, 'conflict');
  });

  it('trap: profiles called “.” and “..” would reach another route', async () => {
    for (const name of ['.', '..', '', 'a/b', 'ä', 'x'.repeat(65)])
      for (const call of [client.deleteProfile(name), client.saveProfile(name), client.activateProfile(name)])
        assert.equal((await failureOf(call)).reason, 'badId', name);
    assert.deepEqual(asked(), []);
  });

  it('adds, describes, replaces, and deletes a custom secret, whose value never shows', async () => {
    await client.saveSecret({ name: 'TOKEN', value: 'canary', description: 'For the registry' });
    assert.deepEqual(await client.listSecrets(), [{ name: 'TOKEN', description: 'For the registry' }]);
    await client.describeSecret('TOKEN', 'For npm');
    assert.deepEqual(service.state.secrets.get('TOKEN'), { value: 'canary', description: 'For npm' });
    await client.saveSecret({ name: 'TOKEN', value: 'other', description: 'For npm' });
    assert.deepEqual(service.state.secrets.get('TOKEN'), { value: 'other', description: 'For npm' });
    await client.deleteSecret('TOKEN');
    assert.deepEqual(await client.listSecrets(), []);
  });

  it('reads all pages of custom secrets', async () => {
    for (let count = 0; count < 150; count += 1)
      service.state.secrets.set(`S${count}`, { value: '', description: '' });
    assert.equal((await client.listSecrets()).length, 150);
  });

  it('keeps a value that a refusal quotes out of the error', async () => {
    service.fail({
      method: 'POST',
      path: '/api/v1/secrets',
      effect: { kind: 'answer', status: 400, body: { detail: 'The value canary-81 is no good' } },
    });
    const error = await failureOf(client.saveSecret({ name: 'TOKEN', value: 'canary-81', description: '' }));
    assert.doesNotMatch(`${error.message} ${error.serverText}`, /canary/);
  });

  it('trap: deleting a secret called “git-providers” would clear all git provider tokens', async () => {
    service.patch({ providerTokens: { github: { token: 'good', user_id: null, host: null } } });
    for (const name of ['git-providers', 'Git-Providers', 'search']) {
      assert.equal((await failureOf(client.deleteSecret(name))).reason, 'badId');
      assert.equal((await failureOf(client.describeSecret(name, ''))).reason, 'badId');
    }
    assert.deepEqual(asked(), []);
    assert.ok(service.state.providerTokens['github']);
  });

  it('lists repositories and branches at a provider', async () => {
    service.patch({
      providerTokens: { github: { token: 'good', user_id: null, host: null } },
      repositories: [
        { full_name: 'ada/engine', git_provider: 'github', branches: ['main', 'next'] },
        { full_name: 'ada/other', git_provider: 'gitlab', branches: ['main'] },
      ],
    });
    assert.deepEqual(await client.searchRepositories('github'), [
      { full_name: 'ada/engine', git_provider: 'github', main_branch: 'main' },
    ]);
    assert.deepEqual(await client.searchBranches('github', 'ada/engine'), ['main', 'next']);
    assert.equal((await failureOf(client.searchRepositories('gitlab'))).reason, 'serverError');
  });

  it('says that there is no git token at all', async () => {
    service.patch({ providerTokens: {} });
    assert.equal((await failureOf(client.searchRepositories('github'))).reason, 'forbidden');
    assert.equal((await failureOf(client.searchBranches('github', 'ada/engine'))).reason, 'forbidden');
  });
});
