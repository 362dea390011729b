import assert from 'node:assert/strict';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { StoredSettings } from '../../service/records';
import { fakeService, type FakeService } from './fakeService';
import { saveAs } from './support';

const model = 'anthropic/claude-sonnet-4-5';
const load = ({ client, safeguards }: FakeService) => SettingsDocument.load(client, safeguards);
const posted = ({ posts }: FakeService) => posts.at(-1);

async function changed(
  service: FakeService,
  values: Partial<Pick<StoredSettings, 'llm_model' | 'language'>>,
) {
  const { notes } = await saveAs('saved', await load(service), { values });
  assert.deepEqual(notes, []);
}

describe('trap: a base URL that isn’t set is stored as the address of the model’s provider, unseen', () => {
  it('gets the new provider’s address together with another model (current)', async () => {
    const service = fakeService('current', { llm_model: model });
    await changed(service, { language: 'it' });
    assert.equal(service.state.settings?.llm_base_url, 'https://api.anthropic.com');
    assert.equal((await load(service)).model.values.llm_base_url, null);
    await changed(service, { llm_model: 'openai/gpt-5' });
    assert.deepEqual(posted(service), {
      agent_settings_diff: { llm: { model: 'openai/gpt-5', base_url: null } },
    });
    assert.equal(service.state.settings.llm_base_url, 'https://api.openai.com');
  });

  it('isn’t sent with other changes, which would take the model profile out of use (current)', async () => {
    const service = fakeService('current', { llm_model: model });
    service.rewrite = (answer) => ({ ...answer, body: { ...Object(answer.body), disabled_skills: null } });
    await changed(service, { language: 'it' });
    assert.deepEqual(posted(service), { language: 'it' });
  });

  it('stays with another model when the user has set it (current)', async () => {
    const service = fakeService('current', { llm_model: model, llm_base_url: 'https://llm.example.com' });
    await changed(service, { llm_model: 'openai/gpt-5' });
    assert.deepEqual(posted(service), { agent_settings_diff: { llm: { model: 'openai/gpt-5' } } });
  });

  it('is cleared together with another model (first)', async () => {
    const service = fakeService('observed', { llm_model: model });
    await changed(service, { llm_model: 'openai/gpt-5' });
    assert.equal(posted(service)?.llm_base_url, '');
  });

  it('stays unset on releases that take an empty text for that, and null where they don’t', async () => {
    const newer = fakeService('observed', { llm_model: model, disabled_skills: null });
    await changed(newer, { language: 'it' });
    assert.equal(posted(newer)?.llm_base_url, '');
    const older = fakeService('observed', { llm_model: model });
    await changed(older, { language: 'it' });
    assert.equal(posted(older)?.llm_base_url, null);
  });
});
