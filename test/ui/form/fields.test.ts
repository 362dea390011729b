import assert from 'node:assert/strict';
import { fieldTable, sections, type Section } from '../../../src/shared/fields';
import type { FormModel } from '../../../src/features/settings/shared/form';
import { plainFields, secretFields } from '../../../src/shared/settings';
import type { FormPage } from './formPage';
import { openForm } from './formSuite';
import { formMessage, noEdits, sampleModel } from './samples';

describe('the fields of the form', function () {
  this.timeout(60_000);
  let form: FormPage;

  openForm((opened) => (form = opened));

  it('has a control for every field in its section, with the wire name in the help', async () => {
    for (const name of [
      ...plainFields,
      ...secretFields,
      'mcp_config',
      'email',
      'email_verified',
      'secrets_store',
    ]) {
      assert.equal(await form.field(name).count(), 1, name);
    }
    for (const section of sections) assert.equal(await form.section(section).count(), 1, section);
    for (const name of plainFields) {
      assert.equal(
        await form.section(fieldTable[name].section).locator(`[data-field="${name}"]`).count(),
        1,
        name,
      );
      const described = await form.field(name).getAttribute('aria-describedby');
      const help = await form.page.locator(`#${described?.split(' ')[0]}`).textContent();
      assert.ok(help?.trim().endsWith(name), `${name}: ${help}`);
    }
  });

  it('shows wire names as quietly as the help around them', async () => {
    const looks = await form.page.locator('.help code').evaluateAll((names) =>
      names.map((name) => {
        const { color, backgroundColor, fontSize } = getComputedStyle(name);
        const around = getComputedStyle(name.parentElement!);
        return {
          isQuiet: color === around.color && parseFloat(fontSize) < parseFloat(around.fontSize),
          backgroundColor,
        };
      }),
    );
    assert.ok(looks.length >= plainFields.length);
    for (const look of looks) assert.deepEqual(look, { isQuiet: true, backgroundColor: 'rgba(0, 0, 0, 0)' });
  });

  it('leaves out what the service doesn’t have, and says so in the section', async () => {
    const lacks: FormModel['lacks'] = ['enable_solvability_analysis', 'sandbox_api_key'];
    await form.send(formMessage(sampleModel({ lacks, hidesServerSecrets: true })));
    for (const name of lacks) assert.equal(await form.field(name).count(), 0, name);
    const words = async (section: Section) => (await form.section(section).textContent()) ?? '';
    assert.match(await words('notifications'), /Not available on this service: Solvability analysis\./);
    assert.match(await words('sandbox'), /Not available on this service: Sandbox API key\./);
    assert.match(await words('mcp'), /hides the secrets of MCP servers/);
    assert.doesNotMatch(await words('model'), /Not available/);
  });

  it('says nothing of an account where there is none', async () => {
    const other = [{ name: 'custom', text: 'Text' }];
    for (const [extra, names] of [
      [other, ['custom']],
      [[], []],
    ] as const) {
      await form.send(formMessage(sampleModel({ hasProviders: false, providers: [], other: [...extra] })));
      assert.deepEqual(await form.page.locator('.others dt').allInnerTexts(), names);
      assert.equal(await form.section('other').isVisible(), extra.length > 0);
    }
  });

  it('shows whether a secret is set as quiet text', async () => {
    const looks = await form
      .field('llm_api_key')
      .locator('.secret-state .presence')
      .evaluateAll((found) =>
        found.map((one) => {
          const { backgroundColor, borderTopWidth } = getComputedStyle(one);
          return [backgroundColor, borderTopWidth];
        }),
      );
    assert.deepEqual(looks, [['rgba(0, 0, 0, 0)', '0px']]);
  });

  it('posts exactly the changed text, and nothing if unchanged', async () => {
    await form.field('git_user_name').fill('Grace');
    assert.deepEqual((await form.next('edits')).edits, { ...noEdits, values: { git_user_name: 'Grace' } });
    assert.equal(await form.status.textContent(), '1 unsaved change');
    await form.field('git_user_name').fill('Ada Lovelace');
    assert.deepEqual(await form.edits(), noEdits);
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('clears text with null, or with an empty string if null would keep it', async () => {
    await form.field('git_user_name').fill('');
    await form.field('llm_model').fill('');
    const { values } = await form.edits();
    assert.deepEqual(values, { git_user_name: null, llm_model: '' });
  });

  it('treats an emptied field that had its default as unchanged', async () => {
    await form.field('llm_base_url').fill('https://x.example');
    await form.field('llm_base_url').fill('');
    await form.field('git_user_name').fill('x');
    assert.deepEqual((await form.edits()).values, { git_user_name: 'x' });
  });

  it('sets a three-valued field to on, off, and its default', async () => {
    const field = form.field('confirmation_mode');
    assert.equal(await field.inputValue(), 'true');
    assert.deepEqual(await field.locator('option').allTextContents(), ['Service default', 'On', 'Off']);
    await field.selectOption({ label: 'Off' });
    assert.deepEqual((await form.edits()).values, { confirmation_mode: false });
    await field.selectOption({ label: 'Service default' });
    assert.deepEqual((await form.edits()).values, { confirmation_mode: null });
    await form.field('user_consents_to_analytics').selectOption({ label: 'On' });
    assert.deepEqual((await form.edits()).values, {
      confirmation_mode: null,
      user_consents_to_analytics: true,
    });
  });

  it('toggles a boolean with its checkbox, its label, and the space bar', async () => {
    await form.field('enable_sound_notifications').check();
    assert.deepEqual((await form.edits()).values, { enable_sound_notifications: true });
    await form.page.getByText('Sound notifications').click();
    assert.deepEqual((await form.edits()).values, {});
    await form.field('enable_solvability_analysis').focus();
    await form.page.keyboard.press('Space');
    assert.deepEqual((await form.edits()).values, { enable_solvability_analysis: false });
  });

  it('takes numbers as typed, and an empty input as the default', async () => {
    const amount = form.field('max_budget_per_task');
    assert.equal(await amount.inputValue(), '2.5');
    await amount.fill('0.75');
    assert.deepEqual((await form.edits()).values, { max_budget_per_task: 0.75 });
    await amount.fill('');
    assert.deepEqual((await form.edits()).values, { max_budget_per_task: null });
    assert.equal(await amount.getAttribute('placeholder'), 'Service default');
    await amount.focus();
    await form.page.keyboard.type('1.50');
    assert.equal(await amount.inputValue(), '1.50');
    assert.deepEqual((await form.edits()).values, { max_budget_per_task: 1.5 });
  });

  const refusals: [field: string, text: string, message: RegExp][] = [
    ['max_iterations', '1.5', /whole number of 1 or more/],
    ['max_iterations', '0', /whole number of 1 or more/],
    ['max_iterations', 'many', /Enter a number/],
    ['remote_runtime_resource_factor', '-2', /whole number/],
    ['max_budget_per_task', '-1', /zero or a positive number/],
    ['max_budget_per_task', '2,5', /Enter a number/],
    ['llm_base_url', 'example.com', /starts with http/],
    ['git_user_email', 'ada', /email address/],
  ];
  for (const [name, text, message] of refusals) {
    it(`refuses "${text}" in ${name} as it is typed, and does not save it`, async () => {
      const field = form.field(name);
      await field.fill(text);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      const error = form.page.locator(`#field-${name}-error`);
      assert.match((await error.textContent()) ?? '', message);
      assert.ok((await field.getAttribute('aria-describedby'))?.includes(`field-${name}-error`));
      assert.equal(await error.getAttribute('aria-live'), 'polite');
      await form.button('Save').click();
      assert.equal(await form.status.textContent(), 'Not saved: 1 value needs your attention.');
      await form.page.waitForFunction((id) => document.activeElement?.id === id, `field-${name}`);
      assert.ok(!(await form.waiting()).includes('save'));
      await field.fill('');
      assert.equal(await field.getAttribute('aria-invalid'), 'false');
    });
  }

  it('accepts the service’s values, however odd, until they change', async () => {
    const model = sampleModel();
    model.values.llm_base_url = 'not an address';
    await form.send(formMessage(model));
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    const { edits } = await form.next('save');
    assert.deepEqual(edits.values, { git_user_name: 'Grace' });
  });

  it('suggests models in a list that works with the keyboard, and accepts any text', async () => {
    await form.tell({ suggestions: { llm_model: ['openai/gpt-5', 'openai/gpt-5-mini', 'x/y'] } });
    const input = form.page.getByRole('combobox', { name: 'Language model', exact: true });
    await input.focus();
    await input.fill('');
    await form.page.keyboard.type('gpt');
    const options = form.page.getByRole('listbox').getByRole('option');
    assert.deepEqual(await options.allTextContents().then(trimmed), ['openai/gpt-5', 'openai/gpt-5-mini']);
    assert.equal(await input.getAttribute('aria-expanded'), 'true');
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('ArrowDown');
    const active = await input.getAttribute('aria-activedescendant');
    assert.equal(await form.page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await form.page.keyboard.press('Enter');
    assert.equal(await input.inputValue(), 'openai/gpt-5-mini');
    assert.equal(await options.count(), 0);
    assert.deepEqual((await form.edits()).values, { llm_model: 'openai/gpt-5-mini' });

    await form.page.keyboard.press('ArrowUp');
    assert.equal(await options.count(), 3);
    await form.page.keyboard.press('Escape');
    assert.equal(await options.count(), 0);
    await input.fill('my own/model');
    await form.page.keyboard.press('Enter');
    assert.deepEqual((await form.edits()).values, { llm_model: 'my own/model' });
  });

  it('keeps the focus and what is being typed when suggestions arrive', async () => {
    const input = form.field('llm_model');
    await input.fill('');
    assert.equal(await input.getAttribute('role'), null);
    await form.page.keyboard.type('gp');
    await form.page.keyboard.press('ArrowLeft');
    await form.tell({ suggestions: { llm_model: ['openai/gpt-5', 'x/y'] } });
    await form.page.getByRole('combobox', { name: 'Language model', exact: true }).waitFor();
    await form.page.keyboard.type('!');
    assert.equal(await input.inputValue(), 'g!p');
    assert.deepEqual((await form.edits()).values, { llm_model: 'g!p' });
  });

  it('leaves keys to an input method, in suggestion lists and elsewhere', async () => {
    await form.tell({ suggestions: { llm_model: ['openai/gpt-5', 'openai/gpt-5-mini', 'x/y'] } });
    const composing = (element: Element, key: string) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }),
      );
    const input = form.page.getByRole('combobox', { name: 'Language model', exact: true });
    await input.fill('gpt');
    await form.page.keyboard.press('ArrowDown');
    const active = await input.getAttribute('aria-activedescendant');
    for (const key of ['ArrowDown', 'Enter', 'Escape']) await input.evaluate(composing, key);
    assert.equal(await input.inputValue(), 'gpt');
    assert.equal(await input.getAttribute('aria-activedescendant'), active);
    const name = form.page.locator('#new-provider');
    await name.fill('ぎっと');
    await name.evaluate(composing, 'Enter');
    assert.equal(await name.inputValue(), 'ぎっと');
  });

  it('opens the list of languages with the mouse and shows their names', async () => {
    await form.page.getByRole('button', { name: 'Show suggestions' }).click();
    const options = form.page.getByRole('listbox').getByRole('option');
    assert.equal(await options.count(), 14);
    await options.filter({ hasText: 'Turkish' }).click();
    assert.equal(await form.field('language').inputValue(), 'tr');
    assert.deepEqual((await form.edits()).values, { language: 'tr' });
  });

  it('opens the pickers of a service that has model profiles and custom secrets', async () => {
    assert.equal(await form.button('Manage Model Profiles…').count(), 0);
    await form.tell({ hasPickers: true });
    await form.section('model').getByRole('button', { name: 'Manage Model Profiles…' }).click();
    assert.deepEqual(await form.next('manage'), { type: 'manage', what: 'profiles' });
    await form.section('sandbox').getByRole('button', { name: 'Manage Custom Secrets…' }).click();
    assert.deepEqual(await form.next('manage'), { type: 'manage', what: 'secrets' });
    await form.page.getByRole('textbox', { name: 'Search settings' }).fill('profiles');
    assert.equal(await form.button('Manage Model Profiles…').count(), 1);
    assert.equal(await form.button('Manage Custom Secrets…').count(), 0);
    assert.deepEqual(await form.axe(), []);
  });

  it('asks the editor for a secret, shows what will happen to it, and can revert that', async () => {
    const secret = form.field('llm_api_key');
    const state = () => secret.locator('.secret-state').innerText();
    assert.match(await state(), /^Set$/);
    await secret.getByRole('button', { name: 'Replace', exact: true }).click();
    const target = { at: 'field', field: 'llm_api_key' } as const;
    assert.deepEqual(await form.next('replaceSecret'), { type: 'replaceSecret', target });
    await form.decide(target, 'replace');
    assert.match(await state(), /Set\s+will be replaced/);
    assert.deepEqual(await form.edits(), { ...noEdits, secrets: { llm_api_key: 'replace' } });

    await secret.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.deepEqual(await form.next('clearSecret'), { type: 'clearSecret', target });
    await form.decide(target, 'clear');
    assert.match(await state(), /Set\s+will be cleared/);

    await secret.getByRole('button', { name: 'Keep', exact: true }).click();
    assert.deepEqual(await form.next('keepSecret'), { type: 'keepSecret', target });
    await form.decide(target, 'keep');
    assert.match(await state(), /^Set$/);
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'field-llm_api_key');
    assert.deepEqual(await form.edits(), noEdits);
  });

  it('has no input for a secret’s value, and names its buttons', async () => {
    assert.equal(await form.page.locator('input[type="password"]').count(), 0);
    for (const name of secretFields) {
      const replace = form.field(name).getByRole('button', { name: 'Replace', exact: true });
      const described = (await replace.getAttribute('aria-describedby')) ?? '';
      const words = await form.page.locator(`#${described.split(' ')[0]}`).textContent();
      assert.match(words ?? '', /key/i);
    }
    const clear = form.field('search_api_key').getByRole('button', { name: 'Clear', exact: true });
    assert.equal(await clear.getAttribute('aria-disabled'), 'true');
    await clear.click({ force: true });
    assert.ok(!(await form.waiting()).includes('clearSecret'));
    assert.match(await form.field('search_api_key').innerText(), /Not set\. Use Replace to enter one\./);
    assert.match(await form.field('sandbox_api_key').locator('.secret-state').innerText(), /^Unknown$/);
  });
});

function trimmed(texts: string[]): string[] {
  return texts.map((text) => text.trim());
}
