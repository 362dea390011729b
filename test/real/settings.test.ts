import assert from 'node:assert/strict';
import type { PlainValues } from '../../src/shared/settings';
import type { SettingsDocument } from '../../src/features/settings/model/document';
import { edits, saveAs } from '../unit/settings/support';
import { withSettings } from './support/releases';
import { otherValues, values } from '../unit/settings/values';
import {
  assertOneChange,
  differences,
  fieldsHeld,
  filled,
  holdSettings,
  openDocument,
  secrets,
  settingsNow,
} from './support/settings';
import { itWithout, real, realClient, realSuite } from './support/suite';

const { generation, quirks } = real().release;
const fillsBaseUrl =
  generation === 'current' ? !quirks.includes('storesNoBaseUrl') : quirks.includes('fillsBaseUrl');
/** What the service stores for an emptied field, unless it’s nothing. */
const emptied: Partial<PlainValues> = {
  ...(generation === 'current' && { agent: 'CodeActAgent', max_iterations: 500, security_analyzer: 'llm' }),
  ...(fillsBaseUrl && { llm_base_url: 'https://api.openai.com' }),
};

realSuite('sandbox API key in the settings', ['first'], () => {
  let document: SettingsDocument;

  beforeEach(async () => {
    await holdSettings();
    document = await openDocument();
  });

  it('asks before a save that could make the service forget a sandbox API key', async () => {
    const before = await settingsNow();
    const outcome = await document.save(edits({ values: { language: 'fr' } }));
    assert.equal(outcome.kind, 'needsConfirmation');
    assert.deepEqual(await settingsNow(), before);
  });

  it('stores a sandbox API key, which the service never returns', async () => {
    const before = await settingsNow();
    document.setSecret({ at: 'field', field: 'sandbox_api_key' }, 'typed-secret');
    const { document: next } = await saveAs(
      'saved',
      document,
      { secrets: { sandbox_api_key: 'replace' } },
      {},
    );
    const after = await settingsNow();
    assert.deepEqual(differences(before.read, after.read), {});
    // These releases store the mask instead of the key.
    assertOneChange(before.disk, after.disk, null, '**********');
    assert.ok(next.sandboxKeyAtRisk(edits({ values: { language: 'fr' } })));
  });
});

realSuite('settings', withSettings, () => {
  let document: SettingsDocument;

  beforeEach(async () => {
    await holdSettings();
    document = await openDocument();
  });

  for (const field of fieldsHeld()) {
    it(`changes ${field}, and nothing else`, async () => {
      const before = await settingsNow();
      const { notes } = await saveAs('saved', document, { values: { [field]: otherValues[field] } });
      assert.deepEqual(notes, []);
      const after = await settingsNow();
      assert.deepEqual(differences(before.read, after.read), {
        [field]: [values[field], otherValues[field]],
      });
      assertOneChange(before.disk, after.disk, values[field], otherValues[field]);
    });
  }

  for (const field of fieldsHeld().filter((name) => typeof values[name] !== 'boolean')) {
    if (generation === 'current' && field === 'llm_model') continue;
    it(`empties ${field}, and changes nothing else`, async () => {
      await holdSettings(filled(otherValues));
      const before = await settingsNow();
      const { notes } = await saveAs('saved', await openDocument(), { values: { [field]: null } });
      assert.deepEqual(notes, []);
      const after = await settingsNow();
      const changes = Object.values(differences(before.disk, after.disk));
      // Some releases store an empty string, others null.
      assert.deepEqual(
        changes.map(([was, is]) => [was, is ?? '']),
        [[otherValues[field], emptied[field] ?? '']],
      );
    });
  }

  for (const field of ['llm_api_key', 'search_api_key'] as const) {
    it(`replaces ${field}, and nothing else`, async () => {
      const before = await settingsNow();
      document.setSecret({ at: 'field', field }, 'typed-secret');
      const { notes } = await saveAs('saved', document, { secrets: { [field]: 'replace' } });
      assert.deepEqual(notes, []);
      const after = await settingsNow();
      assert.deepEqual(differences(before.read, after.read), {});
      assertOneChange(before.disk, after.disk, secrets[field], 'typed-secret');
    });

    it(`clears ${field}, and nothing else, or says that the service kept it`, async () => {
      const before = await settingsNow();
      const { notes } = await saveAs('saved', document, { secrets: { [field]: 'clear' } });
      const after = await settingsNow();
      if (field === 'search_api_key' && quirks.includes('keepsSearchKey')) {
        assert.deepEqual(
          notes.map(({ kind, label }) => [kind, label]),
          [['secret', field]],
        );
        assert.deepEqual(after, before);
        return;
      }
      assert.deepEqual(notes, []);
      assert.deepEqual(differences(before.read, after.read), { [`${field}_set`]: [true, false] });
      assertOneChange(before.disk, after.disk, secrets[field], null);
    });
  }

  itWithout(
    'fillsBaseUrl',
    'this release fills it in',
    'keeps an empty base URL when another field changes',
    async () => {
      await holdSettings({ llm_model: 'anthropic/claude-sonnet-4-5', language: 'de' });
      const before = await settingsNow();
      await saveAs('saved', await openDocument(), { values: { language: 'fr' } });
      assertOneChange(before.disk, (await settingsNow()).disk, 'de', 'fr');
    },
  );

  it('doesn’t keep the previous provider’s address for another model', async () => {
    await holdSettings({ llm_model: 'anthropic/claude-sonnet-4-5', language: 'de' });
    const { document } = await saveAs('saved', await openDocument(), { values: { language: 'fr' } });
    const { notes } = await saveAs('saved', document, { values: { llm_model: 'openai/gpt-5' } });
    assert.deepEqual(notes, []);
    assert.doesNotMatch(JSON.stringify(await settingsNow()), /anthropic/);
  });

  it('undoes a save', async () => {
    const before = await settingsNow();
    const { document: saved } = await saveAs('saved', document, { values: otherValues });
    const undo = saved.undo();
    assert.ok(undo);
    const { notes } = await saveAs('saved', saved, undo.edits);
    assert.deepEqual([undo.notRestored, notes], [[], []]);
    assert.deepEqual(await settingsNow(), before);
  });

  it('saves the first settings of a user who never saved', async () => {
    await real().service.forgetSettings();
    const first = await openDocument();
    assert.equal(first.model.saved, false);
    const { document: saved, notes } = await saveAs('saved', first, { values: { language: 'fr' } });
    assert.deepEqual([notes, saved.model.values.language], [[], 'fr']);
    assert.equal((await realClient().getSettings()).language, 'fr');
  });
});
