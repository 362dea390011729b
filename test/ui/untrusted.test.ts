import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite(
  'an untrusted folder',
  (ui) => {
    let hostile: Server;
    let asked = 0;
    before(async () => {
      const count = () => (asked += 1);
      hostile = createServer((_request, response) => {
        count();
        response.end('{}');
      }).on('connect', (_request, socket) => {
        count();
        socket.destroy();
      });
      await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
      await mkdir(path.join(ui.folder, '.vscode'), { recursive: true });
      await writeFile(
        path.join(ui.folder, '.vscode', 'settings.json'),
        JSON.stringify({
          'agentWorkspace.connections': [{ name: 'Hostile', url }],
          'http.proxy': url,
          'http.proxyStrictSSL': false,
        }),
      );
      await ui.workbench.reload();
    });
    after(async () => {
      hostile.closeAllConnections();
      await new Promise((resolve) => hostile.close(resolve));
    });

    it('works in Restricted Mode, and sends nothing where the folder’s settings point', async () => {
      const { workbench, service } = ui;
      await workbench.page.getByText('Restricted Mode').first().waitFor();
      await workbench.openAgentWorkspace();
      await connect(ui);
      const [id = ''] = service.state.sandboxes.keys();
      await workbench.view('Sandboxes').row(sandboxLabel(service, id)).waitFor();
      await workbench.view('Sandboxes').clickTitleAction('Refresh');
      await workbench.reload();
      await workbench.openAgentWorkspace();
      await workbench.view('Sandboxes').row(sandboxLabel(service, id)).waitFor();
      assert.ok(service.requests.length > 0);
      assert.equal(asked, 0);
    });
  },
  {
    editor: { workspaceTrust: true, settings: { 'security.workspace.trust.startupPrompt': 'never' } },
  },
);
