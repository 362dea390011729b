import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { openGuardedWindow, type GuardedWindow } from '../support/guardedWindow';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { prepareUi } from '../support/uiSetup';
import type { Workbench } from '../support/workbench';
import { SettingsForm } from '../support/workbench/settingsForm';
import { connectGrouped, ungroup } from '../ui/support/connect';
import { MessageEditor } from '../ui/support/messageEditor';
import { readState, restore, type State } from './support/agentState';
import { ConversationPage } from './support/conversationPage';
import { real, realSuite } from './support/suite';

const title = 'Calculate, then write the file.';
const key = 'key-of-the-model';

realSuite('packaged extension on an agent server', ['agentServer'], function () {
  this.timeout(300_000);
  const { version } = real().release;
  let window: GuardedWindow;
  let folder: TempFolder;
  let workbench: Workbench;
  let first: State;

  before(async () => {
    first = await readState();
    real().model.title = title;
    await prepareUi();
    folder = await tempFolder();
    window = await openGuardedWindow(real().service, folder.path, {
      // Terminals that are drawn can’t be read.
      editor: { settings: { 'terminal.integrated.gpuAcceleration': 'off' } },
    });
    ({ workbench } = window);
    workbench.page.setDefaultTimeout(60_000);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.screenshotOfFailure(this.currentTest);
  });
  after(async () => {
    await window.close();
    await restore(first);
    await folder.remove();
  });

  const page = () => new ConversationPage(workbench);
  const writing = (name: string, text: string) => ({
    tool: 'file_editor',
    args: { command: 'create', path: path.join(folder.path, name), file_text: text },
  });
  const running = (command: string) => ({ tool: 'terminal', args: { command } });
  const written = (name: string) => readFile(path.join(folder.path, name), 'utf8').catch(() => undefined);
  const picture = (name: string) => workbench.screenshot(`real-${name}-${version}`);

  it('is connected to, with views of what it has', async () => {
    await workbench.openAgentWorkspace();
    await connectGrouped({ workbench, service: real().service });
    await workbench.view('Workspaces').pane.waitFor();
    await workbench.view('Sandboxes').pane.waitFor({ state: 'detached' });
    await picture('connected');
  });

  it('gets a model in the form, whose key nobody is shown', async () => {
    const form = new SettingsForm(workbench);
    await form.open();
    await form.field('llm_model').fill('openai/scripted');
    await form.field('llm_base_url').fill(real().modelUrl);
    await form.replaceSecret(form.section('model'), key);
    await form.saved();
    const { llm } = await readState();
    assert.deepEqual([llm['model'], llm['api_key']], ['openai/scripted', key]);
    assert.ok(!(await form.frame.locator('body').innerText()).includes(key));
    await picture('form');
    await form.close();
  });

  it('starts a conversation in the open folder, and shows what the agent runs and edits', async () => {
    real().model.script(
      // A busy server can mistake the end of its own first command for that of the agent’s.
      running('true'),
      writing('journey.txt', 'written'),
      running('echo "6 times 7 is $((6 * 7))"'),
    );
    const message = new MessageEditor(workbench);
    await message.open();
    await message.type(title);
    await message.send();
    await workbench.quickInput.row('Folder').getByText(path.basename(folder.path)).first().waitFor();
    await picture('options');
    await workbench.quickInput.accept();
    await page().frame.locator('[data-conversation]:not([data-conversation^="start:"])').waitFor();
    await page().execution('finished');
    const terminal = page().steps.filter({ hasText: '6 * 7' });
    await terminal.locator('button.step-line').click();
    await terminal.locator('.output', { hasText: '6 times 7 is 42' }).waitFor();
    await page().steps.filter({ hasText: 'journey.txt' }).locator('.added', { hasText: '+1' }).waitFor();
    assert.equal(await written('journey.txt'), 'written');
    await ungroup(workbench);
    await workbench.view('Conversations').row(title).waitFor();
    await workbench.view('Workspaces').row(path.basename(folder.path)).waitFor();
    await picture('conversation');
  });

  it('runs approved actions, and no rejected ones', async () => {
    await page().choosePolicy('Ask before each action', 'Approvals: each action');
    real().model.script(writing('rejected.txt', 'no'), writing('approved.txt', 'yes'));
    await page().send('Write a third file.');
    await page().pending.filter({ hasText: 'rejected.txt' }).waitFor();
    await picture('approval');
    await page().reject('Not this one.');
    await page().send('Another one, then.');
    await page().pending.filter({ hasText: 'approved.txt' }).waitFor();
    assert.equal(await written('approved.txt'), undefined);
    await page().approve();
    assert.deepEqual([await written('approved.txt'), await written('rejected.txt')], ['yes', undefined]);
    await page().choosePolicy('Never ask', 'Approvals: never');
  });

  it('shows that the model refused, and continues afterwards', async () => {
    real().model.script('refuses');
    await page().send('Try this.');
    await page().execution('error');
    await page().frame.locator('[data-kind="error"]', { hasText: 'API key' }).waitFor();
    real().model.script(writing('after.txt', 'after the error'));
    await page().send('Try again.');
    await page().execution('finished');
    assert.equal(await written('after.txt'), 'after the error');
  });

  it('pauses the agent after its step, and resumes it', async () => {
    const last = writing('resumed.txt', 'resumed');
    real().model.script(...Array.from({ length: 60 }, (_, step) => running(`sleep 0.5; echo ${step}`)), last);
    await page().send('Take your time.');
    await page().execution('running');
    await page().button('Pause').click();
    await page().execution('paused');
    assert.equal(await written('resumed.txt'), undefined);
    real().model.script(last);
    await page().button('Resume').click();
    await page().execution('finished');
    assert.equal(await written('resumed.txt'), 'resumed');
  });

  it('shows the changes, and a terminal of this computer in the agent’s folder', async () => {
    await workbench.runCommand(commandIds.changesShow);
    await workbench.tab(`Changes: ${title} (4 files)`).waitFor();
    for (const name of ['journey.txt', 'approved.txt', 'after.txt', 'resumed.txt'])
      await workbench.page.locator('.multiDiffEditor').getByText(name).first().waitFor();
    await workbench.runCommand(commandIds.placeOpenTerminal);
    await workbench.page
      .locator('.terminal-wrapper.active .xterm-rows')
      .filter({ hasText: path.basename(folder.path) })
      .waitFor();
    await picture('terminal');
  });

  it('is diagnosed with its release, and without secrets', async () => {
    await workbench.runCommand(commandIds.connectionDiagnose);
    await workbench.tab('Diagnosis of Team').waitFor();
    const report = await workbench.wholeEditorText();
    assert.match(report, /agent server/i);
    for (const secret of [real().service.sessionKey, key]) assert.ok(!report.includes(secret));
  });

  it('gets all data itself: none of it, least of all the session key, goes elsewhere', () => {
    assert.deepEqual(window.strays(), []);
  });
});
