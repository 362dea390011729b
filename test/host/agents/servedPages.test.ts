import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { ServedPages } from '../../../src/features/place/commands/servedPages';
import { servePage } from '../../../src/features/place/model/pageServer';
import { SandboxTunnel } from '../../../src/features/place/model/tunnel';
import { TestSandbox, until } from '../../unit/changes/support';

describe('the page of a port that isn’t exposed', () => {
  it('is served as long as its tab is open, and not when another takes its place', async () => {
    const sandbox = new TestSandbox();
    const program = createServer((_request, response) => void response.end('hello'));
    await once(program.listen(0, '127.0.0.1'), 'listening');
    const { port } = program.address() as AddressInfo;
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    const pages = new ServedPages();
    let panel: vscode.WebviewPanel | undefined;
    const shown: URL[] = [];
    const isTabOpen = () =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'slow page'));
    const show = async (url: URL) => {
      shown.push(url);
      panel ??= vscode.window.createWebviewPanel('simpleBrowser.view', 'slow page', vscode.ViewColumn.Active);
      await until(isTabOpen);
    };
    const bodyOf = async (url: URL | undefined) => (await fetch(url ?? '')).text();
    try {
      await pages.open(servePage(new SandboxTunnel(place, port), port), show);
      assert.equal(await bodyOf(shown[0]), 'hello');
      await pages.open(servePage(new SandboxTunnel(place, port), port), show);
      await assert.rejects(bodyOf(shown[0]));
      assert.equal(await bodyOf(shown[1]), 'hello');
      panel?.dispose();
      await until(() => !isTabOpen());
      const isServed = () => bodyOf(shown[1]).then(Boolean, () => false);
      while (await isServed());
    } finally {
      panel?.dispose();
      pages.dispose();
      program.closeAllConnections();
      program.close();
      sandbox.dispose();
    }
  });
});
