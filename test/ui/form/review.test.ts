import assert from 'node:assert/strict';
import { FormPage, type Built } from './formPage';
import { openForm } from './formSuite';
import { formMessage, noEdits, reviewMessage, sampleModel } from './samples';
import { themes } from '../support/themes';

describe('the review of changes', function () {
  this.timeout(60_000);
  let built: Built;
  let form: FormPage;

  openForm((opened, of) => {
    form = opened;
    built = of;
  });

  const focused = () =>
    form.page.evaluate(() => [document.activeElement?.id, document.activeElement?.textContent.trim()]);
  const edits = { ...noEdits, values: { git_user_name: 'Grace' } };

  it('appears before a panel’s first save only', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.button('Save').click();
    assert.deepEqual(await form.next('review'), { type: 'review', edits });
    await form.send(reviewMessage());
    const row = form.review.getByRole('row', { name: 'API key' });
    assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['Set', 'Replaced']);
    assert.equal(await form.review.getByRole('row', { name: 'MCP server filesystem' }).count(), 1);
    assert.ok(!(await form.waiting()).includes('save'));
    assert.equal(await form.button('Save').count(), 1);
    await form.button('Save').click();
    assert.deepEqual((await form.next('save')).edits, edits);
    assert.equal(await form.review.count(), 0);

    const result = { kind: 'saved', undo: 'possible' } as const;
    await form.send(formMessage(sampleModel(), { document: 'second', result }));
    await form.field('git_user_name').fill('Ada');
    await form.button('Save').click();
    await form.next('save');
    assert.equal(await form.review.count(), 0);
  });

  it('has no Save button before there’s something to read', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.page.keyboard.press('Control+s');
    await form.next('review');
    await form.page.keyboard.press('Control+s');
    assert.match(await form.review.innerText(), /Comparing/);
    assert.equal(await form.button('Save').count(), 0);
    assert.deepEqual(await form.waiting(), []);
  });

  it('works with the keyboard: focus goes in, stays, and returns', async () => {
    await form.field('git_user_name').focus();
    await form.page.keyboard.type('!');
    await form.page.keyboard.press('Control+s');
    await form.next('review');
    await form.send(reviewMessage());
    assert.deepEqual(await focused(), ['review-title', 'Review changes']);
    const stops: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      await form.page.keyboard.press('Tab');
      stops.push(await form.page.evaluate(() => document.activeElement?.closest('dialog') !== null));
    }
    assert.deepEqual(stops, [true, true, true]);
    assert.deepEqual(await focused(), ['', 'Save']);
    await form.page.keyboard.press('Escape');
    assert.equal(await form.review.count(), 0);
    assert.equal((await focused())[0], 'field-git_user_name');

    await form.page.keyboard.press('Control+s');
    await form.next('review');
    await form.send(reviewMessage());
    await form.review.getByRole('button', { name: 'Back' }).press('Enter');
    assert.equal((await focused())[0], 'field-git_user_name');
    assert.ok(!(await form.waiting()).includes('save'));
  });

  it('opens from its button, says if nothing differs, and returns focus to the button', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.button('Review changes').click();
    assert.deepEqual((await form.next('review')).edits, edits);
    await form.send(reviewMessage({ groups: [] }));
    assert.match(await form.review.innerText(), /No changes: the form matches the service/);
    assert.equal(await form.button('Save').count(), 0);
    await form.button('Back').click();
    assert.equal((await focused())[0], 'open-review');
  });

  it('has nothing to show, and nothing is reverted, before anything is changed', async () => {
    for (const name of ['Review changes', 'Revert']) {
      assert.equal(await form.button(name).getAttribute('aria-disabled'), 'true', name);
      await form.button(name).press('Enter');
    }
    assert.deepEqual(await form.waiting(), []);
    await form.field('git_user_name').fill('Grace');
    for (const name of ['Review changes', 'Revert'])
      assert.equal(await form.button(name).getAttribute('aria-disabled'), 'false', name);
  });

  it('asks for the secrets that the service hides, in one step, as the list does', async () => {
    const mcpServers = sampleModel().mcpServers;
    const [held] = mcpServers.filter(({ kind }) => kind !== 'stdio');
    const target = { at: 'mcpApiKey', id: held?.id ?? '' } as const;
    const model = sampleModel({ hidesServerSecrets: true, hiddenSecrets: [target] });
    await form.send(formMessage(model));
    assert.equal(await form.button('Enter 1 Secret…').count(), 0);
    await form.button('Add server').click();
    const [above, notice] = await Promise.all([
      form.button('Add server').boundingBox(),
      form.page.locator('.needed').boundingBox(),
    ]);
    assert.ok(above && notice && notice.y - above.y - above.height >= 8, JSON.stringify([above, notice]));
    await form.button('Enter 1 Secret…').click();
    assert.deepEqual((await form.next('replaceSecrets')).targets, [target]);
    // The button goes once all are entered; Save is what comes next.
    await form.page.waitForFunction(() => document.activeElement?.id === 'save');
    await form.button('Review changes').click();
    await form.next('review');
    await form.send(reviewMessage());
    assert.match(await form.review.innerText(), /this service hides their secrets/);
    assert.equal(await form.review.getByRole('button', { name: 'Save' }).count(), 0);
    await form.review.getByRole('button', { name: 'Enter 1 Secret…' }).click();
    assert.deepEqual((await form.next('replaceSecrets')).targets, [target]);
    assert.equal(await form.review.count(), 0);
  });

  it('isn’t shown again in the same panel after being hidden', async () => {
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    await form.next('save');
    await form.tell({ result: { kind: 'canceled' } });
    const state = await form.keptState();
    form = await FormPage.open(built, { theme: themes[0]!, state });
    await form.send(formMessage(sampleModel(), { edits }));
    await form.button('Save').click();
    await form.next('save');
  });

  it('goes to problems first', async () => {
    await form.field('max_iterations').fill('many');
    await form.button('Save').click();
    assert.equal((await focused())[0], 'field-max_iterations');
    assert.deepEqual(
      (await form.waiting()).filter((type) => type === 'review'),
      [],
    );
    await form.button('Review changes').click();
    await form.next('review');
    await form.send(reviewMessage());
    await form.button('Save').click();
    assert.equal(await form.review.count(), 0);
    await form.page.waitForFunction(() => document.activeElement?.id === 'field-max_iterations');
    assert.ok(!(await form.waiting()).includes('save'));
  });

  it('shows the service’s text as plain text', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'">';
    await form.field('git_user_name').fill('Grace');
    await form.button('Review changes').click();
    await form.send(
      reviewMessage({
        groups: [{ title: evil, changes: [{ label: evil, before: evil, after: evil }] }],
        notes: [evil],
      }),
    );
    assert.equal(await form.page.locator('img').count(), 0);
    assert.ok((await form.review.innerText()).includes('<img src=x'));
  });
});

