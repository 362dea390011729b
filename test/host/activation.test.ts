import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId, viewIds } from '../../src/ids';

interface Manifest {
  contributes: { commands: { command: string }[] };
}

describe('activation', () => {
  it('registers exactly the commands in the manifest', async () => {
    const extension = vscode.extensions.getExtension<unknown>(extensionId);
    assert.ok(extension);
    assert.equal(await extension.activate(), undefined, 'nothing is exported');
    const declared = (extension.packageJSON as Manifest).contributes.commands.map(({ command }) => command);
    // The editor adds its own commands for each view, such as "focus".
    const ofViews = Object.values(viewIds).map((id) => `${id}.`);
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) =>
        declared.includes(id) ||
        (id.startsWith('agentWorkspace.') && !ofViews.some((prefix) => id.startsWith(prefix))),
    );
    assert.deepEqual(registered.sort(), declared.sort());
  });
});
