import assert from 'node:assert/strict';
import { FormPage, type Built } from './formPage';
import { openForm } from './formSuite';
import { formMessage, noEdits, reviewMessage, sampleModel, search } from './samples';
import { themes } from '../support/themes';

describe('the form’s bar and navigation', function () {
  this.timeout(60_000);
  let built: Built;
  let form: FormPage;

  openForm((opened, of) => {
    form = opened;
    built = of;
  });

  const focused = () => form.page.evaluate(() => document.activeElement?.id);
  const scrolled = () => form.page.evaluate(() => Math.round(window.scrollY));
  const saved = { result: { kind: 'saved', undo: 'possible' } } as const;
  const link = (section: string) => form.page.locator(`nav a[data-target="${section}"]`);

  describe('the scroll position', () => {
    beforeEach(async () => {
      await form.field('user_consents_to_analytics').selectOption({ label: 'On' });
      await form.field('user_consents_to_analytics').focus();
    });

    const reviewAndSave = async (save: () => Promise<void>) => {
      await save();
      await form.next('review');
      await form.send(reviewMessage());
      await save();
      await form.next('save');
      const model = sampleModel();
      model.values.user_consents_to_analytics = true;
      await form.send(formMessage(model, { document: 'second', ...saved }));
      assert.equal(await form.status.textContent(), 'Saved');
    };

    it('stays after a save through the review with the mouse', async () => {
      // Playwright's own click would scroll to the sticky bar.
      const press = async () => {
        const box = await form.button('Save').boundingBox();
        assert.ok(box);
        await form.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      };
      const before = await scrolled();
      assert.ok(before > 500, `${before}`);
      await reviewAndSave(press);
      assert.equal(await scrolled(), before);
      assert.equal(await focused(), 'save');
    });

    it('stays after a save with the keyboard, with the focus where it was', async () => {
      const before = await scrolled();
      await reviewAndSave(() => form.page.keyboard.press('Control+s'));
      assert.equal(await scrolled(), before);
      assert.equal(await focused(), 'field-user_consents_to_analytics');
    });

    it('stays after a draft is restored or a notice dismissed', async () => {
      await form.send(formMessage(sampleModel(), { notices: ['Something.'] }));
      await form.button('Dismiss').focus();
      const before = await scrolled();
      await form.page.keyboard.press('Enter');
      assert.equal(await focused(), 'save');
      // The page moved only because the notice above is gone.
      assert.ok((await scrolled()) <= before);
    });
  });

  it('disables Save without changes, and says why', async () => {
    const save = form.button('Save');
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
    assert.equal(await save.getAttribute('title'), 'No unsaved changes');
    const described = await save.getAttribute('aria-describedby');
    assert.equal(await form.page.locator(`#${described}`).textContent(), 'No unsaved changes');
    await save.click({ force: true });
    await form.page.keyboard.press('Control+s');
    assert.deepEqual(await form.waiting(), []);
    await form.field('git_user_name').fill('Grace');
    assert.equal(await save.getAttribute('aria-disabled'), 'false');
    assert.equal(await save.getAttribute('title'), null);
    await form.field('git_user_name').fill('Ada Lovelace');
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
  });

  it('says “Saved” only until Save is pressed again', async () => {
    await form.tell(saved);
    await form.button('Save').click({ force: true });
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('keeps its buttons in place however long the status is', async () => {
    await form.field('git_user_name').fill('Grace');
    const place = () => form.button('Save').boundingBox();
    const before = await place();
    const message = 'The service stopped responding. '.repeat(20);
    await form.saveReviewed();
    await form.tell({ result: { kind: 'failed', message } });
    assert.ok((await form.status.innerText()).includes(message.trim()));
    assert.deepEqual(await place(), before);
  });

  it('names the connection and its service', async () => {
    const message = formMessage(sampleModel(), {
      connection: 'Team',
      service: 'https://agents.example.com',
    });
    await form.send(message);
    const words = await form.page.locator('header').innerText();
    assert.match(words, /Service Settings\s+Team\s+https:\/\/agents\.example\.com/);
  });

  it('marks sections with changes and with problems in the navigation, in words too', async () => {
    assert.equal(await form.page.locator('nav .mark').count(), 0);
    await form.field('git_user_name').fill('Grace');
    await form.field('git_user_email').fill('grace');
    await form.field('llm_base_url').fill('https://x.example');
    await form.tell({ providerChanges: [{ name: 'github', busy: false, error: 'Invalid token' }] });
    assert.equal(await link('git').locator('.mark').getAttribute('data-mark'), 'problem');
    assert.match(await link('git').innerText(), /Git identity\s*1 problem/);
    assert.equal(await link('model').locator('.mark').getAttribute('data-mark'), 'changed');
    assert.match(await link('model').innerText(), /Model\s*1 unsaved change/);
    assert.match(await link('providers').innerText(), /1 problem/);
    assert.equal(await form.page.locator('nav .mark').count(), 3);
  });

  it('goes from the status to the first change', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.field('max_iterations').fill('9');
    await form.status.getByRole('button', { name: '2 unsaved changes' }).click();
    assert.equal(await focused(), 'field-max_iterations');
  });

  it('goes from the status to a changed server in a closed row, and to a deleted one', async () => {
    const edits = { ...noEdits, mcpServers: [{ ...search, url: 'https://other.example.com' }] };
    await form.send(formMessage(sampleModel(), { edits }));
    await form.status.getByRole('button').click();
    await form.page.waitForFunction(() => document.activeElement?.id === 'mcp-one-toggle');
    assert.equal(await form.server('https://other.example.com').locator('.row-editor').count(), 1);
    await form.send(formMessage(sampleModel(), { edits: { ...noEdits, mcpServers: [search] } }));
    await form.status.getByRole('button').click();
    await form.page.waitForFunction(() => document.activeElement?.id === 'mcp-two-keep');
  });

  it('gives the focus back that a question of the editor has taken', async () => {
    await form.field('git_user_email').focus();
    const before = await scrolled();
    await form.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      for (const type of ['blur', 'focus']) window.dispatchEvent(new Event(type));
    });
    assert.equal(await focused(), 'field-git_user_email');
    assert.equal(await scrolled(), before);
  });

  it('goes from the status to the first problem', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.field('git_user_email').fill('grace');
    await form.button('Save').click();
    await form.field('llm_model').focus();
    await form.status.getByRole('button', { name: /1 value needs your attention/ }).click();
    assert.equal(await focused(), 'field-git_user_email');
  });

  it('reaches all sections at 400 px, and stays in view', async () => {
    form = await FormPage.open(built, { theme: themes[0]!, width: 400, height: 700 });
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    const jump = form.page.getByRole('combobox', { name: 'Go to section' });
    assert.ok(await jump.locator('option', { hasText: 'Git identity (1 unsaved change)' }).count());
    // The page sees how tall the bar has become once it's drawn.
    await form.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await jump.selectOption('notifications');
    assert.equal(await focused(), 'section-notifications-title');
    const box = await jump.boundingBox();
    const title = await form.page.locator('#section-notifications-title').boundingBox();
    assert.ok(box && title && box.y >= 0 && box.y + box.height <= title.y, JSON.stringify([box, title]));
    assert.equal(await form.button('Save').isVisible(), true);
  });
});
