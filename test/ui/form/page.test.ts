import assert from 'node:assert/strict';
import { FormPage, type Built } from './formPage';
import { openForm } from './formSuite';
import { events, files, formMessage, noEdits, reviewMessage, sampleModel, search, server } from './samples';
import { themes } from '../support/themes';
import { numbered } from '../../support/l10n/locales';

describe('the form’s page', function () {
  this.timeout(60_000);
  let built: Built;
  let form: FormPage;

  openForm((opened, of) => {
    form = opened;
    built = of;
  }, null);

  const focused = () => form.page.evaluate(() => document.activeElement?.id);

  it('is at most 250 kB of script and style', () => {
    assert.ok(built.script.length + built.style.length <= 250_000);
  });

  it('says that it’s loading or why that failed, and tries again on request', async () => {
    assert.match(await form.page.locator('main').innerText(), /Loading settings/);
    await form.send({ type: 'failed', message: 'Nothing answers.', nextStep: 'Start it.' });
    assert.match(await form.page.getByRole('alert').innerText(), /Nothing answers\.\s+Start it\./);
    await form.button('Try Again').click();
    await form.next('retry');
    await form.send({ type: 'loading' }, formMessage());
    assert.equal(await form.field('git_user_name').inputValue(), 'Ada Lovelace');
  });

  it('saves changes once, and says “Saved”', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    assert.deepEqual(await form.next('save'), {
      type: 'save',
      edits: { ...noEdits, values: { git_user_name: 'Grace' } },
      choices: {},
    });
    assert.equal(await form.status.textContent(), 'Saving…');
    assert.equal(await form.button('Save').getAttribute('aria-disabled'), 'true');
    await form.button('Save').click({ force: true });
    assert.deepEqual(await form.waiting(), []);

    const model = sampleModel();
    model.values.git_user_name = 'Grace';
    const notices = ['A deleted server came back.'];
    const result = { kind: 'saved', undo: 'possible' } as const;
    await form.send(formMessage(model, { document: 'second', notices, result }));
    assert.equal(await form.status.textContent(), 'Saved');
    assert.match(await form.page.locator('.notice').innerText(), /A deleted server came back\./);
    await form.button('Dismiss').click();
    assert.deepEqual(await form.next('dismiss'), { type: 'dismiss', list: 'notices' });
    assert.equal(await form.page.locator('.notice').count(), 0);
    await form.field('git_user_name').fill('Ada');
    assert.equal(await form.status.textContent(), '1 unsaved change');
  });

  it('says in every request which settings are on screen, even when the connection changes', async () => {
    await form.send(formMessage(sampleModel(), { document: 'first' }));
    await form.field('git_user_name').fill('Grace');
    assert.deepEqual((await form.next('edits')).edits.values, { git_user_name: 'Grace' });
    await form.field('agent').fill('Other');
    await form.send({ type: 'loading' }, formMessage(sampleModel(), { document: 'second' }));
    await form.field('language').fill('de');
    assert.deepEqual((await form.next('edits')).edits.values, { language: 'de' });
    await form.tell({ notices: ['Your last action wasn’t applied.'] });
    assert.equal(await form.field('language').inputValue(), 'de');
    assert.match(await form.page.locator('.notice').innerText(), /wasn’t applied/);
  });

  it('keeps what was just typed when an older message arrives', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.send(formMessage(sampleModel(), { notices: ['Something.'], revision: -1 }));
    assert.match(await form.page.locator('.notice').innerText(), /Something/);
    assert.equal(await form.field('git_user_name').inputValue(), 'Grace');
    await form.decide({ at: 'field', field: 'llm_api_key' }, 'clear');
    assert.deepEqual(await form.edits(), {
      ...noEdits,
      values: { git_user_name: 'Grace' },
      secrets: { llm_api_key: 'clear' },
    });
  });

  it('saves with Ctrl+S and restores the focus', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').focus();
    await form.page.keyboard.type('!');
    await form.page.keyboard.press('Control+s');
    await form.next('review');
    await form.send(reviewMessage());
    await form.page.keyboard.press('Control+s');
    await form.next('save');
    await form.page.waitForFunction(() => document.activeElement === document.body);
    await form.tell({ result: { kind: 'canceled' } });
    assert.equal(await focused(), 'field-git_user_name');
    assert.equal(await form.status.textContent(), '1 unsaved change');
  });

  it('saves with Ctrl+S on a keyboard without Latin letters, too', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.page.evaluate(() =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ы', code: 'KeyS', ctrlKey: true, bubbles: true }),
      ),
    );
    await form.next('review');
  });

  it('keeps every edit when a save fails, and says why', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    await form.tell({ result: { kind: 'failed', message: 'The service failed (HTTP 500).' } });
    assert.equal(await form.status.textContent(), 'Not saved: The service failed (HTTP 500).');
    assert.equal(await form.field('git_user_name').inputValue(), 'Grace');
    await form.button('Save').click();
    await form.next('save');
  });

  it('shows a refusal on its field until the value changes', async () => {
    await form.send(formMessage());
    await form.field('agent').fill('Unknown');
    await form.saveReviewed();
    await form.tell({
      result: {
        kind: 'invalid',
        problems: [{ target: { at: 'field', field: 'agent' }, message: 'There is no such agent.' }],
      },
    });
    await form.page.waitForFunction(() => document.activeElement?.id === 'field-agent');
    assert.equal(await form.field('agent').getAttribute('aria-invalid'), 'true');
    assert.match(await form.page.locator('#field-agent-error').innerText(), /There is no such agent/);
    await form.field('agent').fill('CodeActAgent');
    assert.equal(await form.field('agent').getAttribute('aria-invalid'), 'false');
  });

  it('asks which value to keep if the service changed, and saves with the answers', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.field('language').fill('de');
    await form.saveReviewed();
    await form.next('save');
    await form.tell({
      result: {
        kind: 'conflict',
        conflicts: [
          { key: 'field:git_user_name', label: 'Name', mine: 'Grace', theirs: 'Ada King', previous: 'Ada' },
          { key: 'field:language', label: 'Language', mine: 'de', theirs: 'fr', previous: 'en' },
        ],
      },
    });
    await form.page.waitForFunction(() => document.activeElement?.closest('.conflict'));
    await form.button('Save').click();
    assert.match((await form.status.textContent()) ?? '', /select the values to keep/);
    assert.deepEqual(await form.waiting(), []);
    const name = form.page.getByRole('group', { name: 'Name', exact: true });
    await name.getByRole('radio', { name: 'Yours: Grace' }).check();
    const language = form.page.getByRole('group', { name: 'Language', exact: true });
    await language.getByRole('radio', { name: 'On the service: fr' }).check();
    await form.button('Save').click();
    assert.deepEqual((await form.next('save')).choices, {
      'field:git_user_name': 'mine',
      'field:language': 'theirs',
    });
  });

  it('reverts', async () => {
    await form.send(formMessage());
    await form.field('max_iterations').fill('many');
    await form.button('Revert').click();
    await form.next('revert');
    await form.send(formMessage(sampleModel(), { document: 'second' }));
    assert.equal(await form.field('max_iterations').inputValue(), '250');
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('reports what was just typed for the settings it belongs to, even if others arrive', async () => {
    await form.send(formMessage(sampleModel(), { document: 'first' }));
    await form.field('git_user_name').fill('Grace');
    await form.send(formMessage(sampleModel(), { document: 'second' }));
    const { edits } = await form.next('edits', 'first');
    assert.equal(edits.values.git_user_name, 'Grace');
  });

  it('says if the service doesn’t report which provider tokens it has', async () => {
    await form.send(formMessage(sampleModel({ providers: [], providersTold: false })));
    const section = form.section('providers');
    await section.getByText('The service doesn’t say which git provider tokens it has.').waitFor();
    const rows = section.locator('[data-provider]');
    assert.ok((await rows.count()) > 0);
    assert.equal(await rows.locator('[data-presence="unknown"]').count(), await rows.count());
    assert.equal(await section.getByText('No token').count(), 0);
  });

  it('changes each provider with its own message', async () => {
    await form.send(formMessage());
    const row = (name: string) => form.page.locator(`[data-provider="${name}"]`);
    assert.match(await row('github').innerText(), /Token set/);
    assert.match(await row('gitlab').innerText(), /No token/);
    assert.match(await row('forgejo').innerText(), /Token set/);

    await row('gitlab').getByLabel('Host').fill('git.example.com');
    await row('gitlab').getByRole('button', { name: 'Replace', exact: true }).click();
    assert.deepEqual(await form.next('replaceProviderToken'), {
      type: 'replaceProviderToken',
      name: 'gitlab',
      host: 'git.example.com',
    });
    const change = { name: 'gitlab', busy: true, error: null };
    await form.tell({ providerChanges: [change] });
    assert.equal(await row('gitlab').getAttribute('aria-busy'), 'true');
    await form.tell({ providerChanges: [{ ...change, busy: false, error: 'The token was refused.' }] });
    assert.match(await row('gitlab').locator('.error').innerText(), /The token was refused/);
    assert.equal(await row('gitlab').getByLabel('Host').inputValue(), 'git.example.com');

    await form.tell({ providerChanges: [change] });
    const connected = { name: 'gitlab', host: 'git.example.com' };
    await form.tell({ providerChanges: [], model: sampleModel({ providers: [connected] }) });
    assert.match(await row('gitlab').innerText(), /Token set/);
    assert.equal(await row('gitlab').locator('.error').count(), 0);

    await row('gitlab').getByLabel('Host').fill('');
    await row('gitlab').getByRole('button', { name: 'Apply host' }).click();
    assert.deepEqual(await form.next('setProviderHost'), {
      type: 'setProviderHost',
      name: 'gitlab',
      host: null,
    });
    await row('gitlab').getByRole('button', { name: 'Clear', exact: true }).click();
    assert.deepEqual(await form.next('clearProvider'), { type: 'clearProvider', name: 'gitlab' });
    await form.button('Disconnect all').click();
    assert.deepEqual(await form.next('clearAllProviders'), { type: 'clearAllProviders' });
    await form.tell({ model: sampleModel({ providers: [] }) });
    assert.equal(await form.button('Disconnect all').count(), 0);
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('adds a provider with any name, and stores nothing before it has a token', async () => {
    await form.send(formMessage());
    const name = form.page.getByRole('textbox', { name: 'Another provider' });
    await name.fill(' gitea ');
    await name.press('Enter');
    assert.equal(await name.inputValue(), '');
    const row = form.page.locator('[data-provider="gitea"]');
    assert.match(await row.innerText(), /gitea\s+No token/);
    assert.equal(await focused(), 'provider-gitea-host');
    assert.deepEqual(await form.waiting(), []);
    await row.getByLabel('Host').fill('dev.example.com');
    await row.getByRole('button', { name: 'Replace', exact: true }).click();
    const { name: asked, host } = await form.next('replaceProviderToken');
    assert.deepEqual([asked, host], ['gitea', 'dev.example.com']);

    await name.fill('github');
    await form.button('Add provider').click();
    assert.equal(await form.page.locator('[data-provider="github"]').count(), 1);
    assert.equal(await focused(), 'provider-github-host');
    await form.button('Add provider').click();
    assert.equal(await focused(), 'new-provider');
  });

  it('shows the service’s text as plain text', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
    await form.send(
      formMessage(
        sampleModel({
          email: evil,
          other: [{ name: evil, text: `${evil}\u202eabc` }],
          providers: [{ name: evil, host: evil }],
          mcpServers: [server({ id: evil, kind: 'stdio', name: evil, command: evil, args: [evil] })],
        }),
        {
          notices: [evil],
          suggestions: { agent: [evil] },
          providerChanges: [{ name: evil, busy: false, error: evil }],
        },
      ),
    );
    await form.page.getByRole('button', { name: evil, expanded: false }).click();
    await form.field('agent').fill('<');
    await form.page.getByRole('listbox').waitFor();
    assert.equal(await form.page.locator('img').count(), 0);
    assert.equal(await form.page.title(), 'Service Settings');
    assert.ok((await form.section('other').innerText()).includes('<img src=x'));
    assert.ok(!(await form.section('other').innerText()).includes('\u202e'));
  });

  it('restores edits, half-typed numbers, and open rows after being hidden', async () => {
    await form.send(formMessage());
    await form.field('max_iterations').fill('many');
    await form.field('git_user_name').fill('Grace');
    await form.server('filesystem').getByRole('button', { expanded: false }).click();
    const state = await form.keptState();
    form = await FormPage.open(built, { theme: themes[0]!, state, greeted: true });
    const { kept } = await form.next('ready');
    assert.deepEqual(kept, {
      document: 'first',
      steps: 0,
      edits: { ...noEdits, values: { git_user_name: 'Grace' } },
    });
    await form.send(formMessage(sampleModel(), { edits: kept.edits }));
    assert.equal(await form.field('git_user_name').inputValue(), 'Grace');
    assert.equal(await form.field('max_iterations').inputValue(), 'many');
    assert.equal(await form.server('filesystem').getByLabel('Command').inputValue(), 'npx');
    assert.equal(await form.status.textContent(), '2 unsaved changes');
  });

  it('restores a provider that was added, and its host, after being hidden', async () => {
    await form.send(formMessage());
    await form.page.locator('#new-provider').fill('gitea');
    await form.button('Add provider').click();
    const host = () => form.page.locator('[data-provider="gitea"]').getByLabel('Host');
    await host().fill('dev.example.com');
    const state = await form.keptState();
    form = await FormPage.open(built, { theme: themes[0]!, state, greeted: true });
    await form.next('ready');
    await form.send(formMessage());
    assert.equal(await host().inputValue(), 'dev.example.com');
  });

  it('shows the list that the user was editing, deletions included', async () => {
    const edits = { ...noEdits, mcpServers: [files, { ...search, url: 'https://other.example.com' }] };
    await form.send(formMessage(sampleModel(), { edits }));
    assert.equal(await form.server(events.url).getAttribute('data-state'), 'deleted');
    await form.server(events.url).getByRole('button', { name: 'Keep', exact: true }).click();
    assert.equal((await form.edits()).mcpServers?.length, 3);
  });

  it('ignores states of other versions and invalid messages', async () => {
    form = await FormPage.open(built, { theme: themes[0]!, state: { edits: 'old' }, greeted: true });
    assert.equal((await form.next('ready')).kept, null);
    await form.send(formMessage());
    for (const forged of [
      { type: 'form' },
      { type: 'unknown' },
      { ...formMessage(), extra: 1 },
      { type: 'test', id: 'one', about: [], result: 'good' },
    ]) {
      await form.send(forged);
      assert.ok((await form.next('refused')).what.length > 0);
    }
    assert.equal(await form.field('git_user_name').inputValue(), 'Ada Lovelace');
  });

  it('stops waiting if a message can’t be read', async () => {
    await form.send({ type: 'form', model: 'broken' });
    assert.match(await form.page.getByRole('alert').innerText(), /can’t read what the extension sent/);
  });

  it('stops saving if the answer can’t be read, and says that it may have been saved', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.saveReviewed();
    await form.next('save');
    await form.send({ ...formMessage(), result: { kind: 'exploded' } });
    await form.next('refused');
    assert.equal(await form.status.textContent(), '1 unsaved change');
    assert.match(await form.page.locator('.notice').innerText(), /may have been saved\. Revert/);
    assert.equal(await form.field('git_user_name').inputValue(), 'Grace');
    await form.button('Save').click();
    await form.next('save');
  });

  it('stops waiting for reviews, providers, and server actions as well', async () => {
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.button('Review changes').click();
    await form.next('review');
    await form.tell({ providerChanges: [{ name: 'github', busy: true, error: null }] });
    await form.send({ type: 'review', groups: 'broken' });
    await form.next('refused');
    assert.equal(await form.status.textContent(), '1 unsaved change');
    assert.equal(await form.page.locator('[data-provider="github"][aria-busy="false"]').count(), 1);
    assert.equal(await form.review.count(), 0);

    await form.tell({ working: 'Parking…' });
    assert.equal(await form.status.textContent(), 'Parking…');
    await form.send({ type: 'form', model: 'broken' });
    await form.next('refused');
    assert.equal(await form.status.textContent(), '1 unsaved change');
  });

  it('scrolls to a section from the navigation and on the editor’s request', async () => {
    await form.send(formMessage());
    await form.page.getByRole('navigation').getByRole('link', { name: 'MCP servers' }).press('Enter');
    assert.equal(await focused(), 'section-mcp-title');
    const { top } = await form.page.evaluate(() => {
      const box = document.getElementById('section-mcp')?.getBoundingClientRect();
      return { top: box?.top ?? -1 };
    });
    const bar = await form.page
      .locator('header')
      .evaluate((element) => element.getBoundingClientRect().bottom);
    assert.ok(top >= bar && top < 400, `${top}`);
    await form.page.locator('nav a[aria-current]').filter({ hasText: 'MCP servers' }).waitFor();
    await form.send({ type: 'reveal', section: 'providers' });
    assert.equal(await focused(), 'section-providers-title');
  });

  it('works with the keyboard alone, in page order, with visible focus', async () => {
    await form.send(formMessage());
    const visited: string[] = [];
    for (let count = 0; count < 80; count++) {
      await form.page.keyboard.press('Tab');
      const stop = await form.page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
        const inBar = element.closest('header') !== null;
        return {
          name: element.id !== '' ? element.id : (element.getAttribute('href') ?? element.textContent.trim()),
          outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
          uncovered: inBar || box.top >= bar,
        };
      });
      if (stop === null) break;
      assert.ok(stop.outlined, `${stop.name} shows no focus`);
      assert.ok(stop.uncovered, `${stop.name} is under the bar`);
      visited.push(stop.name);
    }
    assert.deepEqual(visited.slice(0, 5), ['open-review', 'Revert', 'save', 'search', '#section-model']);
    const fields = visited.filter((name) => name.startsWith('field-'));
    assert.equal(new Set(fields).size, fields.length);
    assert.equal(fields.length, 21);
    assert.deepEqual(fields.slice(0, 3), ['field-llm_model', 'field-llm_base_url', 'field-llm_api_key']);
    assert.ok(visited.includes('add-server'));
  });

  it('uses the editor’s language', async () => {
    form = await FormPage.open(built, {
      theme: themes[0]!,
      translations: numbered({ Save: 'Speichern', '{0} unsaved changes': '{0} ungesicherte Änderungen' }),
    });
    await form.send(formMessage());
    await form.field('git_user_name').fill('Grace');
    await form.field('agent').fill('x');
    assert.equal(await form.button('Speichern').count(), 1);
    assert.equal(await form.status.textContent(), '2 ungesicherte Änderungen');
  });
});
