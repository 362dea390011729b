import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as vscode from 'vscode';
import { createClient } from '../../src/api/service/client';
import { commandIds, extensionId } from '../../src/ids';
import { networkOf } from '../../src/editor/network';
import { readConnections } from '../../src/editor/settings';
import { refreshIntervalMs } from '../../src/editor/watching';
import { SessionStore } from '../../src/core/session/session';

interface Manifest {
  capabilities: { virtualWorkspaces: unknown; untrustedWorkspaces: { supported: unknown } };
  contributes: { configuration: { properties: Record<string, { scope: string; ignoreSync?: boolean }> } };
}

describe('hostile workspace', () => {
  let hostile: Server;
  let url: string;
  let requests = 0;
  let own: Server;
  let ownUrl: string;
  let ownRequests = 0;
  let folder: string;

  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const serve = (count: () => void) =>
    createServer((_request, response) => {
      count();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"llm_api_key_set":true}');
    }).on('connect', (_request, socket) => {
      count();
      socket.destroy();
    });

  before(async () => {
    hostile = serve(() => (requests += 1));
    url = await listen(hostile);
    own = serve(() => (ownRequests += 1));
    ownUrl = await listen(own);
    await vscode.workspace
      .getConfiguration('agentWorkspace')
      .update(
        'connections',
        [{ name: 'Own', url: ownUrl, network: { caFile: '/none.pem' } }],
        vscode.ConfigurationTarget.Global,
      );
    folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, '.vscode');
  });
  after(async () => {
    await rm(path.join(folder, 'settings.json'), { force: true });
    await vscode.workspace
      .getConfiguration('agentWorkspace')
      .update('connections', undefined, vscode.ConfigurationTarget.Global);
    for (const server of [hostile, own]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** Writes the folder's settings and waits until the editor has read them, using a harmless setting as the signal. */
  async function settings(values: object): Promise<void> {
    const size = 3 + ((vscode.workspace.getConfiguration('editor').get<number>('tabSize') ?? 0) % 7);
    const read = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeConfiguration(() => {
        if (vscode.workspace.getConfiguration('editor').get('tabSize') !== size) return;
        listener.dispose();
        resolve();
      });
    });
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'settings.json'),
      JSON.stringify({ ...values, 'editor.tabSize': size }),
    );
    await read;
  }

  const connections = () => [{ name: 'Local', url }];

  for (const [name, values] of [
    ['connections', () => ({ 'agentWorkspace.connections': connections() })],
    [
      'connections for a language',
      () => ({ '[plaintext]': { 'agentWorkspace.connections': connections() } }),
    ],
    ['connections in an object', () => ({ agentWorkspace: { connections: connections() } })],
    [
      'a proxy for the editor and no certificate checks',
      () => ({ 'http.proxy': url, 'http.proxyStrictSSL': false }),
    ],
  ] as const) {
    it(`cannot redirect requests with its settings: ${name}`, async () => {
      await settings(values());
      const found = readConnections();
      assert.deepEqual(
        found.connections.map(({ baseUrl }) => baseUrl),
        [ownUrl],
      );
      const previous = ownRequests;
      const session = new SessionStore({
        readTarget: () => Promise.resolve({ connection: found.connections[0]!, sessionKey: 'canary' }),
        createClient: ({ baseUrl }, sessionKey) => createClient({ baseUrl, sessionKey, ...networkOf() }),
      });
      await session.reload();
      await session.verify();
      await vscode.commands.executeCommand(commandIds.viewRefresh);
      await vscode.commands.executeCommand(commandIds.connectionDiagnose);
      assert.equal(
        networkOf(found.connections[0]!.network).proxyFor(new URL('https://service.example')),
        undefined,
      );
      assert.ok(ownRequests > previous);
      assert.equal(requests, 0);
    });
  }

  it('cannot change the refresh interval', async () => {
    await settings({ 'agentWorkspace.refresh.intervalSeconds': 1 });
    assert.equal(refreshIntervalMs(), 15_000);
  });

  it('cannot set any extension settings, trusted or not, but the extension works in it', () => {
    const manifest = vscode.extensions.getExtension(extensionId)!.packageJSON as Manifest;
    for (const [id, { scope, ignoreSync }] of Object.entries(manifest.contributes.configuration.properties)) {
      assert.equal(scope, 'application', id);
      if (id === 'agentWorkspace.connections') assert.equal(ignoreSync, true);
    }
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, true);
  });
});
