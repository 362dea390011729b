import assert from 'node:assert/strict';
import type { Json } from '../../../src/shared/json';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { fakeService } from './fakeService';

/** The form of a service that answers with these members beside its own, or without those that are undefined. */
async function showing(members: Record<string, Json | undefined>) {
  const service = fakeService('observed', { language: 'de' });
  service.rewrite = (answer) => ({ ...answer, body: { ...(answer.body as object), ...members } });
  return (await SettingsDocument.load(service.client, service.safeguards)).model;
}

describe('settings: what the form shows', () => {
  it('is no email if the service shows none', async () => {
    for (const value of [undefined, null]) {
      const { email, emailVerified } = await showing({ email: value, email_verified: value });
      assert.deepEqual([email, emailVerified], [null, null]);
    }
    const { email, emailVerified } = await showing({ email: 'ada@example.com', email_verified: false });
    assert.deepEqual([email, emailVerified], ['ada@example.com', false]);
  });

  it('are the git providers with a token, and whether the service tells of them', async () => {
    const told = await showing({
      provider_tokens_set: { github: null, gitlab: 'git.example.com', no: false },
    });
    assert.deepEqual(told.providers, [
      { name: 'github', host: null },
      { name: 'gitlab', host: 'git.example.com' },
    ]);
    assert.equal(told.providersTold, true);
    assert.equal((await showing({ provider_tokens_set: {} })).providersTold, true);
    assert.equal((await showing({ provider_tokens_set: undefined })).providersTold, false);
  });

  it('are the kinds of unknown values that may hold a secret, and other values themselves', async () => {
    const { other } = await showing({
      a_text: 'canary',
      a_list: ['canary'],
      an_object: { key: 'canary' },
      a_number: 5,
      a_flag: true,
      nothing: null,
    });
    assert.doesNotMatch(JSON.stringify(other), /canary/);
    assert.deepEqual(
      other.filter(({ name }) => /^(an?_|nothing)/.test(name)),
      [
        { name: 'a_text', text: 'Text' },
        { name: 'a_list', text: 'List' },
        { name: 'an_object', text: 'Object' },
        { name: 'a_number', text: '5' },
        { name: 'a_flag', text: 'true' },
        { name: 'nothing', text: 'null' },
      ],
    );
  });
});

describe('settings: whether a secret is set', () => {
  const secrets = async (members: Record<string, Json | undefined>) =>
    (
      await showing({
        llm_api_key_set: undefined,
        search_api_key_set: undefined,
        llm_api_key: undefined,
        search_api_key: undefined,
        sandbox_api_key: undefined,
        ...members,
      })
    ).secrets;

  it('is what the service says of it, whatever it shows', async () => {
    const told = await secrets({ llm_api_key_set: false, llm_api_key: '***', search_api_key_set: true });
    assert.deepEqual([told.llm_api_key, told.search_api_key], ['notSet', 'set']);
  });

  it('is unknown where the service neither tells nor masks, except for a key that it would tell of', async () => {
    for (const shown of [undefined, null, '']) {
      const { llm_api_key, search_api_key, sandbox_api_key } = await secrets({ llm_api_key: shown });
      assert.deepEqual(
        [llm_api_key, search_api_key, sandbox_api_key],
        ['unknown', 'notSet', 'unknown'],
        String(shown),
      );
    }
  });

  it('stays unknown beside a key that is shown in clear', async () => {
    const { llm_api_key, sandbox_api_key } = await secrets({ llm_api_key: 'in-clear' });
    assert.deepEqual([llm_api_key, sandbox_api_key], ['set', 'unknown']);
  });

  it('is a mask’s presence in a service that masks', async () => {
    const { llm_api_key, sandbox_api_key } = await secrets({ llm_api_key: '**********' });
    assert.deepEqual([llm_api_key, sandbox_api_key], ['set', 'notSet']);
  });
});
