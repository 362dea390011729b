import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blobHash } from '../../../src/features/sandboxChanges/model/blobHash';
import type { Local } from '../../../src/features/changes/model/plan';
import { type AppliedFile, planUndo } from '../../../src/features/changes/model/undo';

const bytes = (text: string) => Buffer.from(text);
const local = (text: string, executable: boolean | null = false): Local => ({
  content: bytes(text),
  executable,
});
const file = (values: Partial<AppliedFile>): AppliedFile => ({
  path: 'a',
  from: 'a',
  before: bytes('old'),
  wasExecutable: false,
  now: blobHash(bytes('new')),
  ...values,
});

describe('undoing applied changes', () => {
  it('restores what is as it was applied', () => {
    assert.equal(planUndo(file({}), local('new'), local('new')), 'restore');
    assert.equal(planUndo(file({ from: null, before: null }), local('new'), local('new')), 'restore');
    assert.equal(planUndo(file({ now: null }), null, null), 'restore');
    assert.equal(planUndo(file({ from: 'b' }), local('new'), null), 'restore');
  });

  it('finishes an attempt that restored a file, but couldn’t delete it at its new place', () => {
    assert.equal(planUndo(file({ from: 'b' }), local('new'), local('old')), 'restore');
    assert.equal(planUndo(file({ from: 'b' }), local('newer'), local('old')), 'changed');
  });

  it('restores the mode alone where the editor’s undo did the rest', () => {
    assert.equal(planUndo(file({}), local('old', true), local('old', true)), 'mode');
    assert.equal(planUndo(file({}), local('old'), local('old')), 'same');
    assert.equal(planUndo(file({ wasExecutable: null }), local('old', true), local('old', true)), 'same');
    assert.equal(planUndo(file({ from: null, before: null }), null, null), 'same');
    assert.equal(planUndo(file({ from: 'b' }), null, local('old')), 'same');
  });

  it('leaves alone what has changed since', () => {
    assert.equal(planUndo(file({}), local('newer'), local('newer')), 'changed');
    assert.equal(planUndo(file({}), null, null), 'changed');
    assert.equal(planUndo(file({ now: null }), local('again'), local('again')), 'changed');
    assert.equal(planUndo(file({ from: 'b' }), local('new'), local('another')), 'changed');
    assert.equal(planUndo(file({}), { blocked: 'linkHere' }, { blocked: 'linkHere' }), 'changed');
    assert.equal(planUndo(file({ from: 'b' }), { blocked: 'linkHere' }, null), 'changed');
    const created = file({ from: null, before: null });
    assert.equal(planUndo(created, { blocked: 'linkHere' }, { blocked: 'linkHere' }), 'changed');
    assert.equal(planUndo(file({ from: 'b' }), local('new'), { blocked: 'folderHere' }), 'changed');
  });

  it('never writes over contents that it neither applied nor knows, in 500 cases', () => {
    const content = fc.option(fc.constantFrom('old', 'new', 'other'));
    fc.assert(
      fc.property(content, content, content, content, fc.boolean(), (before, after, here, there, isMoved) => {
        const from = before === null ? null : isMoved ? 'b' : 'a';
        const applied = file({
          from,
          before: before === null ? null : bytes(before),
          now: after === null ? null : blobHash(bytes(after)),
        });
        const now = here === null ? null : local(here);
        const origin = from === 'b' ? (there === null ? null : local(there)) : now;
        if (planUndo(applied, now, origin) !== 'restore') return;
        assert.equal(here, after);
        if (from === 'b') assert.ok(there === null || there === before);
      }),
      { numRuns: 500 },
    );
  });
});
