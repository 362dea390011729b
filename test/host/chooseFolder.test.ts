import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseFolder } from '../../src/features/changes/commands/chooseFolder';
import { filesScheme } from '../../src/ids';
import { answering } from './answering';

describe('the folder that an agent’s changes are applied to', () => {
  it('is never one in a sandbox, such as the agent’s own', async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    const uri = vscode.Uri.from({ scheme: filesScheme, authority: 'team+c-1', path: '/workspace/project' });
    const folders = [first, { uri, name: 'Mend it', index: 1 }];
    const property = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...property, get: () => folders });
    const { rows, restore } = answering([first.name]);
    try {
      const chosen = await chooseFolder({ remote: null, name: 'shop' }, 'Apply Changes');
      assert.equal(chosen?.toString(), first.uri.toString());
    } finally {
      restore();
      Object.defineProperty(vscode.workspace, 'workspaceFolders', property ?? {});
    }
    const [offered = []] = rows;
    assert.ok(
      offered.some((row) => row.includes(first.uri.fsPath)),
      offered.join('\n'),
    );
    assert.ok(!offered.some((row) => row.includes(filesScheme)), offered.join('\n'));
  });
});
