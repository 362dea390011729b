import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import type { Effect } from '../service/service';
import { takesPictures } from '../support/picture';
import { uiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import { connectGrouped } from './support/connect';

uiSuite('welcome content', (ui) => {
  const conversations = () => ui.workbench.view('Conversations');
  const sandboxes = () => ui.workbench.view('Sandboxes');

  async function pictures(name: string): Promise<void> {
    if (!takesPictures) return;
    const sidebar = ui.workbench.page.locator('.sidebar.part');
    for (const theme of ['dark', 'hc-dark', 'light'] as const) {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`welcome-${name}-${theme}`, sidebar);
    }
  }

  it('offers Connect in a window without a key', async () => {
    await ui.workbench.openAgentWorkspace();
    await conversations().welcome.getByRole('button', { name: 'Get Started' }).waitFor();
    assert.equal(await conversations().welcome.getByText('Set its session key').count(), 0);
    await sandboxes().welcome.getByText('once you’re connected').waitFor();
    await pictures('no-key');
  });

  it('offers Connect in a window without a connection', async () => {
    await ui.workbench.changeSettings({ 'agentWorkspace.connections': [] });
    await conversations().welcome.getByText('Connect to your agent workspace service').waitFor();
    await pictures('no-connection');
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await ui.workbench.quickInput.waitFor('Enter the address of the service');
    await ui.workbench.quickInput.cancel();
  });

  it('says that there’s nothing yet, and how to start', async () => {
    ui.service.reset({ seed: 'none' });
    ui.service.patch({ remove: { specs: [...ui.service.state.specs.keys()] } });
    await connectGrouped(ui);
    await ui.workbench.notifications.clear();
    await sandboxes().welcome.getByText('No sandboxes yet').waitFor();
    await conversations().welcome.getByText('No conversations yet').waitFor();
    await conversations().welcome.getByText('has no model set').waitFor();
    const specs = ui.workbench.view('Sandbox Specs');
    await specs.expand();
    await specs.welcome.getByText('No sandbox specs on this service').waitFor();
    await pictures('empty');
    await specs.collapse();
  });

  it('leads to the model while none is set, and then to the first conversation', async () => {
    await conversations().welcome.getByRole('button', { name: 'Set Up Model' }).click();
    const form = new SettingsForm(ui.workbench);
    await form.section('model').waitFor();
    await form.field('llm_model').fill('openai/gpt-5');
    await form.saved();
    await conversations().welcome.getByRole('button', { name: 'Start Conversation…' }).waitFor();
    await ui.workbench.closeAllEditors();
  });

  const troubles: [name: string, words: string, rules: { effect: Effect }[]][] = [
    ['key-refused', 'refused the session key', [{ effect: { kind: 'answer', status: 401, body: {} } }]],
    [
      'redirected',
      'redirects to another address',
      [{ effect: { kind: 'redirect', to: 'https://other.example.com/' } }],
    ],
    ['web-page', 'returned a web page', [{ effect: { kind: 'html' } }]],
    ['not-found', 'has no service settings', [{ effect: { kind: 'answer', status: 404, body: {} } }]],
    ['server-error', 'returned an error', [{ effect: { kind: 'answer', status: 501, body: {} } }]],
    [
      'rate-limited',
      'is limiting requests',
      [{ effect: { kind: 'answer', status: 429, body: {}, headers: { 'retry-after': '3600' } } }],
    ],
    ['other', 'Can’t reach the service', [{ effect: { kind: 'resetBeforeAnswer' } }]],
  ];
  // Which words belong to which trouble is tested in unit/welcome.test.ts; here, how the first and the last are drawn.
  const shown = takesPictures ? troubles : [troubles[0]!, troubles.at(-1)!];
  for (const [index, [name, words, rules]] of shown.entries()) {
    it(`says what’s wrong and what to do: ${name}`, async () => {
      ui.service.clearFailures();
      for (const rule of rules) ui.service.fail({ times: 'always', ...rule });
      // The first problem occurs on load; the later ones on refresh.
      if (index === 0) await ui.workbench.reload();
      else await ui.workbench.runCommand(commandIds.viewRefresh);
      await conversations().welcome.getByText(words).waitFor({ timeout: 40_000 });
      assert.ok((await conversations().welcome.getByRole('button').count()) > 0);
      await pictures(name);
    });
  }

  it('recovers with one click once the problem is over', async () => {
    ui.service.clearFailures();
    await conversations().welcome.getByRole('button', { name: 'Try Again' }).click();
    await sandboxes().welcome.getByText('No sandboxes yet').waitFor();
  });

  it('reports that nothing responds', async () => {
    await ui.service.close();
    await ui.workbench.reload();
    await conversations().welcome.getByText('nothing is listening').waitFor({ timeout: 40_000 });
    await pictures('nothing-answers');
  });
});
