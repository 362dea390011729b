import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { tempFolder } from '../support/lifetime';
import { run } from '../support/processes';
import type { FormEdits } from '../../src/features/settings/shared/form';
import type { PlainField } from '../../src/shared/settings';
import { edits, keyMayGo } from '../unit/settings/support';
import type { EditorTask } from './support/editor';
import { withSettings } from './support/releases';
import { differences, fieldsHeld, holdSettings, openDocument, settingsNow } from './support/settings';
import { values } from '../unit/settings/values';
import { real, realSuite } from './support/suite';

/** Every run makes the same edits; set the variable for others. */
const seed = Number(process.env['REAL_SEED'] ?? 20_260_101);

/** Few fields with few values, so the two users’ edits often conflict. */
const edit: fc.Arbitrary<FormEdits['values']> = fc.record(
  {
    llm_model: fc.constantFrom('anthropic/claude', 'openai/gpt', 'mistral/large'),
    language: fc.constantFrom('de', 'fr', 'it'),
    max_iterations: fc.constantFrom(120, 7, 50),
  },
  { requiredKeys: [] },
);
const step = fc.record({
  who: fc.nat(1),
  edit,
  opens: fc.boolean(),
  choice: fc.constantFrom('mine' as const, 'theirs' as const),
});

realSuite('edits by two clients', withSettings, () => {
  beforeEach(() => holdSettings());

  it(`loses nothing unseen when two forms take turns (seed ${seed})`, async function () {
    this.timeout(300_000);
    const steps = fc.sample(fc.array(step, { minLength: 40, maxLength: 40, size: 'max' }), {
      seed,
      numRuns: 1,
    })[0]!;
    const forms = [await openDocument(), await openDocument()];
    const outcomes = new Set<string>();
    for (const { who, edit, opens, choice } of steps) {
      if (opens) forms[who] = await openDocument();
      const form = forms[who]!;
      const before = await settingsNow();
      const held = before.read as Record<string, unknown>;
      const wanted = (Object.entries(edit) as [PlainField, unknown][]).filter(
        ([field, value]) => form.model.values[field] !== value,
      );
      const values = Object.fromEntries(wanted) as FormEdits['values'];
      const isContested = ([field, value]: [PlainField, unknown]) =>
        held[field] !== form.model.values[field] && held[field] !== value;
      const contested = wanted.filter(isContested).map(([field]) => field);

      let outcome = await form.save(edits({ values }), keyMayGo);
      outcomes.add(outcome.kind);
      if (contested.length > 0) {
        assert.equal(outcome.kind, 'conflict');
        assert.deepEqual(
          outcome.conflicts.map(({ label }) => label).sort(),
          [...contested].sort(),
          'conflicts are about what both changed',
        );
        assert.deepEqual(await settingsNow(), before, 'nothing is stored before the choice');
        const resolution = Object.fromEntries(outcome.conflicts.map(({ key }) => [key, choice]));
        outcome = await form.save(edits({ values }), { ...keyMayGo, resolution });
      }
      assert.equal(outcome.kind, 'saved', JSON.stringify(outcome));
      assert.deepEqual(outcome.notes, []);
      forms[who] = outcome.document;

      const meant = wanted.filter(([field]) => choice === 'mine' || !contested.includes(field));
      const changes = meant.filter(([field, value]) => held[field] !== value);
      const expected = Object.fromEntries(changes.map(([field, value]) => [field, [held[field], value]]));
      const after = await settingsNow();
      assert.deepEqual(differences(before.read, after.read), expected);
      assert.equal(Object.keys(differences(before.disk, after.disk)).length, changes.length);
    }
    assert.deepEqual([...outcomes].sort(), ['conflict', 'saved'], 'the steps cover both');
  });

  it(`keeps the last edits of two processes that save at the same time (seed ${seed})`, async function () {
    this.timeout(300_000);
    const { url, sessionKey } = real().service;
    const before = await settingsNow();
    const locks = await tempFolder();
    const edit = async (who: number): Promise<FormEdits['values']> => {
      const own = fieldsHeld().filter((_field, index) => index % 2 === who);
      const task: EditorTask = {
        url,
        sessionKey,
        locks: locks.path,
        fields: own,
        saves: 12,
        seed: seed + who,
      };
      const script = path.join(__dirname, 'support', 'editor.ts');
      const env = { ...process.env, EDITOR_TASK: JSON.stringify(task) };
      const output = await run(process.execPath, ['--require', 'tsx/cjs', script], { env });
      return JSON.parse(output.split('\n').at(-1)!) as FormEdits['values'];
    };
    const [one, other] = await Promise.all([edit(0), edit(1)]);
    const after = await settingsNow();
    const last = { ...one, ...other };
    const expected = (Object.keys(last) as PlainField[])
      .filter((field) => last[field] !== values[field])
      .map((field) => [field, [values[field], last[field]]]);
    assert.notEqual(expected.length, 0);
    assert.deepEqual(differences(before.read, after.read), Object.fromEntries(expected));
    assert.equal(Object.keys(differences(before.disk, after.disk)).length, expected.length);
  });
});
