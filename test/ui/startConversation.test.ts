import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { uiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { workspaceRepository } from '../support/workspaceFolder';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

const repository = 'example-org/example-repo';
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
    await ui.workbench.notifications.waitFor('The conversation has started');
    await ui.workbench.notifications.clear();
  };
  const described = async (label: string) =>
    (await ui.workbench.quickInput.items()).find((item) => item.label === label)?.description;
  const message = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
  const inPicturesOfAllThemes = async (name: string, show: () => Promise<void>) => {
    if (ui.profile === 'documented') return;
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

  it('writes the message in an editor, and starts about the open repository', async () => {
    const { quickInput } = ui.workbench;
    const sent = request();
    await editor().open();
    await editor().waitForHint('What should the agent do? It may stay empty');
    await ui.workbench.screenshot(`conversation-message-empty-${ui.profile}`);
    await editor().type('Greet people by their first name.\n\n- Keep `greet` as it is\n- Add a **test**');
    await inPicturesOfAllThemes('conversation-message', () => editor().waitForText('Greet people'));
    await editor().send();
    assert.equal(await described('Repository'), repository);
    assert.equal(
      await described('Branch'),
      `${workspaceRepository.branch}, not seen at the remote yet: push it first`,
    );
    assert.equal(await described('Git provider'), 'GitHub');
    await ui.workbench.screenshot(`conversation-choices-${ui.profile}`);
    await quickInput.accept();
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

  it('starts in a paused sandbox once that runs, with another model, branch, provider and title', async () => {
    const { quickInput } = ui.workbench;
    const paused = withStatus('PAUSED');
    const sent = request();
    await editor().open();
    await editor().type('Look around');
    await editor().press('Start Conversation');
    const choose = async (part: string, words: string, act: () => Promise<void>) => {
      await quickInput.waitFor('Press Enter to start');
      await quickInput.pick(part);
      await quickInput.waitFor(words);
      await act();
    };
    await choose('Repository', 'Choose the repository', async () => {
      await quickInput.type('group/sub/tools');
      await quickInput.pick('group/sub/tools');
    });
    await choose('Branch', 'Choose the branch', async () => {
      await quickInput.type('release/2');
      await quickInput.pick('release/2');
    });
    await choose('Git provider', 'Choose who hosts', () => quickInput.pick('GitLab'));
    await choose('Sandbox', 'Choose where it runs', async () => {
      await quickInput.row(paused.id).waitFor();
      await ui.workbench.screenshot(`conversation-sandbox-${ui.profile}`);
      await quickInput.pick(paused.id);
    });
    await choose('Model', 'Choose the model', async () => {
      await quickInput.type('acme/large');
      await quickInput.pick('acme/large');
    });
    await choose('Title', 'Title of the conversation', async () => {
      await quickInput.type('A look around');
      await quickInput.accept();
    });
    await quickInput.waitFor('Press Enter to start');
    assert.equal(await described('Sandbox'), `${paused.id}, which is resumed first`);
    await ui.workbench.screenshot(`conversation-chosen-${ui.profile}`);
    await quickInput.accept();
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

  it('makes a new sandbox from a spec first, and needs no message and no repository', async () => {
    const { quickInput } = ui.workbench;
    const [spec] = [...ui.service.state.specs.keys()].slice(-1);
    assert.ok(spec !== undefined);
    const known = new Set(ui.service.state.sandboxes.keys());
    const sent = request();
    await editor().open();
    await editor().send();
    await quickInput.pick('Repository');
    await quickInput.waitFor('Choose the repository');
    await quickInput.button('Back').click();
    await quickInput.waitFor('Press Enter to start');
    assert.equal(await described('Repository'), repository);
    await quickInput.pick('Repository');
    await quickInput.waitFor('Choose the repository');
    await quickInput.pick('No repository');
    await quickInput.waitFor('Press Enter to start');
    await quickInput.pick('Sandbox');
    await quickInput.waitFor('Choose where it runs');
    await quickInput.type(spec);
    await quickInput.pick(`New sandbox from ${spec}`);
    await quickInput.waitFor('Press Enter to start');
    await quickInput.accept();
    const { body } = await sent();
    const fresh = [...ui.service.state.sandboxes.values()].find(({ id }) => !known.has(id));
    assert.equal(fresh?.sandbox_spec_id, spec);
    assert.deepEqual(body, { sandbox_id: fresh.id });
    await started();
  });

  it('keeps what was typed over a reload and over leaving the question', async () => {
    await editor().open();
    await editor().type('Survive this');
    await editor().send();
    await ui.workbench.quickInput.cancel();
    await editor().waitForText('Survive this');
    await editor().type(' and that');
    // The editor puts aside what is not saved, a moment after the last key.
    while (!(await backups(ui.editor.dataFolder)).some((text) => text.includes('Survive this and that'))) {
      await ui.workbench.page.waitForTimeout(50);
    }
    await ui.workbench.reload();
    await editor().waitForText('Survive this and that');
    await ui.workbench.openAgentWorkspace();
    await view().pane.getByRole('treeitem').first().waitFor();
  });

  it('cancels: keeps the message for the next time, or discards it', async () => {
    await editor().press('Cancel');
    await ui.workbench.dialog().getByText('Keep the message?').waitFor();
    await ui.workbench.dialog().getByRole('button', { name: 'Keep for Next Time' }).click();
    await editor().waitForClosed();
    await editor().open();
    await editor().waitForText('Survive this and that');
    await editor().press('Cancel');
    await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
    await editor().waitForClosed();
    await editor().open();
    assert.equal((await ui.workbench.editorText()).trim().split('\n')[0]?.startsWith('Survive'), false);
    await editor().press('Cancel');
    await editor().waitForClosed();
  });

  it('shows a selection with its place in the message, and sends nothing before the user starts', async () => {
    const { page, quickInput } = ui.workbench;
    const before = ui.service.requests.filter(({ method }) => method === 'POST').length;
    await page.keyboard.press('ControlOrMeta+P');
    await quickInput.type('greet.ts');
    await quickInput.row('greet.ts').first().waitFor();
    await quickInput.accept();
    await ui.workbench.tab('greet.ts').waitFor();
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.locator('.editor-instance .view-lines').first().click({ button: 'right' });
    await ui.workbench.chooseFromMenu('Start Conversation about Selection…');
    await editor().waitForOpen();
    await editor().waitForText('export function greet');
    await editor().waitForHint('What should the agent do with this?');
    await inPicturesOfAllThemes('conversation-selection', () => editor().waitForText('export function'));
    assert.equal(ui.service.requests.filter(({ method }) => method === 'POST').length, before);
    const sent = request();
    await editor().send();
    await quickInput.accept();
    const { initial_message } = (await sent()).body as { initial_message: ReturnType<typeof message> };
    const text = initial_message.content[0]?.text ?? '';
    assert.ok(
      text.startsWith(
        'In `src/greet.ts`, lines 1 to 3:\n\n```typescript\nexport function greet(name: string): string {\n',
      ),
      text,
    );
    await started();
  });

  it('shows a start in the tree while it goes on, and goes on following when the user no longer waits', async () => {
    const path = ui.profile === 'observed' ? startTasks : '/api/v1/app-conversations';
    const held = ui.service.fail({
      method: ui.profile === 'observed' ? 'GET' : 'POST',
      path,
      times: 'always',
      effect: { kind: 'stallBeforeHeaders' },
    });
    await editor().open();
    await editor().type('Take your time');
    await editor().send();
    await ui.workbench.quickInput.accept();
    const row = view().row('Take your time');
    await row.getByText('Being started').waitFor();
    await inPicturesOfAllThemes('conversation-starting', () => row.waitFor());
    const progress = await ui.workbench.notifications.waitFor('Starting the conversation');
    await progress.hover();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    if (ui.profile === 'observed') {
      await ui.workbench.notifications.waitFor('The start goes on at the service');
      await editor().waitForClosed();
      await row.getByText('Being started').waitFor();
      await ui.workbench.reload();
      await ui.workbench.openAgentWorkspace();
      await row.getByText('Being started').waitFor();
    } else {
      await ui.workbench.notifications.waitFor('It is not known whether the service has begun');
      await editor().waitForText('Take your time');
    }
    held.remove();
    held.release();
    if (ui.profile === 'observed') {
      await row.getByText('Being started').waitFor({ state: 'detached' });
      await view()
        .row(/Conversation [0-9a-f]{5}/)
        .waitFor();
    } else {
      await editor().press('Cancel');
      await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
    }
    await editor().waitForClosed();
    await ui.workbench.notifications.clear();
  });

  it('shows why a start failed until it is dismissed, and gives the message back', async () => {
    const { quickInput } = ui.workbench;
    if (ui.profile === 'documented') {
      ui.service.fail({
        method: 'POST',
        path: '/api/v1/app-conversations',
        effect: { kind: 'answer', status: 409, body: { message: 'Could not clone repository owner/broken' } },
      });
    }
    await editor().open();
    await editor().type('Mend what is broken');
    await editor().send();
    await quickInput.pick('Repository');
    await quickInput.waitFor('Choose the repository');
    await quickInput.type('owner/broken');
    await quickInput.pick('owner/broken');
    await quickInput.waitFor('Press Enter to start');
    await quickInput.accept();
    await ui.workbench.notifications.waitFor('Could not clone repository owner/broken');
    const row = view().row('Mend what is broken');
    await row.getByText('Not started').waitFor();
    await ui.workbench.screenshot(`conversation-failed-${ui.profile}`);
    await ui.workbench.notifications.clear();
    assert.deepEqual(await view().inlineActions('Mend what is broken'), [
      'Edit Message and Try Again',
      'Dismiss',
    ]);
    await view().clickInline('Mend what is broken', 'Edit Message and Try Again');
    await editor().waitForOpen();
    await editor().waitForText('Mend what is broken');
    await row.getByText('Not started').waitFor({ state: 'detached' });
    await editor().send();
    // Of a request that the service did not take, the choices are still there.
    assert.equal(await described('Repository'), ui.profile === 'documented' ? 'owner/broken' : repository);
    await quickInput.cancel();
  });
});

/** What the editor has put aside of texts that are not saved, and brings back after a reload. */
async function backups(dataFolder: string): Promise<string[]> {
  const user = path.join(dataFolder, 'User');
  const names = await readdir(user, { recursive: true });
  const files = names.filter((name) => /(^|\/)Backups\/.*\/[^/]+\/[^/]+$/.test(name));
  return Promise.all(files.map((name) => readFile(path.join(user, name), 'utf8')));
}
