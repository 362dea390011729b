import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { diagnoseConnection } from '../../src/features/connection/commands/diagnose';
import { commandIds } from '../../src/ids';
import { startAgentServer } from '../service/agent/byItself';
import { control, hostRun } from '../support/hostRun';

interface State {
  sandboxes: { session_api_key: string | null }[];
}

describe('Diagnose Connection', () => {
  it('shows a read-only report of the active connection without secrets', async () => {
    await vscode.commands.executeCommand(commandIds.connectionDiagnose);
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.ok(document);
    const text = document.getText();
    assert.match(text, /answers and accepts the session key/);
    assert.match(text, /Required by the service/);
    assert.match(text, /GET \/api\/v1\/sandboxes\/search: HTTP 200, application\/json/);
    assert.equal(document.languageId, 'plaintext');
    assert.ok(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== true);
    const { sandboxes } = (await control('state')) as State;
    const secrets = [hostRun().sessionKey, ...sandboxes.map(({ session_api_key }) => session_api_key)];
    for (const secret of secrets) assert.ok(!secret || !text.includes(secret));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('names a standalone agent server, whatever the key', async () => {
    const server = await startAgentServer({ release: '1.58.0' });
    let shown = '';
    const { showInformationMessage } = vscode.window;
    Object.assign(vscode.window, { showInformationMessage: () => Promise.resolve(undefined) });
    try {
      const connection = { name: 'Agent', baseUrl: server.url, origin: server.url };
      await diagnoseConnection({
        readTarget: () => Promise.resolve({ connection, sessionKey: 'wrong' }),
        showDocument: (_title, text) => Promise.resolve(void (shown = text)),
        keyEnd: () => new AbortController().signal,
      })();
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
      await server.close();
    }
    assert.match(shown, /refused this session key/);
    assert.match(shown, /This is a standalone agent server: it has conversations, but no sandboxes/);
    assert.match(shown, /Release: 1\.58\.0/);
  });

  it('copies the report on request, and reports a missing connection', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    const answer = (message: string, ...items: string[]) => {
      said.push(message);
      return Promise.resolve(items[0]);
    };
    Object.assign(vscode.window, { showInformationMessage: answer });
    try {
      await vscode.env.clipboard.writeText('');
      let shown = '';
      const { url, sessionKey } = hostRun();
      const connection = { name: 'Team', baseUrl: url, origin: url };
      const showDocument = (_title: string, text: string) => {
        shown = text;
        return Promise.resolve();
      };
      const keyEnd = () => new AbortController().signal;
      await diagnoseConnection({
        readTarget: () => Promise.resolve({ connection, sessionKey }),
        showDocument,
        keyEnd,
      })();
      while ((await vscode.env.clipboard.readText()) === '')
        await new Promise((resolve) => setImmediate(resolve));
      assert.equal(await vscode.env.clipboard.readText(), shown);
      await diagnoseConnection({ readTarget: () => Promise.resolve(undefined), showDocument, keyEnd })();
      assert.match(said.at(-1) ?? '', /no connection to diagnose/);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
  });
});
