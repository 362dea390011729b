import assert from 'node:assert/strict';
import type { FormPage } from './formPage';
import { openForm } from './formSuite';
import { files as sample, formMessage, sampleModel, server } from './samples';

describe('the list of MCP servers: search and order', function () {
  this.timeout(60_000);
  let form: FormPage;

  const files = { ...sample, id: 'files' };
  const http = ['one', 'two', 'three'].map((name) =>
    server({ id: name, url: `https://${name}.example.com/mcp` }),
  );
  const label = (name: string) => `https://${name}.example.com/mcp`;

  openForm((opened) => (form = opened), formMessage(sampleModel({ mcpServers: [files, ...http] })));

  const rows = () =>
    form.page
      .locator('[data-mcp]')
      .evaluateAll((list) =>
        list.map((row) => row.getAttribute('data-mcp')?.replace(/^https:\/\/|\..*$/g, '')),
      );
  const search = () => form.page.getByRole('searchbox', { name: 'Search MCP servers' });
  const counted = () => form.page.locator('.search').getByRole('status').innerText();
  const focused = () => form.page.evaluate(() => document.activeElement?.id);

  for (const [text, found] of [
    ['FILESYS', ['filesystem']],
    ['two.example', ['two']],
    ['npx', ['filesystem']],
    ['/workspace', ['filesystem']],
    [' example.com ', ['one', 'two', 'three']],
    ['nowhere', []],
  ] as const) {
    it(`finds ${found.length === 0 ? 'nothing' : found.join(', ')} by "${text}", and counts aloud`, async () => {
      await search().fill(text);
      assert.deepEqual(await rows(), found);
      assert.equal(await counted(), found.length === 1 ? '1 server' : `${found.length} servers`);
    });
  }

  it('saves the same regardless of the search', async () => {
    await form.server('filesystem').getByRole('button', { expanded: false }).click();
    await form.page.getByLabel('Command').fill('node');
    await search().fill('two');
    assert.deepEqual(await rows(), ['two']);
    await form.saveReviewed();
    assert.deepEqual((await form.next('save')).edits.mcpServers, [{ ...files, command: 'node' }, ...http]);
  });

  it('shows no search for a single server', async () => {
    await form.send(formMessage(sampleModel({ mcpServers: [files] })));
    assert.equal(await search().count(), 0);
    assert.equal(await form.button('Move up').count(), 0);
  });

  it('moves with buttons, keeps their focus, and announces the new place', async () => {
    const row = form.server(label('two'));
    await row.getByRole('button', { name: 'Move up' }).press('Enter');
    assert.deepEqual(await rows(), ['filesystem', 'two', 'one', 'three']);
    assert.equal(await focused(), 'mcp-two-up');
    const said = form.section('mcp').locator('.visually-hidden[role="status"]');
    assert.equal(await said.textContent(), `${label('two')} is now 1 of 3.`);
    assert.equal(await row.getByRole('button', { name: 'Move up' }).getAttribute('aria-disabled'), 'true');
    await form.page.keyboard.press('Enter');
    assert.deepEqual(await rows(), ['filesystem', 'two', 'one', 'three']);
    assert.equal(await form.status.textContent(), '1 unsaved change');
    assert.deepEqual(
      (await form.edits()).mcpServers?.map(({ id }) => id),
      [files.id, 'two', 'one', 'three'],
    );
    await row.getByRole('button', { name: 'Move down' }).click();
    assert.equal((await form.edits()).mcpServers, null);
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('moves with Alt and the arrow keys from anywhere in the row', async () => {
    await form.server(label('one')).getByRole('button', { expanded: false }).focus();
    await form.page.keyboard.press('Alt+ArrowDown');
    await form.page.keyboard.press('Alt+ArrowDown');
    assert.deepEqual(await rows(), ['filesystem', 'two', 'three', 'one']);
    assert.equal(await focused(), 'mcp-one-toggle');
    await form.server(label('one')).getByRole('button', { name: 'Delete' }).focus();
    await form.page.keyboard.press('Alt+ArrowUp');
    assert.deepEqual(await rows(), ['filesystem', 'two', 'one', 'three']);
    assert.equal(await focused(), 'mcp-one-delete');
    await form.page.keyboard.press('ArrowUp');
    assert.deepEqual(await rows(), ['filesystem', 'two', 'one', 'three']);
  });

  it('doesn’t move past rows that a search hides', async () => {
    await search().fill('three');
    const up = form.server(label('three')).getByRole('button', { name: 'Move up' });
    assert.equal(await up.getAttribute('aria-disabled'), 'true');
    await up.press('Enter');
    await up.press('Alt+ArrowUp');
    await search().fill('');
    assert.deepEqual(await rows(), ['filesystem', 'one', 'two', 'three']);
  });

  it('clears a search that hides a new server', async () => {
    await search().fill('two');
    await form.button('Add server').click();
    assert.equal((await rows()).length, 5);
  });
});
