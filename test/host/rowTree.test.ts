import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RowTree } from '../../src/views/rowTree';
import { aConversation, aSandbox } from '../support/builders/records';
import { rowsOf } from '../support/builders/rows';

describe('rows that may be out of date', () => {
  it('have dimmed icons that don’t move', () => {
    const tree = new RowTree();
    const rows = rowsOf({
      sandboxes: [aSandbox({ status: 'RUNNING' }), aSandbox({ id: 'b', status: 'STARTING' })],
      conversations: [aConversation({})],
    });
    const icons = () =>
      tree.getChildren().map((element) => {
        const { iconPath } = tree.getTreeItem(element);
        assert.ok(iconPath instanceof vscode.ThemeIcon);
        return [iconPath.id, iconPath.color?.id] as const;
      });
    tree.show(rows);
    assert.ok(icons().some(([name]) => name.endsWith('~spin')));
    assert.ok(icons().some(([, color]) => color === 'testing.iconPassed'));
    tree.show(rows, true);
    for (const [name, color] of icons()) {
      assert.equal(color, 'disabledForeground');
      assert.ok(!name.endsWith('~spin'), name);
    }
    tree.show(rows);
    assert.ok(icons().every(([, color]) => color !== 'disabledForeground'));
    tree.dispose();
  });
});
