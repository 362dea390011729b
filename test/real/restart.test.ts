import assert from 'node:assert/strict';
import { openDocument, differences, holdSettings, settingsNow } from './support/settings';
import {
  conversationOf,
  startConversation,
  untilConversation,
  useModel,
  writingStep,
} from './support/conversations';
import { withSettings } from './support/releases';
import { safeguards } from '../unit/state/settings/safeguards';
import { edits, keyMayGo, saveAs } from '../unit/state/settings/support';
import { SettingsDocument } from '../../src/state/settings/document';
import { failureOf } from '../unit/api/support/client';
import { real, realClient, realSuite } from './support/suite';

realSuite('service that is killed and starts again', withSettings, function () {
  this.timeout(600_000);

  it('says that the outcome of a save isn’t known, and saves after the restart', async () => {
    await holdSettings();
    const { service } = real();
    const before = await settingsNow();
    const client = realClient({
      fetch: async (input, init) => {
        if (init?.method === 'POST') await service.kill();
        return fetch(input, init);
      },
    });
    const document = await SettingsDocument.load(client, safeguards());
    const outcome = await document.save(edits({ values: { language: 'fr' } }), keyMayGo);
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual([outcome.error.reason, outcome.applied], ['refused', 'no']);

    await service.start();
    assert.deepEqual(await settingsNow(), before);
    const { notes } = await saveAs('saved', await openDocument(), { values: { language: 'fr' } });
    assert.deepEqual(notes, []);
    assert.deepEqual(differences(before.read, (await settingsNow()).read), { language: ['de', 'fr'] });
  });

  it('keeps a conversation whose sandbox ended with it', async () => {
    const { service, model } = real();
    await useModel();
    const settings = await settingsNow();
    const client = realClient();
    model.script(writingStep('never.txt', '', new Promise<void>(() => undefined)));
    const task = await startConversation(client, 'Write a file.');
    assert.equal(task.status, 'READY', task.detail ?? '');
    const id = task.app_conversation_id!;
    await untilConversation(client, id, 'running');

    await service.kill();
    assert.equal((await failureOf(client.listConversations())).reason, 'refused');
    await service.start();
    const { sandbox_status, execution_status } = await conversationOf(client, id);
    assert.deepEqual([sandbox_status, execution_status], ['MISSING', null]);
    assert.deepEqual((await client.searchSandboxes()).items, []);
    assert.deepEqual(await settingsNow(), settings);
  });
});
