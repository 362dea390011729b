import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { stream, type ScriptStep } from '../service/agent/script';
import { makeConversation, makeSandbox } from '../service/service';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

const id = '0123456789abcdef0123456789abcdef';
const title = 'Count and tidy up';
const long = Array.from({ length: 900 }, (_, line) => `row ${line + 1} of the log`).join('\n');

/** What happened before anybody looked. */
const past: ScriptStep[] = [
  { act: [{ command: 'cat build.log', output: long }] },
  ...stream(150),
  { act: [{ path: '/workspace/cart.ts', before: 'one\ntwo\n', after: 'one\n2\n' }] },
  { say: 'The **cart** is tidy.' },
];

uiSuite(
  'working with an agent in the editor',
  (ui) => {
    const page = () => ui.workbench.webview();
    const button = (name: string) => page().getByRole('button', { name, exact: true });
    const said = (text: string) => page().locator('[data-kind="message"]', { hasText: text });
    const composer = () => page().locator('[data-composer]');
    const step = (kind: string, text: string) => page().locator(`[data-step="${kind}"]`, { hasText: text });
    const agent = () => {
      const found = ui.service.agentOf(id);
      assert.ok(found);
      return found;
    };
    const send = async (text: string, ...script: ScriptStep[]) => {
      agent().script.push(...script);
      await composer().fill(text);
      await button('Send').click();
      await said(text).waitFor();
    };
    const choose = async (name: string) => {
      await ui.workbench.quickInput.waitFor('Select a conversation');
      await ui.workbench.quickInput.type(name);
      await ui.workbench.quickInput.pick(name);
    };
    const toEnd = () =>
      page()
        .locator('#feed')
        .evaluate((feed) => feed.scrollTo(0, feed.scrollHeight));

    before(async () => {
      ui.service.state.sandboxes.set('box', makeSandbox({ id: 'box' }));
      const record = makeConversation({ id, title, sandbox_id: 'box', execution_status: 'idle' });
      ui.service.state.conversations.set(id, record);
      agent().replay('Count to 150.', past);
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it('opens from the palette, with the newest on screen and older while scrolling up', async () => {
      await ui.workbench.runCommand(commandIds.conversationShow);
      await choose(title);
      await ui.workbench.tab(title).waitFor();
      await said('The cart is tidy.').waitFor();
      await page().locator('.text strong', { hasText: 'cart' }).waitFor();
      await page().locator('#feed').focus();
      await page().locator('[data-event]').last().focus();
      for (let press = 0; press < 20 && !(await said('Count to 150.').isVisible()); press += 1) {
        await ui.workbench.page.keyboard.press('Home');
        await page().locator('#feed .older').waitFor({ state: 'attached' });
      }
      await said('Count to 150.').waitFor();
      await ui.workbench.screenshot('conversation-older');
    });

    it('opens a step in place, all of its output as a document, and copies it', async () => {
      const first = step('terminal', 'cat build.log');
      await first.getByRole('button', { expanded: false }).click();
      await first.locator('pre.output', { hasText: 'row 1 of the log' }).waitFor();
      await first.getByRole('button', { name: 'Copy Output' }).click();
      await ui.workbench.page.waitForFunction(async () =>
        (await navigator.clipboard.readText()).includes('row 1 of the log'),
      );
      await first.getByRole('button', { name: 'Open Whole Text' }).click();
      await ui.workbench.page.locator('.monaco-editor .view-lines').first().waitFor();
      assert.match(await ui.workbench.wholeEditorText(), /row 450 of the log/);
      await ui.workbench.tab(title).first().click();
      await composer().waitFor();
    });

    it('opens an edit in the editor’s own diff', async () => {
      await toEnd();
      const edit = step('edit', 'cart.ts').last();
      await edit.getByRole('button', { expanded: false }).click();
      await ui.workbench.screenshot('conversation-edit');
      await edit.getByRole('button', { name: 'Open Diff' }).click();
      await ui.workbench.page.locator('.monaco-diff-editor').first().waitFor();
      await ui.workbench.tab('cart.ts (before and after the step)').waitFor();
      await ui.workbench.tab(title).first().click();
    });

    it('finds in the whole transcript, and filters', async () => {
      await composer().click();
      await ui.workbench.page.keyboard.press('Control+f');
      const field = page().getByLabel('Find in the conversation');
      await field.fill('row 450 of the log');
      await page().locator('[data-found="current"]', { hasText: 'cat build.log' }).waitFor();
      await page().getByText('1 of 1').waitFor();
      await ui.workbench.screenshot('conversation-find');
      await field.press('Escape');
      await page().locator('#filter').selectOption('messages');
      await said('Count to 150.').waitFor();
      assert.equal(await page().locator('[data-step="terminal"]').count(), 0);
      await page().locator('#filter').selectOption('all');
    });

    it('exports through the save dialog', async () => {
      await ui.workbench.runCommand(commandIds.conversationExport);
      await ui.workbench.quickInput.waitFor('Select a format');
      await ui.workbench.quickInput.pick('Markdown');
      await ui.workbench.quickInput.waitForValue('/');
      await ui.workbench.quickInput.accept();
      await ui.workbench.quickInput.waitForClosed();
      const exported = async () => (await readdir(ui.folder)).filter((name) => name.endsWith('tidy up.md'));
      while ((await exported()).length === 0) await ui.workbench.page.waitForFunction(() => true);
      const text = await readFile(path.join(ui.folder, (await exported())[0]!), 'utf8');
      assert.ok(text.startsWith(`# ${title}`) && text.includes('row 450 of the log'));
    });

    it('follows what the agent does, while what is read stays in place', async () => {
      const look: ScriptStep = { act: [{ command: 'sleep 4', output: 'slept', ms: 4_000 }] };
      await send('Wait a moment.', look, { say: 'I have waited.' });
      await page().locator('.live', { hasText: 'Running `sleep 4`' }).waitFor();
      await ui.workbench.screenshot('conversation-live');
      await page()
        .locator('#feed')
        .evaluate((feed) => feed.scrollTo(0, 0));
      await page()
        .getByRole('button', { name: /^\d+ new$/ })
        .waitFor();
      assert.equal(
        await page()
          .locator('#feed')
          .evaluate((feed) => feed.scrollTop < 1_000),
        true,
      );
      await page()
        .getByRole('button', { name: /^\d+ new$/ })
        .click();
      await said('I have waited.').waitFor();
    });

    it('pauses the agent after its step, resumes it, and interrupts it at once', async () => {
      const slow = (ms: number): ScriptStep => ({ act: [{ command: `sleep ${ms / 1_000}`, ms }] });
      await send('Take your time.', slow(3_000), slow(60_000), { say: 'Never said' });
      await page().getByText('The agent is working and reads this after its current step.').waitFor();
      await button('Pause').click();
      await page().locator('[data-execution="paused"]').waitFor();
      await button('Resume').click();
      await page().locator('.live', { hasText: 'sleep 60' }).waitFor();
      await button('Interrupt').click();
      await page().locator('[data-execution="paused"]').waitFor();
      await page().locator('[data-kind="separator"]', { hasText: 'Interrupted' }).waitFor();
      assert.ok(!agent().log.all.some((event) => JSON.stringify(event).includes('Never said')));
      agent().script.length = 0;
    });

    it('asks before an action once the policy says so, and approves it a single time', async () => {
      await ui.workbench.runCommand(commandIds.conversationPolicy);
      await ui.workbench.quickInput.waitFor('When the agent asks before it acts');
      await ui.workbench.quickInput.pick('Ask before each action');
      await page().getByText('Asks before each action').waitFor();
      await send(
        'Clean up.',
        { act: [{ command: 'git clean -fdx', output: 'Removing build/' }] },
        { say: 'Clean.' },
      );
      const card = page().locator('[data-pending]');
      await card.getByText('git clean -fdx').waitFor();
      await ui.workbench.screenshot('conversation-approve');
      const before = agent().deeds.length;
      await button('Approve').click();
      await card.waitFor({ state: 'detached' });
      await said('Clean.').waitFor();
      const asked = agent().deeds.slice(before);
      assert.deepEqual(
        asked.map((deed) => deed.do),
        ['accept', 'execute'],
      );
    });

    it('attaches the selection in the editor to the message', async () => {
      await ui.workbench.runCommand('View: Close All Editors');
      await ui.workbench.runCommand('Go to File...');
      await ui.workbench.quickInput.type('README.md');
      await ui.workbench.quickInput.accept();
      await ui.workbench.tab('README.md').waitFor();
      await ui.workbench.runCommand('Select All');
      await ui.workbench.runCommand(commandIds.conversationAddSelection);
      await choose(title);
      await ui.workbench.tab(title).waitFor();
      await page().locator('.attachment', { hasText: 'README.md' }).waitFor();
      await ui.workbench.screenshot('conversation-attached');
      await send('See this file.');
      await said('README.md').waitFor();
    });

    it('asks on the side, which leaves the conversation as it is', async () => {
      const before = agent().log.all.length;
      await ui.workbench.runCommand(commandIds.conversationAsk);
      await ui.workbench.quickInput.type('What have you done?');
      await ui.workbench.quickInput.accept();
      await ui.workbench.tab('Ask on the Side').waitFor();
      assert.match(await ui.workbench.wholeEditorText(), /What have you done\?/);
      assert.equal(agent().log.all.length, before);
      await ui.workbench.tab(title).first().click();
    });

    it('renames the conversation, in its tab, too', async () => {
      await ui.workbench.runCommand(commandIds.conversationRename);
      await choose(title);
      await ui.workbench.quickInput.waitFor('Title of the conversation');
      await ui.workbench.quickInput.type('Tidied up');
      await ui.workbench.quickInput.accept();
      await ui.workbench.view('Conversations').row('Tidied up').waitFor();
      assert.equal(ui.service.state.conversations.get(id)?.title, 'Tidied up');
    });

    it('resumes a paused sandbox to send a message', async () => {
      const sandbox = ui.service.state.sandboxes.get('box');
      assert.ok(sandbox);
      sandbox.status = 'PAUSED';
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await page().getByText('The sandbox is paused.').first().waitFor({ timeout: 60_000 });
      await page().getByText('Resumes the sandbox, then sends.').waitFor();
      await ui.workbench.screenshot('conversation-asleep');
      await composer().fill('Good morning.');
      await button('Send').click();
      await said('Good morning.').waitFor({ timeout: 60_000 });
      assert.equal(sandbox.status, 'RUNNING');
    });

    it('closes its tab and forgets its draft when it’s deleted', async () => {
      await composer().fill('Never to be seen again');
      await ui.workbench.runCommand(commandIds.conversationDelete);
      await choose('Tidied up');
      await ui.workbench.dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await ui.workbench.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
      assert.ok(!ui.service.state.conversations.has(id));
    });
  },
  { profiles: ['observed'], service: { agents: '1.58.0' } },
);
