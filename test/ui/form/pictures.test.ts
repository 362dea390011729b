import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { agentServerLacks } from '../../../src/api/service/current/places';
import { sections } from '../../../src/shared/fields';
import { takePicture } from '../../support/picture';
import { buildForm, FormPage, type Built } from './formPage';
import { formMessage, sampleModel, noEdits, reviewMessage, search, server } from './samples';
import { themes, type Theme } from '../support/themes';

describe('the form in the four themes', function () {
  this.timeout(120_000);
  let built: Built;

  before(async () => {
    built = await buildForm();
  });
  after(() => built.close());

  const picture = (of: Page | Locator, name: string, options?: { fullPage: true }) =>
    takePicture(of, `form-${name}`, options);

  for (const theme of themes) {
    it(`shows every section in ${theme.name}, and axe finds nothing serious`, async () => {
      const form = await FormPage.open(built, { theme });
      await form.send(formMessage());
      await form.server('filesystem').getByRole('button').first().click();
      await form.page.mouse.move(0, 0);
      await form.page.locator('h1').click();
      assert.deepEqual(await form.axe(), []);
      for (const section of sections) {
        await picture(form.section(section), `${section}-${theme.name}`);
      }
      await form.page.evaluate(() => window.scrollTo(0, 0));
      await picture(form.page, `page-${theme.name}`);
      assert.deepEqual(form.complaints, []);
    });

    it(`shows the settings of an agent server in ${theme.name}, and axe finds nothing serious`, async () => {
      const form = await FormPage.open(built, { theme });
      const model = sampleModel({
        ...{ lacks: [...agentServerLacks({})], hasProviders: false, providers: [], email: null },
        ...{ testsServers: true, hidesServerSecrets: true },
      });
      await form.send(formMessage(model, { hasPickers: true, suggestions: { llm_model: ['openai/gpt-5'] } }));
      for (const summary of await form.page.locator('summary').all()) await summary.click();
      await form.server('filesystem').getByRole('button').first().click();
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `agent-server-${theme.name}`, { fullPage: true });
      assert.deepEqual(form.complaints, []);
    });

    it(`shows changes, problems, conflicts and deletions in ${theme.name}, and axe finds nothing serious`, async () => {
      const form = await FormPage.open(built, { theme, height: 1100 });
      await form.send(troubles());
      await form.button('Save').click();
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `troubles-${theme.name}`, { fullPage: true });
    });
  }

  for (const theme of themes) {
    it(`shows the review and conflicts in ${theme.name}, and axe finds nothing serious`, async () => {
      const form = await FormPage.open(built, { theme });
      await form.send(formMessage());
      await form.field('git_user_name').fill('Grace');
      await form.button('Review changes').click();
      const note = 'This save may delete the sandbox API key. You’ll be asked before that happens.';
      await form.send(reviewMessage({ notes: [note] }));
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `review-${theme.name}`);
      await form.button('Back').click();
      await form.tell({ result: { kind: 'conflict', conflicts } });
      await form.page.getByRole('radio').first().check();
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `conflict-${theme.name}`);
    });
  }

  for (const theme of themes) {
    it(`offers a draft in ${theme.name}, and axe finds nothing serious`, async () => {
      const form = await FormPage.open(built, { theme, height: 420 });
      await form.send(
        formMessage(sampleModel(), { offers: [offer], result: { kind: 'saved', undo: 'possible' } }),
      );
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `draft-${theme.name}`);
    });
  }

  const [dark] = themes as readonly [Theme];

  it('works at 400 px', async () => {
    const form = await FormPage.open(built, { theme: dark, width: 400, height: 900 });
    await form.send(troubles());
    await form.server('filesystem').getByRole('button').first().click();
    const overflow = await form.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
    assert.deepEqual(await form.axe(), []);
    await picture(form.page, 'narrow-dark', { fullPage: true });
    await form.button('Review changes').click();
    await form.send(reviewMessage());
    await picture(form.page, 'review-narrow-dark');
  });

  it('loses nothing at 200% zoom or with text twice as large', async () => {
    // At 200% zoom, a page of 1000 × 800 pixels is 500 × 400 CSS pixels.
    const form = await FormPage.open(built, { theme: dark, width: 500, height: 400 });
    await form.send(formMessage());
    const overflow = () =>
      form.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(await overflow(), 0);
    await form.page.evaluate(() => document.documentElement.style.setProperty('--vscode-font-size', '26px'));
    assert.equal(await overflow(), 0);
    const cut = await form.page
      .locator('input[type="text"], select, button')
      .evaluateAll(
        (controls) =>
          controls.filter(
            (control) => control.clientHeight < parseFloat(getComputedStyle(control).fontSize) * 1.4,
          ).length,
      );
    assert.equal(cut, 0);
    await picture(form.page, 'zoomed-dark', { fullPage: true });
  });

  it('shows that it’s loading, or why that failed', async () => {
    const form = await FormPage.open(built, { theme: dark, height: 300 });
    await picture(form.page, 'loading-dark');
    await form.send({
      type: 'failed',
      message: 'Can’t connect: nothing is listening at this address.',
      nextStep: 'Check that the service runs, and the port in the address.',
    });
    assert.deepEqual(await form.axe(), []);
    await picture(form.page, 'failed-dark');
  });
});

const offer = {
  id: 'a',
  words: [
    'You left unsaved changes 5 min ago (21/11/2026, 10:12:31).',
    'They change: Name, filesystem: args.',
    'These have also changed on the service since: Name.',
    'Secrets are never stored with unsaved changes. Enter these again: API key.',
  ],
};

const conflicts = [
  { key: 'a', label: 'Name', mine: 'Grace Hopper', theirs: 'Ada King', previous: 'Ada Lovelace' },
  {
    key: 'b',
    label: 'filesystem',
    mine: 'args: -y @modelcontextprotocol/server-filesystem /other · env.TOKEN: Replaced',
    theirs: 'args: -y @modelcontextprotocol/server-filesystem@2 /workspace · env.LOG: Added',
    previous: 'args: -y @modelcontextprotocol/server-filesystem /workspace · env.TOKEN: Set · env.LOG: None',
  },
];

/** A form with every kind of problem. */
function troubles() {
  const model = sampleModel();
  return formMessage(model, {
    notices: ['Your unsaved changes from last time are back. Keys that you had typed were not kept.'],
    edits: {
      ...noEdits,
      values: {
        llm_base_url: 'example.com',
        git_user_name: 'Grace Hopper',
        enable_sound_notifications: true,
      },
      secrets: { llm_api_key: 'replace', sandbox_api_key: 'clear' },
      mcpServers: [{ ...search, url: 'no address' }, ...model.mcpServers.slice(2), server({ id: 'new-1' })],
    },
    suggestions: { llm_model: ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'] },
    providerChanges: [{ name: 'github', busy: false, error: 'The service refused the token (HTTP 401).' }],
    result: {
      kind: 'conflict',
      conflicts: [
        {
          key: 'git_user_name',
          label: 'Name',
          mine: 'Grace Hopper',
          theirs: 'Ada King',
          previous: 'Ada Lovelace',
        },
      ],
    },
  });
}
