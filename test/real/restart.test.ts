import assert from 'node:assert/strict';
import { SettingsDocument, type SaveOutcome } from '../../src/features/settings/model/document';
import { safeguards } from '../unit/core/settings/safeguards';
import { edits, keyMayGo, saveAs } from '../unit/settings/support';
import {
  conversationOf,
  startConversation,
  untilConversation,
  useModel,
  writingStep,
} from './support/conversations';
import { withSettings } from './support/releases';
import { differences, openDocument, settingsNow } from './support/settings';
import { real, realClient, realSuite } from './support/suite';

realSuite('service killed during a save and started again', withSettings, function () {
  this.timeout(600_000);
  let conversation: string;
  let settings: Awaited<ReturnType<typeof settingsNow>>;
  let outcome: SaveOutcome;

  before(async () => {
    const { service, model } = real();
    const client = realClient();
    await useModel();
    settings = await settingsNow();
    model.script(writingStep('never.txt', '', new Promise<void>(() => undefined)));
    const task = await startConversation(client, 'Write a file.');
    assert.equal(task.status, 'READY', task.detail ?? '');
    conversation = task.app_conversation_id!;
    await untilConversation(client, conversation, 'running');

    const killing = realClient({
      fetch: async (input, init) => {
        if (init?.method === 'POST') await service.kill();
        return fetch(input, init);
      },
    });
    const document = await SettingsDocument.load(killing, safeguards());
    outcome = await document.save(edits({ values: { language: 'fr' } }), keyMayGo);
    await service.start();
  });

  it('hasn’t saved anything, and the client says so', async () => {
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual([outcome.error.reason, outcome.applied], ['refused', 'no']);
    assert.deepEqual(await settingsNow(), settings);
  });

  it('still has the conversation, without its sandbox', async () => {
    const client = realClient();
    const { sandbox_status, execution_status } = await conversationOf(client, conversation);
    assert.deepEqual([sandbox_status, execution_status], ['MISSING', null]);
    assert.deepEqual((await client.searchSandboxes()).items, []);
  });

  it('saves again', async () => {
    const { notes } = await saveAs('saved', await openDocument(), { values: { language: 'fr' } });
    assert.deepEqual(notes, []);
    assert.deepEqual(differences(settings.read, (await settingsNow()).read), { language: [null, 'fr'] });
  });
});