describe('conflicts during a save', function () {
  this.timeout(60_000);
  let form: FormPage;

  openForm((opened) => (form = opened));
  beforeEach(async () => {
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    await form.next('save');
    await form.tell({
      result: {
        kind: 'conflict',
        conflicts: [
          { key: 'a', label: 'Name', mine: 'Grace', theirs: 'Ada King', previous: 'Ada' },
          { key: 'b', label: 'Language', mine: 'de', theirs: 'fr', previous: 'en' },
        ],
      },
    });
  });

  const choices = async () => (await form.next('save')).choices;

  it('show your, their, and the previous value with none selected, and work with the keyboard', async () => {
    const group = form.page.getByRole('group', { name: 'Name', exact: true });
    assert.match(await group.innerText(), /Before: Ada\s+Yours: Grace\s+On the service: Ada King/);
    assert.equal(await form.page.getByRole('radio', { checked: true }).count(), 0);
    await form.page.waitForFunction(() => document.activeElement?.closest('.conflict'));
    await form.page.keyboard.press('Space');
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.press('ArrowDown');
    assert.equal(await form.status.textContent(), 'All conflicts are settled. Save to continue.');
    await form.button('Save').click();
    assert.deepEqual(await choices(), { a: 'mine', b: 'theirs' });
  });

  for (const [name, choice] of [
    ['Keep all of mine', 'mine'],
    ['Use all from the service', 'theirs'],
  ] as const) {
    it(`are all chosen with "${name}"`, async () => {
      await form.button(name).click();
      assert.equal(await form.page.getByRole('radio', { checked: true }).count(), 2);
      await form.button('Save').click();
      assert.deepEqual(await choices(), { a: choice, b: choice });
    });
  }
});
