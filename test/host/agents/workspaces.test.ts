import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import {
  addWorkspace,
  openWorkspace,
  removeWorkspace,
} from '../../../src/features/workspaces/commands/manage';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { workingDir } from '../../service/agent/sandboxFiles';
import { windowWith } from '../../support/builders/window';
import { eventually } from '../../support/patience';
import { answering } from '../answering';
import { cancelingProgress } from '../canceling';

describe('the saved folders of an agent server', () => {
  const { executeCommand } = vscode.commands;
  let server: AgentServerByItself;
  let client: ApiClient;
  let window: Awaited<ReturnType<typeof windowWith>>;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true });
    server.starts.workspaces.push({ id: 'docs', name: 'docs', path: '/workspace/docs' });
    client = createClient({ baseUrl: server.url, sessionKey: server.sessionKey });
    await checkConnection(client);
    window = await windowWith(client, server.url, server.sessionKey);
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand });
    window.dispose();
    await server.close();
  });

  const row = (path: string) => ({ ref: { kind: 'workspace', path } });
  const stored = () => server.starts.workspaces.map(({ path }) => path);
  /** The saved folders in the view. */
  const shown = () => window.model.workspaces.state.items.map(({ path }) => path);

  /** Runs a command with these answers; returns what it asked and said, and the folders that it opened. */
  async function run(
    command: typeof addWorkspace,
    argument?: object,
    ...answers: Parameters<typeof answering>[0]
  ) {
    const opened: string[] = [];
    Object.assign(vscode.commands, {
      executeCommand: (_id: string, uri: vscode.Uri) => Promise.resolve(opened.push(uri.fsPath)),
    });
    const { rows, said, restore } = answering(answers);
    await command(window)(argument).finally(restore);
    return { rows, said, opened };
  }

  it('get one more, which the view shows', async () => {
    await run(addWorkspace, undefined, 'Browse…', { type: '/workspace/new', pick: '/workspace/new' });
    assert.deepEqual(stored().at(-1), '/workspace/new');
    assert.deepEqual(shown(), stored());
    const before = stored();
    await run(addWorkspace);
    assert.deepEqual(stored(), before, 'canceled');
  });

  it('lose that of a row without a question, or the one that the user selects', async () => {
    const { rows } = await run(removeWorkspace, row(workingDir));
    assert.deepEqual([rows, stored(), shown()], [[], ['/workspace/docs'], ['/workspace/docs']]);
    await run(removeWorkspace);
    assert.deepEqual(stored(), ['/workspace/docs'], 'canceled');
    const picked = await run(removeWorkspace, undefined, 'docs');
    // Agents work in another, too, but that isn't saved.
    assert.deepEqual(picked.rows, [['docs: /workspace/docs']]);
    assert.deepEqual([stored(), shown()], [[], []]);
  });

  it('are opened only if they are on this computer', async () => {
    const here = server.files.place(workingDir);
    assert.deepEqual(await run(openWorkspace, row(here)), { rows: [], said: [], opened: [here] });
    const away = await run(openWorkspace, row('/workspace/docs'));
    assert.deepEqual(away.opened, []);
    assert.match(away.said.join('\n'), /^“docs” isn’t on this computer, [^\n]*$/);
    assert.deepEqual((await run(openWorkspace)).opened, [], 'canceled');
  });

  it('aren’t opened, and nothing is said of them, once the user cancels the look for them', async () => {
    const { shown: looks, restore } = cancelingProgress();
    const listFolders = () =>
      eventually(
        () => looks.length > 0,
        () => 'no progress was shown',
      ).then(() => []);
    Object.assign(client.agents ?? {}, { listFolders });
    const { said, opened } = await run(openWorkspace, row(server.files.place(workingDir))).finally(restore);
    assert.deepEqual([looks, said, opened], [['Looking for the folder on this computer…'], [], []]);
  });

  it('can be opened by their names, and so can those in which agents work', async () => {
    server.starts.workspaces.shift();
    const { rows, said } = await run(openWorkspace, undefined, 'docs');
    assert.deepEqual(rows, [['docs: /workspace/docs', `project: ${workingDir}`]]);
    assert.match(said.join('\n'), /^“docs”/);
  });
});
