import assert from 'node:assert/strict';
import type { MoreSettings, MoreValue, MoreValues } from '../../src/shared/moreFields';
import { edits, saveAs } from '../unit/settings/support';
import { differences, holdSettings, onDisk, openDocument } from './support/settings';
import { realSuite } from './support/suite';

/** Another value that the field allows, judging by its description. */
function otherValue({ control, choices, value }: MoreSettings['fields'][number]): MoreValue {
  switch (control) {
    case 'flag':
      return value !== true;
    case 'choice':
      return choices.find((choice) => choice.value !== value)?.value ?? null;
    case 'wholeNumber':
      return typeof value === 'number' ? value + 1 : 7;
    case 'amount':
      return 0.5;
    case 'text':
      return 'other';
  }
}

realSuite('settings that the service describes', ['current'], () => {
  before(() => holdSettings());

  it('are the ones missing from the form, with their stored values', async () => {
    const { fields, elsewhere } = (await openDocument()).model.more;
    const paths = fields.map(({ path }) => path);
    assert.ok(paths.includes('agent_settings.llm.temperature'));
    assert.ok(
      !paths.some((path) => /agent_kind|mcp_config|_key$|secret|base_url/.test(path)),
      paths.join(' '),
    );
    assert.ok(elsewhere.includes('AWS Secret Access Key'));
    assert.equal(fields.find(({ path }) => path === 'agent_settings.llm.num_retries')?.value, 5);
  });

  it('change and go back one at a time, on disk too, or are refused with nothing changed', async function () {
    this.timeout(400_000);
    let document = await openDocument();
    const initial = await onDisk();
    const { fields } = document.model.more;
    const refused: string[] = [];
    // Each save takes back the change before: half the requests to a slow service.
    let back: MoreValues = {};
    for (const field of fields) {
      const { path } = field;
      const wanted = otherValue(field);
      const before = await onDisk();
      const outcome = await document.save(edits({ more: { ...back, [path]: wanted } }), {});
      // The service answers 500 for some values it can’t use, and stores nothing then either.
      if (outcome.kind === 'invalid' || (outcome.kind === 'failed' && outcome.applied === 'no')) {
        refused.push(path);
        assert.deepEqual(differences(before, await onDisk()), {}, path);
        continue;
      }
      assert.equal(outcome.kind, 'saved', `${path}: ${JSON.stringify(outcome)}`);
      assert.deepEqual(outcome.notes, [], path);
      assert.deepEqual(
        Object.entries(differences(initial, await onDisk())).map(([place, [, now]]) => [place, now]),
        [[path, wanted]],
      );
      ({ document } = outcome);
      const undo = document.undo();
      assert.ok(undo, path);
      back = { [path]: undo.edits.more?.[path] ?? null };
    }
    await saveAs('saved', document, { more: back }, {});
    assert.deepEqual(differences(initial, await onDisk()), {});
    assert.ok(refused.length < fields.length / 10, refused.join(' '));
  });
});
