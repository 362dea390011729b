import assert from 'node:assert/strict';
import { parseConversationUrl } from '../../src/api/agent/address';
import { commandIds } from '../../src/ids';
import { openGuardedWindow, type GuardedWindow } from '../support/guardedWindow';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { listProcesses } from '../support/processList';
import { prepareUi } from '../support/uiSetup';
import type { Workbench } from '../support/workbench';
import { SettingsForm } from '../support/workbench/settingsForm';
import { fieldHas } from '../ui/support/awaited';
import { connectGrouped, ungroup } from '../ui/support/connect';
import { MessageEditor } from '../ui/support/messageEditor';
import { ConversationPage } from './support/conversationPage';
import { useModel, writingStep, written } from './support/conversations';
import { withSandboxes } from './support/releases';
import { differences, settingsNow } from './support/settings';
import { real, realClient, realSuite } from './support/suite';

/** How long a sandbox may take on a busy computer. */
const sandboxTimeoutMs = 270_000;
/** The first message, which is the conversation’s title until the model’s title arrives. */
const title = 'Calculate, then write the file.';
const terminalStep = (command: string) => ({ tool: 'terminal', args: { command } });

realSuite('packaged extension', withSandboxes, function () {
  this.timeout(sandboxTimeoutMs + 30_000);
  const { version, generation } = real().release;
  let window: GuardedWindow;
  let folder: TempFolder;
  let workbench: Workbench;

  before(async () => {
    await useModel();
    real().model.title = title;
    await prepareUi();
    folder = await tempFolder();
    window = await openGuardedWindow(real().service, folder.path);
    ({ workbench } = window);
    workbench.page.setDefaultTimeout(60_000);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.screenshotOfFailure(this.currentTest);
  });
  after(async () => {
    await window.close();
    await folder.remove();
  });

  const page = () => new ConversationPage(workbench);
  const conversation = async () => {
    const { items } = await realClient().listConversations();
    const [newest] = items;
    assert.ok(newest);
    return newest;
  };
  const picture = (name: string) => workbench.screenshot(`real-${name}-${version}`);

  it('connects, and lists what the service has', async () => {
    await workbench.openAgentWorkspace();
    await connectGrouped({ workbench, service: real().service });
    await workbench.notifications.waitFor('Connected to Team');
    await workbench.notifications.clear();
    const specs = workbench.view('Sandbox Specs');
    await specs.expand();
    await specs.row('second-spec').waitFor();
    await specs.collapse();
  });

  it('starts a conversation, and shows what the agent runs and edits', async () => {
    real().model.script(
      // A busy sandbox can mistake the first prompt for the end of its first command, and that command's for the end of
      // the next, unless something else comes in between.
      terminalStep('true'),
      writingStep('journey.txt', 'written'),
      terminalStep('echo "6 times 7 is $((6 * 7))"'),
    );
    const message = new MessageEditor(workbench);
    await message.open();
    await message.type(title);
    await message.send();
    await workbench.quickInput.accept();
    const tab = page();
    const { frame, steps } = tab;
    // The tab of the start becomes that of the conversation.
    await frame.locator('[data-conversation^="start:"]').waitFor();
    await frame
      .locator('[data-conversation]:not([data-conversation^="start:"])')
      .waitFor({ timeout: sandboxTimeoutMs });
    await tab.execution('finished');
    const terminal = steps.filter({ hasText: '6 * 7' });
    await terminal.locator('button.step-line').click();
    await terminal.locator('.output', { hasText: '6 times 7 is 42' }).waitFor();
    await steps.filter({ hasText: 'journey.txt' }).locator('.added', { hasText: '+1' }).waitFor();
    await frame.locator('[data-kind="message"]', { hasText: title }).waitFor();
    await frame.getByText('Done.').first().waitFor();
    assert.equal(await written('journey.txt'), 'written');
    await ungroup(workbench);
    await picture('conversation');
  });

  it('sends a message, which starts the agent again', async () => {
    real().model.script(writingStep('journey-more.txt', 'more'));
    const tab = page();
    const { frame, steps } = tab;
    await tab.send('Write another file.');
    await steps.filter({ hasText: 'journey-more.txt' }).locator('.added').waitFor();
    await frame.locator('[data-kind="message"]', { hasText: 'Write another file.' }).waitFor();
    assert.equal(await written('journey-more.txt'), 'more');
    await fieldHas(page().composer, '');
  });

  it('runs approved actions, and no rejected ones', async () => {
    const tab = page();
    const { pending } = tab;
    await tab.choosePolicy('Ask before each action', 'Approvals: each action');
    real().model.script(
      writingStep('journey-rejected.txt', 'no'),
      writingStep('journey-approved.txt', 'yes'),
    );
    await tab.send('Write a third file.');
    await pending.filter({ hasText: 'journey-rejected.txt' }).waitFor();
    await picture('approval');
    await tab.reject('Not this one.');

    await tab.send('Another one, then.');
    await pending.filter({ hasText: 'journey-approved.txt' }).waitFor();
    assert.equal(await written('journey-approved.txt'), undefined);
    await tab.approve();
    assert.equal(await written('journey-approved.txt'), 'yes');
    assert.equal(await written('journey-rejected.txt'), undefined);
    await tab.choosePolicy('Never ask', 'Approvals: never');
  });

  it('shows that the model refused, and continues afterwards', async () => {
    const tab = page();
    const { frame } = tab;
    real().model.script('refuses');
    await tab.send('Try this.');
    await tab.execution('error');
    await frame.locator('[data-kind="error"]', { hasText: 'Incorrect API key' }).waitFor();
    await picture('error');
    real().model.script(writingStep('journey-after.txt', 'after the error'));
    await tab.send('Try again.');
    await tab.execution('finished');
    assert.equal(await written('journey-after.txt'), 'after the error');
  });

  it('pauses the agent after its step, and resumes it', async () => {
    // Nothing shows that the request has arrived, so the agent needs enough steps to still be working then.
    const steps = Array.from({ length: 60 }, (_, index) => terminalStep(`sleep 0.5; echo ${index}`));
    const last = writingStep('journey-resumed.txt', 'resumed');
    real().model.script(...steps, last);
    const tab = page();
    await tab.send('Take your time.');
    await tab.execution('running');
    await tab.button('Pause').click();
    await tab.execution('paused');
    assert.equal(await written('journey-resumed.txt'), undefined);
    real().model.script(last);
    await tab.button('Resume').click();
    await tab.execution('finished');
    assert.equal(await written('journey-resumed.txt'), 'resumed');
  });

  it('reads a conversation whose sandbox is paused, and resumes the sandbox with a message', async () => {
    const sandboxes = workbench.view('Sandboxes');
    await sandboxes.clickInline(title, 'Pause Sandbox');
    const tab = page();
    const { frame, steps } = tab;
    // A stopped agent server accepts requests but never answers, so noticing takes a while.
    await frame.getByText('The sandbox is paused.').waitFor({ timeout: 180_000 });
    await steps.filter({ hasText: 'journey.txt' }).first().waitFor();
    await picture('asleep');
    real().model.script(writingStep('journey-awake.txt', 'awake'));
    await tab.send('Wake up.');
    await frame.locator('[data-kind="message"]', { hasText: 'Wake up.' }).waitFor();
    await tab.execution('finished');
    assert.equal(await written('journey-awake.txt'), 'awake');
  });

  it('keeps the draft and the transcript when the sandbox’s process is killed', async () => {
    const { conversation_url } = await conversation();
    const { port } = new URL(parseConversationUrl(conversation_url ?? '')?.origin ?? '');
    const sandbox = listProcesses().find(
      ({ commandLine }) => commandLine.includes('agent_server') && commandLine.includes(`--port ${port}`),
    );
    assert.ok(sandbox, port);
    const { frame, composer, steps } = page();
    await composer.fill('Still thinking');
    process.kill(sandbox.pid, 'SIGKILL');
    await workbench.runCommand(commandIds.viewRefresh);
    await frame.getByText('The sandbox is gone.').waitFor({ timeout: 180_000 });
    await fieldHas(composer, 'Still thinking');
    await steps.filter({ hasText: 'journey.txt' }).first().waitFor();
    await picture('gone');
    await workbench.closeAllEditors();
    await workbench.view('Conversations').clickRow(title);
    await frame.locator('[data-kind="message"]', { hasText: title }).waitFor();
    await workbench.closeAllEditors();
  });

  it('saves only what changed in the form', async () => {
    const before = await settingsNow();
    const form = new SettingsForm(workbench);
    await form.open();
    await form.section('mcp').getByText('No MCP servers yet.').waitFor();
    await form.field('git_user_name').fill('Ada Lovelace');
    await form.field('max_iterations').fill('77');
    await form.saved();
    const after = await settingsNow();
    const changes = Object.values(differences(before.disk, after.disk)).map(([, is]) => is);
    assert.deepEqual(changes.map(String).sort(), ['77', 'Ada Lovelace']);
    await form.close();
    await form.open();
    assert.equal(await form.field('git_user_name').inputValue(), 'Ada Lovelace');
    assert.equal(await form.field('max_iterations').inputValue(), '77');
    await workbench.resize(1280, 2400);
    for (const theme of ['light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await picture(`form-${theme}`);
    }
    await workbench.resize(1280, 800);
    await form.close();
  });

  it('diagnoses the connection, without secrets', async () => {
    await workbench.runCommand(commandIds.connectionDiagnose);
    await workbench.tab('Diagnosis of Team').waitFor();
    const report = await workbench.wholeEditorText();
    assert.match(report, /The service answers and accepts the session key/);
    assert.ok(report.includes(`Release: ${version}`), report);
    assert.match(
      report,
      generation === 'first' ? /Settings at \/api\/settings/ : /Settings at \/api\/v1\/settings/,
    );
    assert.ok(!report.includes(real().service.sessionKey));
  });

  it('sends no service data elsewhere, least of all the session key', () => {
    assert.deepEqual(window.strays(), []);
  });
});
