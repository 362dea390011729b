import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { startAgentServer, type AgentServerByItself } from '../service/agent/byItself';
import { uiSuite } from '../support/ui';
import { ungroup } from './support/connect';
import { MessageEditor } from './support/messageEditor';
import { eventually } from '../support/patience';

uiSuite('a standalone agent server', (ui) => {
  let server: AgentServerByItself;
  const quickInput = () => ui.workbench.quickInput;
  const conversations = () => ui.workbench.view('Conversations');
  const workspaces = () => ui.workbench.view('Workspaces');
  const titleOf = (status: string) =>
    [...server.conversations.values()].find((one) => one.status === status)?.title ?? '';
  const frame = () => ui.workbench.webview();

  before(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true });
    await ui.workbench.openAgentWorkspace();
  });
  after(() => server.close());

  it('is recognized before the question for the key, and shown with its release', async () => {
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput().waitFor('Enter the address of the service');
    await quickInput().type(server.url);
    await quickInput().accept();
    await quickInput().waitFor('Enter a name for this connection');
    await quickInput().type('Agent');
    await quickInput().accept();
    await quickInput().waitFor('This is a standalone agent server (release 1.58.0)');
    await ui.workbench.screenshot('agent-server-key');
  });

  it('refuses a wrong key, and accepts the right one', async () => {
    await quickInput().type('wrong');
    await quickInput().accept();
    await quickInput().waitForMessage('refused this session key');
    await quickInput().type(server.sessionKey);
    await quickInput().accept();
    await quickInput().waitForClosed();
    await ungroup(ui.workbench);
  });

  it('lists its conversations, and the folders in which they work in place of sandboxes', async () => {
    await conversations().row(titleOf('waiting_for_confirmation')).waitFor();
    const all = conversations().pane.locator(`[aria-setsize="${server.conversations.size}"]`);
    await all.first().waitFor();
    assert.equal((await conversations().rows()).length, server.conversations.size);
    await workspaces().row('project').getByText('waiting for you').waitFor();
    await ui.workbench.view('Sandboxes').pane.waitFor({ state: 'detached' });
    await ui.workbench.screenshot('agent-server');
  });

  it('shows a conversation, and accepts an answer and a message', async () => {
    await ui.workbench.notifications.clear();
    const title = titleOf('waiting_for_confirmation');
    await conversations().clickRow(title);
    await ui.workbench.tab(title).waitFor();
    await frame().getByText('git clean -fdx && npm ci').first().waitFor();
    await ui.workbench.screenshot('agent-server-conversation');
    await frame().getByRole('button', { name: 'Reject…' }).click();
    await frame().getByRole('textbox', { name: 'What should the agent do instead?' }).fill('Keep my files.');
    await frame().getByRole('button', { name: 'Reject', exact: true }).click();
    await frame().locator('[data-pending]').waitFor({ state: 'detached' });
    await frame().getByText('Keep my files.').first().waitFor();
    await frame().locator('[data-composer]').fill('Thank you.');
    await frame().getByRole('button', { name: 'Send', exact: true }).click();
    await frame().locator('[data-kind="message"]', { hasText: 'Thank you.' }).first().waitFor();
  });

  it('branches a conversation, and goes back in the branch', async () => {
    const title = titleOf('finished');
    await conversations().clickRow(title);
    await ui.workbench.tab(title).waitFor();
    await frame().locator('[data-event]').first().waitFor();
    const chooseMessage = async (command: string, question: string, button: string) => {
      await ui.workbench.runCommand(command);
      await quickInput().waitFor('Select the message to continue from');
      await ui.workbench.screenshot(`agent-server-${button}`);
      await quickInput().accept();
      await ui.workbench.dialog().getByText(question).waitFor();
      await ui.workbench.dialog().getByRole('button', { name: button, exact: true }).click();
    };
    await chooseMessage(commandIds.conversationBranch, 'Branch from here?', 'Branch Here');
    await ui.workbench.tab(`${title} (branch)`).waitFor();
    await frame().locator('[data-composer]:focus').waitFor();
    await conversations().row(`${title} (branch)`).waitFor();
    await ui.workbench.screenshot('agent-server-branch');
    await chooseMessage(commandIds.conversationGoBack, 'Go back to here?', 'Go Back');
    await frame().locator('[data-composer]:focus').waitFor();
    await frame().locator('[data-composer]').fill('Another way.');
    await frame().getByRole('button', { name: 'Send', exact: true }).click();
    await frame().locator('[data-kind="message"]', { hasText: 'Another way.' }).first().waitFor();
  });

  it('hides what it doesn’t support', async () => {
    await conversations().openContextMenu(titleOf('finished'));
    const labels = await ui.workbench.menu.labels();
    await ui.workbench.screenshot('agent-server-menu');
    assert.ok(await ui.workbench.menu.openSubmenu('Workspace'));
    labels.push(...(await ui.workbench.menu.labels()));
    await ui.workbench.screenshot('agent-server-submenu');
    await ui.workbench.menu.close();
    for (const label of ['Rename Conversation…', 'Open Agent’s Folder…'])
      assert.ok(labels.includes(label), labels.join());
    // What works on a sandbox as such; its files, terminal, and ports are those of the workspace.
    for (const absent of [/Browser/, /Sandbox/])
      assert.ok(!labels.some((label) => absent.test(label)), labels.join());
    for (const id of [
      commandIds.sandboxStart,
      commandIds.conversationStartWithChanges,
      commandIds.settingsManageGitProviders,
    ])
      assert.equal(await ui.workbench.offersCommand(id), false, id);
    for (const id of [
      commandIds.conversationMessage,
      commandIds.conversationStart,
      commandIds.settingsOpen,
      commandIds.secretManage,
    ])
      await ui.workbench.untilOffered(id);
  });

  it('starts a conversation in the open folder, with what was selected, and opens it', async () => {
    const editor = new MessageEditor(ui.workbench);
    server.starts.conversationSettings = {
      confirmation_mode: true,
      security_analyzer: 'none',
      max_iterations: 42,
    };
    await ui.workbench.closeAllEditors();
    await editor.open();
    await editor.type('Greet people by their first name.');
    await editor.send();
    await quickInput().row('Folder').getByText(`${ui.folder} –`).waitFor();
    await quickInput()
      .row('Confirmation policy')
      .getByText('Ask before each action (server’s setting)')
      .waitFor();
    await ui.workbench.screenshot('agent-server-start');
    await quickInput().pick('Folder');
    await quickInput().row('Browse…').waitFor();
    await ui.workbench.screenshot('agent-server-folder');
    await quickInput().accept();
    await quickInput().pick('Model');
    await quickInput().pick('quick');
    await quickInput().row('Model').getByText('No key is set for this model.').waitFor();
    await quickInput().pick('Start Conversation');
    await frame().locator('[data-kind="message"]', { hasText: 'Greet people' }).first().waitFor();
    await frame().locator('[data-conversation]:not([data-conversation^="start:"])').waitFor();
    await ui.workbench.screenshot('agent-server-started');
    const [body] = server.starts.bodies;
    assert.deepEqual(body?.['workspace'], { kind: 'LocalWorkspace', working_dir: ui.folder });
    assert.deepEqual(body['confirmation_policy'], { kind: 'AlwaysConfirm' });
    assert.deepEqual(body['agent_launch_additions'], { llm_profile_ref: 'quick' });
    assert.equal(body['max_iterations'], 42);
    await ui.workbench.closeAllEditors();
  });

  it('saves a folder, starts a conversation there, and removes it from the list', async () => {
    const editor = new MessageEditor(ui.workbench);
    await ui.workbench.runCommand(commandIds.workspaceAdd);
    await quickInput().waitFor('Select a folder on the server, or enter its path');
    await quickInput().type('/workspace/garden');
    await quickInput().pick('/workspace/garden');
    await workspaces().row('garden').waitFor();
    await workspaces().clickInline('garden', 'Start Conversation in Folder…');
    await editor.waitForOpen();
    await editor.type('Water the plants.');
    await editor.send();
    await quickInput().row('Folder').getByText('garden –').waitFor();
    await quickInput().pick('Start Conversation');
    await frame().locator('[data-kind="message"]', { hasText: 'Water the plants.' }).first().waitFor();
    await workspaces().row('garden').getByText('1 conversation').waitFor();
    assert.deepEqual(server.starts.bodies.at(-1)?.['workspace'], {
      kind: 'LocalWorkspace',
      working_dir: '/workspace/garden',
    });
    await ui.workbench.screenshot('agent-server-workspaces');
    const isWorking = () =>
      [...server.conversations.values()].some(
        ({ status, workingDir }) => workingDir === '/workspace/garden' && status === 'running',
      );
    await eventually(
      () => !isWorking(),
      () => 'the agent is still working',
    );
    // A list that changes while the menu is open closes it; this is the last change.
    await ui.workbench.runCommand(commandIds.viewRefresh);
    await conversations().row('Water the plants.').getByText('Finished').waitFor();
    await workspaces().chooseFromMenu('garden', 'Remove Workspace from List');
    // The row stays, because of its conversation.
    const isSaved = () => server.starts.workspaces.some(({ name }) => name === 'garden');
    await eventually(
      () => !isSaved(),
      () => 'the server still has the folder',
    );
    await workspaces().row('garden').waitFor();
    await ui.workbench.closeAllEditors();
  });

  it('opens the settings form, with what the server has, and saves a change', async () => {
    await ui.workbench.notifications.clear();
    await ui.workbench.runCommand(commandIds.settingsOpen);
    const field = (name: string) => frame().locator(`[data-field="${name}"]`);
    await field('max_iterations').waitFor();
    await frame().locator('[data-mcp="search"]').waitFor();
    assert.equal(await frame().locator('[data-section="providers"]').isVisible(), false);
    await ui.workbench.screenshot('agent-server-form');
    await field('max_iterations').fill('43');
    const save = frame().getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await frame().getByRole('dialog', { name: 'Review changes' }).waitFor();
    await save.click();
    await frame()
      .locator('.status', { hasText: /^Saved/ })
      .waitFor();
    assert.equal(server.starts.conversationSettings['max_iterations'], 43);
    for (const theme of ['dark', 'hc-dark', 'light'] as const) {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`agent-server-form-${theme}`);
    }
    await frame().locator('[data-section="mcp"]').scrollIntoViewIfNeeded();
    await ui.workbench.screenshot('agent-server-form-mcp');
  });

  it('shows its views in a narrow window with a dark theme', async () => {
    await ui.workbench.closeAllEditors();
    await ui.workbench.setTheme('dark');
    await ui.workbench.resize(640, 700);
    await conversations().row(titleOf('finished')).waitFor();
    await ui.workbench.screenshot('agent-server-dark-narrow');
  });

  it('gets no requests that only a service answers', () => {
    const beyond = server.asked.filter((path) => path.startsWith('/api/v1/'));
    assert.deepEqual(beyond, []);
  });
});
