import assert from 'node:assert/strict';
import type { FormPage } from './formPage';
import { openForm } from './formSuite';
import { formMessage, noEdits, sampleModel } from './samples';

describe('drafts and undo in the form', function () {
  this.timeout(60_000);
  let form: FormPage;

  openForm((opened) => (form = opened), null);

  const offers = [
    { id: 'new er', words: ['You left unsaved changes 5 min ago.', 'They change: Name.'] },
    { id: 'older', words: ['You left unsaved changes 2 d ago.'] },
  ];
  const draft = (words: string) => form.page.getByRole('group', { name: 'Draft' }).filter({ hasText: words });
  const focused = () => form.page.evaluate(() => document.activeElement?.id);

  it('offers each draft with its details, and leaves the form unchanged', async () => {
    await form.send(formMessage(sampleModel(), { offers }));
    assert.equal(await draft('').count(), 2);
    assert.match(await draft('5 min ago').innerText(), /They change: Name\./);
    assert.equal(await form.field('git_user_name').inputValue(), 'Ada Lovelace');
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('restores and discards with the keyboard, after reporting newer edits', async () => {
    await form.send(formMessage(sampleModel(), { offers }));
    await form.field('agent').fill('Other');
    await draft('5 min ago').getByRole('button', { name: 'Restore draft' }).press('Enter');
    assert.deepEqual((await form.next('edits')).edits.values, { agent: 'Other' });
    assert.deepEqual(await form.next('restoreDraft'), { type: 'restoreDraft', id: 'new er' });
    const edits = { ...noEdits, values: { agent: 'Other', git_user_name: 'Grace' } };
    await form.send(
      formMessage(sampleModel(), { edits, offers: offers.slice(1), notices: ['They are back.'] }),
    );
    assert.equal(await draft('').count(), 1);
    assert.equal(await form.status.textContent(), '2 unsaved changes');
    assert.equal(await focused(), 'save');
    await draft('2 d ago').getByRole('button', { name: 'Discard' }).press('Space');
    assert.deepEqual(await form.next('discardDraft'), { type: 'discardDraft', id: 'older' });
  });

  const saved = (undo: 'possible' | 'impossible' | 'done', document = 'first') =>
    formMessage(sampleModel(), { document, result: { kind: 'saved', undo } });

  it('offers to undo a save until something else changes', async () => {
    await form.send(saved('possible'));
    assert.equal(await form.status.textContent(), 'Saved');
    await form.button('Undo this save').waitFor();
    await form.field('git_user_name').fill('Grace');
    assert.equal(await form.button('Undo this save').count(), 0);
    await form.send(saved('impossible', 'second'));
    assert.equal(await form.button('Undo this save').count(), 0);
  });

  it('blocks editing during an undo, and says when it’s done', async () => {
    await form.send(saved('possible'));
    await form.button('Undo this save').press('Enter');
    await form.next('undoSave');
    await form.tell({ working: 'Saving…' });
    assert.equal(await form.page.locator('main').getAttribute('aria-busy'), 'true');
    await form.send(saved('done', 'second'));
    assert.equal(await form.status.textContent(), 'Last save undone');
    assert.equal(await form.button('Undo this save').count(), 0);
    assert.equal(await focused(), 'save');
  });

  it('reports edits made before an undo, and why nothing was undone', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.send(formMessage(sampleModel(), { working: 'Saving…', revision: -1 }));
    assert.deepEqual((await form.next('edits')).edits.values, { git_user_name: 'Grace' });
    await form.tell({ working: null, result: { kind: 'notUndone', message: 'There is no save.' } });
    assert.equal(await form.status.textContent(), 'Not undone: There is no save.');
    assert.equal(await form.field('git_user_name').inputValue(), 'Grace');
  });

  it('shows what a save found, such as a deleted server that came back', async () => {
    const note = 'The MCP server files came back. It’s part of the service’s configuration.';
    await form.send(
      formMessage(sampleModel(), { notices: [note], result: { kind: 'saved', undo: 'possible' } }),
    );
    assert.match(await form.page.locator('.notice').innerText(), /files came back/);
  });
});
