import assert from 'node:assert/strict';
import { sections } from '../../../src/shared/fields';
import type { FormPage } from './formPage';
import { openForm } from './formSuite';
import { files, formMessage, sampleModel, search, sleeping } from './samples';

describe('the form’s search', function () {
  this.timeout(60_000);
  let form: FormPage;

  openForm((opened) => (form = opened));

  const box = () => form.page.getByRole('textbox', { name: 'Search settings' });
  const shownFields = () =>
    form.page
      .locator('main [data-field]')
      .evaluateAll((all) =>
        all.flatMap((element) => (element.checkVisibility() ? [element.getAttribute('data-field')] : [])),
      );
  const shownSections = () =>
    form.page
      .locator('main section')
      .evaluateAll((all) =>
        all.flatMap((element) => (element.checkVisibility() ? [element.getAttribute('data-section')] : [])),
      );

  for (const [text, by, fields] of [
    ['budget', 'label', ['max_budget_per_task']],
    ['git_user_email', 'wire name', ['git_user_email']],
    ['BOOKWORM', 'help', ['sandbox_base_container_image']],
    ['git identity', 'section', ['git_user_name', 'git_user_email']],
    ['container runtime', 'words in any order', ['sandbox_runtime_container_image']],
    ['condenser_max_size', 'name of another value', ['condenser_max_size']],
  ] as const) {
    it(`finds a field by its ${by}`, async () => {
      await box().fill(text);
      assert.deepEqual(await shownFields(), fields);
    });
  }

  it('narrows navigation, servers and providers too', async () => {
    await form.tell({ parked: [sleeping] });
    await box().fill('filesystem');
    assert.deepEqual(await shownSections(), ['mcp']);
    assert.deepEqual(await form.page.locator('nav a').allInnerTexts(), ['MCP servers']);
    assert.equal(await form.server('filesystem').count(), 1);
    assert.equal(await form.page.locator('[data-mcp]').count(), 1);
    await box().fill('sleeping');
    assert.equal(await form.server(sleeping.url).count(), 1);
    await box().fill('code.example.com');
    assert.deepEqual(await shownSections(), ['providers']);
    assert.equal(await form.page.locator('[data-provider]').count(), 1);
    await box().fill('mcp_config');
    assert.equal(await form.page.locator('[data-mcp]').count(), 4);
  });

  it('hides no section without a search, even without MCP servers', async () => {
    await form.tell({ model: sampleModel({ mcpServers: [] }) });
    assert.deepEqual(await shownSections(), sections);
    assert.ok(await form.page.getByText('No MCP servers yet.').isVisible());
    await box().fill('filesystem');
    assert.deepEqual(await shownSections(), []);
  });

  it('says that nothing was found, and closes with the button or Escape', async () => {
    await box().fill('no such thing');
    assert.deepEqual(await shownSections(), []);
    const said = form.page.getByRole('search').getByRole('status');
    assert.equal(await said.textContent(), 'No settings match “no such thing”.');
    await form.button('Clear search').click();
    assert.deepEqual(await shownSections(), [...sections]);
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'search');
    await box().fill('budget');
    assert.equal(await said.textContent(), 'Found in 1 section.');
    await form.page.keyboard.press('Escape');
    assert.equal(await box().inputValue(), '');
    assert.deepEqual(await shownSections(), [...sections]);
  });

  it('opens with Ctrl+F without moving the page', async () => {
    await form.field('enable_solvability_analysis').focus();
    const before = await form.page.evaluate(() => window.scrollY);
    await form.page.keyboard.press('Control+f');
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'search');
    assert.equal(await form.page.evaluate(() => window.scrollY), before);
  });

  it('doesn’t affect what’s saved, and closes if a hidden field needs attention', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.field('max_iterations').fill('many');
    await box().fill('analytics');
    await form.button('Save').click();
    await form.page.waitForFunction(() => document.activeElement?.id === 'field-max_iterations');
    assert.equal(await box().inputValue(), '');
    await form.field('max_iterations').fill('7');
    await box().fill('analytics');
    await form.saveReviewed();
    assert.deepEqual((await form.next('save')).edits.values, { git_user_name: 'Grace', max_iterations: 7 });
  });

  it('doesn’t move servers past hidden ones', async () => {
    const other = { ...search, id: 'other', url: 'https://other.example.com/mcp' };
    await form.send(formMessage(sampleModel({ mcpServers: [search, files, other] })));
    const up = form.server(other.url).getByRole('button', { name: 'Move up' });
    assert.equal(await up.getAttribute('aria-disabled'), 'false');
    await box().fill('other.example');
    assert.equal(await up.getAttribute('aria-disabled'), 'true');
  });
});
