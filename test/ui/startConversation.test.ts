import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { imageName } from '../../src/shared/imageName';
import { tempFolder } from '../support/lifetime';
import { takesPictures } from '../support/picture';
import { run } from '../support/processes';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { workspaceRepository } from '../support/workspaceFolder';
import { fieldHas } from './support/awaited';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';
import { eventually } from '../support/patience';

const repository = 'example-org/example-repo';
/** What an editor without any text shows. */
const emptyHint = 'What should the agent do? Ctrl+Enter to start. Leave empty';
const startTasks = '/api/v1/app-conversations/start-tasks';

uiSuite('starting a conversation', (ui) => {
  const view = () => ui.workbench.view('Conversations');
  const editor = () => new MessageEditor(ui.workbench);
  const withStatus = (status: string) => {
    const sandbox = [...ui.service.state.sandboxes.values()].find((one) => one.status === status);
    assert.ok(sandbox, `the service has no sandbox that is ${status}`);
    return sandbox;
  };
  const request = () => {
    const last = ui.service.requests.at(-1)?.id ?? 0;
    return () =>
      ui.service.waitForRequest(
        ({ method, path }) => method === 'POST' && path === '/api/v1/app-conversations',
        { after: last },
      );
  };
  const started = async () => {
    await page('conversation').waitFor();
    await noneTold();
    await ui.workbench.closeAllEditors();
  };
  /** The tab says it all. */
  const noneTold = async () => {
    const told = await ui.workbench.notifications.messages();
    assert.ok(!told.some((words) => /start(ed|ing)/i.test(words)), told.join('\n'));
  };
  /** What the tab shows: a start, or the conversation that it led to. */
  const page = (of: 'start' | 'conversation') =>
    ui.workbench
      .webview()
      .locator(
        `[data-conversation]${of === 'start' ? '[data-conversation^="start:"]' : ':not([data-conversation^="start:"])'}`,
      );
  /** Answers the question about the current branch, which isn’t on its remote. */
  const answerPushQuestion = async (button: string) => {
    const dialog = ui.workbench.dialog();
    await dialog.getByText(`Push “${workspaceRepository.branch}” to origin first?`).waitFor();
    await dialog.getByRole('button', { name: button }).click();
  };
  const git = (...args: string[]) => run('git', args, { cwd: ui.folder });
  const described = async (label: string) => {
    await ui.workbench.quickInput.row(label).waitFor();
    return (await ui.workbench.quickInput.items()).find((item) => item.label === label)?.description;
  };
  const message = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
  const inPicturesOfAllThemes = async (name: string, show: () => Promise<void>) => {
    if (!takesPictures) return show();
    for (const theme of ['light', 'hc-light', 'hc-dark', 'dark'] satisfies Theme[]) {
      await ui.workbench.setTheme(theme);
      await show();
      await ui.workbench.screenshot(`${name}-${theme}`);
    }
  };

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await view().pane.getByRole('treeitem').first().waitFor();
    await ui.workbench.notifications.clear();
  });

  it('takes the message from an editor, and starts with the open repository', async () => {
    const { quickInput } = ui.workbench;
    const sent = request();
    await editor().open();
    await editor().waitForHint(emptyHint);
    await ui.workbench.screenshot('conversation-message-empty');
    // It isn’t code, and all that can be done with it is in sight, whatever it’s about.
    const pane = ui.workbench.page.locator('.editor-group-container.active .editor-instance');
    assert.equal(await pane.locator('.minimap').isVisible(), false);
    assert.equal(await pane.locator('.line-numbers').count(), 0);
    await pane.getByText(repository).waitFor();
    const end = await pane.evaluate((shown) => shown.getBoundingClientRect().right);
    for (const action of await pane.locator('.codelens-decoration a').all())
      assert.ok((await action.evaluate((link) => link.getBoundingClientRect().right)) < end);
    await editor().type('Greet people by their first name.\n\n- Keep `greet` as it is\n- Add a **test**');
    await inPicturesOfAllThemes('conversation-message', () => editor().waitForText('Greet people'));
    await editor().send();
    assert.equal(await described('Repository'), repository);
    assert.equal(await described('Branch'), `${workspaceRepository.branch} – not on the remote yet`);
    assert.equal(await described('Git provider'), 'GitHub');
    const model = String(ui.service.state.settings?.['llm_model']);
    await quickInput.row('Model').getByText(`Service default – ${model}`).waitFor();
    await ui.workbench.screenshot('conversation-choices');
    await editor().start();
    await answerPushQuestion('Start Anyway');
    assert.deepEqual((await sent()).body, {
      initial_message: message(
        'Greet people by their first name.\n\n- Keep `greet` as it is\n- Add a **test**',
      ),
      selected_repository: repository,
      selected_branch: workspaceRepository.branch,
      git_provider: 'github',
    });
    await editor().waitForClosed();
    await view().pane.locator('[role="treeitem"][aria-selected="true"]').waitFor();
    await started();
  });

  it('asks about a branch that isn’t on the remote', async () => {
    const { quickInput } = ui.workbench;
    await editor().open();
    await editor().type('Stay on the default branch');
    await editor().send();
    await editor().start();
    const dialog = ui.workbench.dialog();
    await dialog.getByText('isn’t on the remote yet').waitFor();
    await ui.workbench.screenshot('conversation-unpushed');
    await answerPushQuestion('Cancel');
    await quickInput.waitFor('Press Enter to start');
    const sent = request();
    await editor().start();
    await answerPushQuestion('Start on Default Branch');
    assert.deepEqual((await sent()).body, {
      initial_message: message('Stay on the default branch'),
      selected_repository: repository,
      git_provider: 'github',
    });
    await started();
  });

  it('resumes a paused sandbox first, and uses the selected options', async () => {
    const { quickInput } = ui.workbench;
    const paused = withStatus('PAUSED');
    // The key goes to the model's provider.
    Object.assign(ui.service.state.settings ?? {}, { llm_base_url: null });
    const sent = request();
    await editor().open();
    await editor().type('Look around');
    await editor().press('Start Conversation');
    const choose = async (part: string, words: string, act: () => Promise<void>) => {
      await quickInput.waitFor('Press Enter to start, or select');
      await quickInput.pick(part);
      await quickInput.waitFor(words);
      await act();
    };
    await choose('Repository', 'Select a repository', async () => {
      await quickInput.type('group/sub/tools');
      await quickInput.pick('group/sub/tools');
    });
    await choose('Branch', 'Select a branch', async () => {
      await quickInput.type('release/2');
      await quickInput.pick('release/2');
    });
    await choose('Git provider', 'Select the git provider', () => quickInput.pick('GitLab'));
    await choose('Sandbox', 'Select a sandbox', async () => {
      await quickInput.row(sandboxLabel(ui.service, paused.id)).waitFor();
      await ui.workbench.screenshot('conversation-sandbox');
      await quickInput.pick(sandboxLabel(ui.service, paused.id));
    });
    await choose('Model', 'Select a model', async () => {
      await quickInput.type('acme/large');
      await quickInput.pick('acme/large');
    });
    await choose('Title', 'Enter a title', async () => {
      await quickInput.type('A look around');
      await quickInput.accept();
    });
    await quickInput.waitFor('Press Enter to start, or select');
    await quickInput.row('Model').getByText('for anthropic. It will be sent to acme.').waitFor();
    // The row may also name what the service pauses for it.
    const place = (await described('Sandbox')) ?? '';
    assert.ok(place.startsWith(`${sandboxLabel(ui.service, paused.id)} · paused, will be resumed`), place);
    await ui.workbench.screenshot('conversation-chosen');
    await editor().start();
    assert.deepEqual((await sent()).body, {
      initial_message: message('Look around'),
      selected_repository: 'group/sub/tools',
      selected_branch: 'release/2',
      git_provider: 'gitlab',
      sandbox_id: paused.id,
      llm_model: 'acme/large',
      title: 'A look around',
    });
    assert.equal(paused.status, 'RUNNING');
    await started();
  });

  it('starts a sandbox from a spec first, without message and repository', async () => {
    const { quickInput } = ui.workbench;
    const [spec] = [...ui.service.state.specs.keys()].slice(-1);
    assert.ok(spec !== undefined);
    const known = new Set(ui.service.state.sandboxes.keys());
    const sent = request();
    await editor().open();
    await editor().send();
    await quickInput.pick('Repository');
    await quickInput.waitFor('Select a repository');
    await quickInput.button('Back').click();
    await quickInput.waitFor('Press Enter to start, or select');
    assert.equal(await described('Repository'), repository);
    await quickInput.pick('Repository');
    await quickInput.waitFor('Select a repository');
    await quickInput.pick('No repository');
    await quickInput.waitFor('Press Enter to start, or select');
    await quickInput.pick('Sandbox');
    await quickInput.waitFor('Select a sandbox');
    const { name: image } = imageName(spec);
    await quickInput.type(image);
    await quickInput.pick(`New sandbox from ${image}`);
    await quickInput.waitFor('Press Enter to start, or select');
    await editor().start();
    const { body } = await sent();
    const fresh = [...ui.service.state.sandboxes.values()].find(({ id }) => !known.has(id));
    assert.equal(fresh?.sandbox_spec_id, spec);
    assert.deepEqual(body, { sandbox_id: fresh.id });
    await started();
  });

  it('keeps the message after a reload and after canceling the options', async () => {
    await editor().open();
    await editor().type('Survive this');
    await editor().send();
    await ui.workbench.quickInput.cancel();
    await editor().waitForText('Survive this');
    await editor().type(' and that');
    // The editor backs up unsaved text a moment after the last key.
    await eventually(
      async () =>
        (await backups(ui.editor.dataFolder)).some((text) => text.includes('Survive this and that')),
      () => 'the editor hasn’t backed up what was typed',
    );
    await ui.workbench.reload();
    // The editor may not have stored yet which tab was active.
    await editor().tab.click();
    await editor().waitForText('Survive this and that');
    await ui.workbench.openAgentWorkspace();
    await view().pane.getByRole('treeitem').first().waitFor();
  });

  it('discards the message, or keeps it for the next time', async () => {
    await editor().press('Discard');
    await ui.workbench.dialog().getByText('Discard this message?').waitFor();
    await ui.workbench.dialog().getByRole('button', { name: 'Keep for Next Time' }).click();
    await editor().waitForClosed();
    await editor().open();
    await editor().waitForText('Survive this and that');
    await editor().press('Discard');
    await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
    await editor().waitForClosed();
    await editor().open();
    await editor().waitForHint(emptyHint);
    await editor().press('Discard');
    await editor().waitForClosed();
  });

  it('adds a selection to the message, and asks before sending it without an instruction', async () => {
    const { page, quickInput } = ui.workbench;
    const before = ui.service.requests.filter(({ method }) => method === 'POST').length;
    await ui.workbench.openFile(path.join(ui.folder, 'src/greet.ts'));
    await ui.workbench.selectAll();
    await page.locator('.editor-instance .view-lines').first().click({ button: 'right' });
    await ui.workbench.menu.choose('Agent Workspace', 'Start Conversation about Selection…');
    await editor().waitForOpen();
    await editor().waitForText('export function greet');
    await editor().waitForHint('What should the agent do with this? Ctrl+Enter to start.');
    await inPicturesOfAllThemes('conversation-selection', () => editor().waitForText('export function'));
    assert.equal(ui.service.requests.filter(({ method }) => method === 'POST').length, before);
    await ui.workbench.focusedEditor().waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = ui.workbench.dialog();
    await dialog.getByText('Start without instructions?').waitFor();
    await ui.workbench.screenshot('conversation-no-instruction');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await quickInput.isOpen(), false);
    // With the mouse, since the dialog may not have returned the focus yet.
    await editor().press('Start Conversation');
    await dialog.getByRole('button', { name: 'Start Anyway' }).click();
    await quickInput.waitFor('Press Enter to start');
    const sent = request();
    // Once it has started, the service makes a title.
    const held = ui.service.fail({
      method: 'GET',
      path: startTasks,
      times: 'always',
      effect: { kind: 'stallBeforeHeaders' },
    });
    await editor().start();
    await answerPushQuestion('Start Anyway');
    await view().row('src/greet.ts, lines 1–3').waitFor();
    held.remove();
    held.release();
    const { initial_message } = (await sent()).body as { initial_message: ReturnType<typeof message> };
    const text = initial_message.content[0]?.text ?? '';
    assert.ok(
      text.startsWith(
        'In `src/greet.ts`, lines 1–3:\n\n```typescript\nexport function greet(name: string): string {\n',
      ),
      text,
    );
    await started();
  });

  /** Sends a message, whose start then waits for the service. */
  const startAndWait = async (text: string) => {
    await editor().open();
    await editor().type(text);
    await editor().send();
    await editor().start();
    await answerPushQuestion('Start Anyway');
    await view().row(text).getByText('Starting…').waitFor();
    await editor().waitForClosed();
    const tab = page('start');
    await tab.locator('[data-from="user"]', { hasText: text }).waitFor();
    await tab.locator('.live').waitFor();
    return tab;
  };

  it('shows its steps in its tab and in the tree, also after a reload', async () => {
    const held = ui.service.fail({
      method: 'GET',
      path: startTasks,
      times: 'always',
      effect: { kind: 'stallBeforeHeaders' },
    });
    const tab = await startAndWait('Take your time');
    const row = view().row('Take your time');
    await inPicturesOfAllThemes('conversation-starting', () => row.waitFor());
    await inPicturesOfAllThemes('conversation-start-tab', () => tab.waitFor());
    await noneTold();
    await tab.getByText('Sending request').waitFor();
    await ui.workbench.reloadWindow();
    await tab.locator('[data-from="user"]', { hasText: 'Take your time' }).waitFor();
    await ui.workbench.closeAllEditors();
    await ui.workbench.openAgentWorkspace();
    await row.getByText('Starting…').waitFor();
    await view().clickRow('Take your time');
    await tab.locator('.live').waitFor();
    await tab.getByRole('textbox', { name: 'Message' }).fill('And then rest.');
    held.remove();
    held.release();
    await row.getByText('Starting…').waitFor({ state: 'detached' });
    await page('conversation').waitFor();
    await fieldHas(page('conversation').locator('[data-composer]'), 'And then rest.');
    await ui.workbench.closeAllEditors();
    await row.waitFor();
    await ui.workbench.notifications.clear();
  });

  it('can be canceled before the service has answered, which keeps the message', async () => {
    const held = ui.service.fail({
      method: 'POST',
      path: '/api/v1/app-conversations',
      times: 'always',
      effect: { kind: 'stallBeforeHeaders' },
    });
    const tab = await startAndWait('Take it back');
    await noneTold();
    await tab.getByRole('button', { name: 'Cancel' }).click();
    await ui.workbench.notifications.waitFor('The conversation may have started');
    await editor().waitForText('Take it back');
    const told = await ui.workbench.notifications.messages();
    assert.equal(told.filter((text) => text.includes('started')).length, 1, told.join('\n'));
    held.remove();
    held.release();
    await editor().press('Discard');
    await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
    await editor().waitForClosed();
    await ui.workbench.notifications.clear();
  });

  it('pushes before starting, and starts nothing if the push fails', async () => {
    const { notifications } = ui.workbench;
    const remote = await tempFolder();
    try {
      await git('remote', 'set-url', '--push', 'origin', remote.path);
      const posts = () => ui.service.requests.filter(({ method }) => method === 'POST').length;
      const before = posts();
      await editor().open();
      await editor().type('Work on what I pushed');
      await editor().send();
      await editor().start();
      await answerPushQuestion('Push and Start');
      await notifications.waitFor('so no conversation was started');
      await ui.workbench.screenshot('conversation-push-failed');
      assert.deepEqual(await notifications.buttons('so no conversation was started'), ['Show Git Output']);
      assert.equal(posts(), before);
      await notifications.clear();
      await editor().waitForText('Work on what I pushed');

      await run('git', ['init', '-q', '--bare', remote.path]);
      const sent = request();
      await editor().send();
      await editor().start();
      await answerPushQuestion('Push and Start');
      const { body } = await sent();
      assert.equal((body as { selected_branch: string }).selected_branch, workspaceRepository.branch);
      const branches = await run('git', ['branch', '--list', '--format=%(refname:short)'], {
        cwd: remote.path,
      });
      assert.equal(branches.trim(), workspaceRepository.branch);
      await page('conversation').waitFor();
      // There are a progress notification and a question from the Git extension.
      await notifications.clear();
      await ui.workbench.closeAllEditors();
    } finally {
      await remote.remove();
    }
  });

  it('shows why a start failed until it is dismissed, and restores the message', async () => {
    const { quickInput } = ui.workbench;
    await editor().open();
    await editor().type('Mend what is broken');
    await editor().send();
    await quickInput.pick('Repository');
    await quickInput.waitFor('Select a repository');
    await quickInput.type('owner/broken');
    await quickInput.pick('owner/broken');
    await quickInput.waitFor('Press Enter to start, or select');
    const first = request();
    await editor().start();
    const tab = page('start');
    const reason = tab.locator('[data-kind="error"]', {
      hasText: 'Could not clone repository owner/broken',
    });
    await reason.waitFor();
    const composer = tab.locator('[data-composer]');
    await fieldHas(composer, 'Mend what is broken');
    await noneTold();
    await inPicturesOfAllThemes('conversation-start-failed', () => tab.waitFor());
    await ui.workbench.reloadWindow();
    await reason.waitFor();
    await composer.fill('Mend what is still broken');
    await ui.workbench.openAgentWorkspace();
    const row = view().row('Mend what is broken');
    await row.getByText('Not started').waitFor();
    await ui.workbench.screenshot('conversation-failed');
    const again = request();
    await tab.getByRole('button', { name: 'Try Again' }).click();
    assert.deepEqual((await again()).body, {
      ...((await first()).body as object),
      initial_message: message('Mend what is still broken'),
    });
    await tab.locator('[data-from="user"]', { hasText: 'Mend what is still broken' }).waitFor();
    await reason.waitFor();
    await fieldHas(composer, 'Mend what is still broken');
    await view().waitForInlineActions('Mend what is broken', ['Edit Message and Try Again', 'Dismiss']);
    await view().clickInline('Mend what is broken', 'Edit Message and Try Again');
    await editor().waitForOpen();
    await editor().waitForText('Mend what is still broken');
    await row.getByText('Not started').waitFor({ state: 'detached' });
    await tab.waitFor({ state: 'detached' });
    await editor().send();
    assert.equal(await described('Repository'), 'owner/broken');
    await quickInput.cancel();
  });
});

/** The editor’s backups of unsaved text, which it restores after a reload. */
async function backups(dataFolder: string): Promise<string[]> {
  const user = path.join(dataFolder, 'User');
  const names = await readdir(user, { recursive: true });
  const files = names.filter((name) => /(^|\/)Backups\/.*\/[^/]+\/[^/]+$/.test(name));
  return Promise.all(files.map((name) => readFile(path.join(user, name), 'utf8')));
}
