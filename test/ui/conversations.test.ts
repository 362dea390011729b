import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { workspaceRepository } from '../support/workspaceFolder';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite('conversations', (ui) => {
  const view = () => ui.workbench.view('Conversations');
  const titled = () => [...ui.service.state.conversations.values()].filter(({ title }) => title);

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await view().pane.getByRole('treeitem').first().waitFor();
    await ui.workbench.notifications.clear();
  });

  it('shows them, those that wait for the user first and counted on the badge', async () => {
    const waiting = titled().filter(
      ({ execution_status }) => execution_status === 'waiting_for_confirmation',
    );
    const [first] = await view().rows();
    if (ui.profile === 'observed') {
      assert.equal(first?.label, waiting[0]?.title);
      assert.match(first?.description ?? '', /^Waits for you/);
      assert.equal(await ui.workbench.badge(), waiting.length);
    }
    assert.ok(titled().some(({ title }) => title === first?.label));
  });

  it('starts one about the open repository, in a running sandbox, and ends at its row', async () => {
    const { quickInput } = ui.workbench;
    const running = [...ui.service.state.sandboxes.values()].find(({ status }) => status === 'RUNNING');
    assert.ok(running);
    const known = new Set(ui.service.state.conversations.keys());

    await ui.workbench.runCommand(commandIds.conversationStart);
    await quickInput.waitFor('What should the agent do');
    await quickInput.type('Greet people by their first name');
    await quickInput.accept();
    await quickInput.waitFor('Choose the repository');
    await ui.workbench.screenshot(`conversation-repository-${ui.profile}`);
    await quickInput.pick('example-org/example-repo');
    await quickInput.waitFor('Branch of example-org/example-repo');
    assert.equal(await quickInput.value(), workspaceRepository.branch);
    await quickInput.accept();
    await quickInput.waitFor('Choose where it runs');
    await quickInput.pick(running.id);
    await quickInput.waitFor('Choose the model');
    await quickInput.pick('As in the settings');

    const { body } = await ui.service.waitForRequest(
      ({ method, path }) => method === 'POST' && path === '/api/v1/app-conversations',
      { after: 0 },
    );
    assert.deepEqual(body, {
      initial_message: {
        role: 'user',
        content: [{ type: 'text', text: 'Greet people by their first name' }],
      },
      selected_repository: 'example-org/example-repo',
      selected_branch: workspaceRepository.branch,
      git_provider: 'github',
      sandbox_id: running.id,
    });
    await ui.workbench.notifications.waitFor('The conversation has started');
    const created = [...ui.service.state.conversations.keys()].find((id) => !known.has(id));
    assert.ok(created);
    await view().pane.locator('[role="treeitem"][aria-selected="true"]').waitFor();
    await ui.workbench.screenshot(`conversation-started-${ui.profile}`);
    await ui.workbench.notifications.clear();
  });

  it('resumes a paused sandbox first', async () => {
    const { quickInput } = ui.workbench;
    const paused = [...ui.service.state.sandboxes.values()].find(({ status }) => status === 'PAUSED');
    assert.ok(paused);
    const last = ui.service.requests.at(-1)?.id ?? 0;
    await ui.workbench.runCommand(commandIds.conversationStart);
    await quickInput.waitFor('What should the agent do');
    await quickInput.accept();
    await quickInput.waitFor('Choose the repository');
    await quickInput.pick('No repository');
    await quickInput.waitFor('Choose where it runs');
    await quickInput.pick(paused.id);
    await quickInput.waitFor('Choose the model');
    await quickInput.pick('As in the settings');
    const created = await ui.service.waitForRequest(
      ({ method, path }) => method === 'POST' && path === '/api/v1/app-conversations',
      { after: last },
    );
    assert.deepEqual(created.body, { sandbox_id: paused.id });
    assert.equal(paused.status, 'RUNNING');
    await ui.workbench.notifications.waitFor('The conversation has started');
    await ui.workbench.notifications.clear();
  });

  it('goes back a step without losing what was typed', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.conversationStart);
    await quickInput.waitFor('What should the agent do');
    await quickInput.type('Keep this');
    await quickInput.accept();
    await quickInput.waitFor('Choose the repository');
    await quickInput.pick('No repository');
    await quickInput.waitFor('Choose where it runs');
    await quickInput.button('Back').click();
    await quickInput.waitFor('Choose the repository');
    await quickInput.button('Back').click();
    await quickInput.waitFor('What should the agent do');
    assert.equal(await quickInput.value(), 'Keep this');
    await quickInput.cancel();
  });

  it('reveals the sandbox of a conversation', async () => {
    const [first] = await view().rows();
    const conversation = titled().find(({ title }) => title === first?.label);
    assert.ok(conversation);
    await view().openContextMenu(first?.label ?? '');
    await ui.workbench.chooseFromMenu('Reveal Sandbox');
    const selected = ui.workbench.view('Sandboxes').pane.locator('[role="treeitem"][aria-selected="true"]');
    await selected.getByText(conversation.sandbox_id).waitFor();
  });

  it('shows a sandbox’s conversations and exposed URLs under its row', async () => {
    const sandboxes = ui.workbench.view('Sandboxes');
    const [conversation] = titled();
    await sandboxes.toggleRow(conversation?.sandbox_id ?? '');
    await sandboxes.row(conversation?.title ?? '').waitFor();
    if (ui.profile === 'observed') await sandboxes.row('VSCODE').waitFor();
    await ui.workbench.screenshot(`sandbox-children-${ui.profile}`);
  });
});
