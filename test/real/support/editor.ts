import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createClient } from '../../../src/api/service/client';
import { WindowLock } from '../../../src/editor/windowLock';
import type { FormEdits } from '../../../src/features/settings/shared/form';
import type { PlainField } from '../../../src/shared/settings';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { safeguards } from '../../unit/core/settings/safeguards';
import { edits, saveAs } from '../../unit/settings/support';
import { otherValues, values } from '../../unit/settings/values';

/** What a window does in its own process: saves edits to its fields, one after another. */
export interface EditorTask {
  readonly url: string;
  readonly sessionKey: string;
  /** Folder of the locks that all windows share. */
  readonly locks: string;
  readonly fields: readonly PlainField[];
  readonly saves: number;
  readonly seed: number;
}

async function main(): Promise<void> {
  const task = JSON.parse(process.env['EDITOR_TASK'] ?? '') as EditorTask;
  const client = createClient({ baseUrl: task.url, sessionKey: task.sessionKey });
  const guards = { ...safeguards(), lock: new WindowLock(task.locks) };
  let document = await SettingsDocument.load(client, guards);
  const edit = fc.tuple(fc.constantFrom(...task.fields), fc.boolean());
  let last: FormEdits['values'] = {};
  for (const [field, isOther] of fc.sample(edit, { seed: task.seed, numRuns: task.saves })) {
    const value = { [field]: (isOther ? otherValues : values)[field] };
    const saved = await saveAs('saved', document, edits({ values: value }));
    assert.deepEqual(saved.notes, []);
    ({ document } = saved);
    last = { ...last, ...value };
  }
  console.log(JSON.stringify(last));
}

void main();
