import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, extensionId } from '../../src/ids';
import { handleUri } from '../../src/editor/uriHandler';
import { control, hostRun } from '../support/hostRun';

interface ServiceState {
  sandboxes: { id: string; status: string; session_api_key: string | null }[];
  specs: { id: string }[];
  conversations: {
    id: string;
    title: string | null;
    sandbox_id: string | null;
    execution_status: string | null;
  }[];
}
interface Request {
  id: number;
  method: string;
  path: string;
  body: unknown;
}

const state = async () => (await control('state')) as ServiceState;
const requests = async () => (await control('requests')) as Request[];
/** One whose agents rest: pausing another asks first. */
const sandbox = async (status: string) => {
  const { sandboxes, conversations } = await state();
  const works = (id: string) =>
    conversations.some(
      ({ sandbox_id, execution_status }) => sandbox_id === id && execution_status === 'running',
    );
  const found = sandboxes.find((one) => one.status === status && !works(one.id));
  assert.ok(found, `no sandbox is ${status}`);
  return found;
};
const ref = (kind: string, id: string) => ({ ref: { kind, id } });
const run = (id: string, ...args: unknown[]) => vscode.commands.executeCommand(id, ...args);

describe('commands', () => {
  before(() => run(commandIds.viewRefresh));

  it('refresh the three lists', async () => {
    const last = (await requests()).at(-1)?.id ?? 0;
    await run(commandIds.viewRefresh);
    const paths = (await requests()).filter(({ id }) => id > last).map(({ path }) => path);
    for (const path of ['/api/v1/sandboxes/search', '/api/v1/sandbox-specs/search']) {
      assert.ok(paths.includes(path), `${path} was not asked: ${paths.join(' ')}`);
    }
    assert.ok(paths.some((path) => path.startsWith('/api/v1/app-conversations')));
  });

  it('pause and resume every selected sandbox in a suitable state', async () => {
    const running = await sandbox('RUNNING');
    const paused = await sandbox('PAUSED');
    const selection = [ref('sandbox', running.id), ref('sandbox', paused.id)];
    const last = (await requests()).at(-1)?.id ?? 0;
    await run(commandIds.sandboxPause, selection[0], selection);
    const posts = (await requests()).filter(({ id, method }) => id > last && method === 'POST');
    assert.deepEqual(
      posts.map(({ path }) => path),
      [`/api/v1/sandboxes/${running.id}/pause`],
    );
    await run(commandIds.viewRefresh);
    await run(commandIds.sandboxResume, ref('sandbox', paused.id));
    assert.ok((await requests()).some(({ path }) => path === `/api/v1/sandboxes/${paused.id}/resume`));
  });

  it('copy a link that leads back to the conversation', async () => {
    const [conversation] = (await state()).conversations;
    assert.ok(conversation);
    await run(commandIds.conversationCopyLink, ref('conversation', conversation.id));
    const uri = vscode.Uri.parse(await vscode.env.clipboard.readText());
    assert.deepEqual([uri.scheme, uri.authority], [vscode.env.uriScheme, extensionId]);
    const opened: { baseUrl: string; id: string }[] = [];
    await handleUri(uri, {
      connect: () => assert.fail('there was no need to'),
      openConversation: (target) => Promise.resolve(void opened.push(target)),
    });
    assert.deepEqual(
      opened.map(({ baseUrl, id }) => [baseUrl, id]),
      [[hostRun().url, conversation.id]],
    );
  });

  it('start a sandbox with the row’s spec', async () => {
    const { specs, sandboxes } = await state();
    const [spec] = specs;
    assert.ok(spec);
    await run(commandIds.sandboxStart, ref('spec', spec.id));
    assert.equal((await state()).sandboxes.length, sandboxes.length + 1);
  });

  it('show details without secrets', async () => {
    const { sandboxes } = await state();
    const withKey = sandboxes.find(({ session_api_key }) => session_api_key);
    assert.ok(withKey?.session_api_key);
    await run(commandIds.sandboxShowDetails, ref('sandbox', withKey.id));
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.ok(text.includes(withKey.id));
    assert.ok(!text.includes(withKey.session_api_key));
    assert.doesNotMatch(text, /[?&]/, 'no query, which may carry a secret');
    await run('workbench.action.closeActiveEditor');
  });

  it('copy the IDs of all selected rows', async () => {
    const ids = (await state()).sandboxes.slice(0, 2).map(({ id }) => id);
    const selection = ids.map((id) => ref('sandbox', id));
    await run(commandIds.sandboxCopyId, selection[0], selection);
    assert.equal(await vscode.env.clipboard.readText(), ids.join('\n'));
    const [conversation] = (await state()).conversations;
    assert.ok(conversation);
    await run(commandIds.conversationCopyId, ref('conversation', conversation.id));
    assert.equal(await vscode.env.clipboard.readText(), conversation.id);
  });

  it('open the settings form once, then reveal it', async () => {
    const forms = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ label }) => label === 'Service Settings').length;
    const opened = new Promise<void>((resolve) => {
      const listener = vscode.window.tabGroups.onDidChangeTabs(() => {
        if (forms() === 0) return;
        listener.dispose();
        resolve();
      });
    });
    await run(commandIds.settingsOpen);
    await opened;
    await run(commandIds.settingsManageMcpServers);
    await run('workbench.action.focusActiveEditorGroup');
    assert.equal(forms(), 1);
    await run('workbench.action.closeAllEditors');
  });

  it('leave the extension without an API for other extensions', () => {
    const extension = vscode.extensions.getExtension('agent-workspace.agent-workspace');
    assert.equal(extension?.isActive, true);
    assert.equal(extension.exports, undefined);
  });
});
