import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ListView, type ListViewContent } from '../../src/editor/rows/listView';
import { RowTree } from '../../src/editor/rows/rowTree';
import { aConversation, aSandbox } from '../support/builders/records';
import { rowsOf } from '../support/builders/rows';

describe('rows that may be out of date', () => {
  it('have dimmed icons that don’t move', async () => {
    const tree = new RowTree();
    const rows = rowsOf({
      sandboxes: [aSandbox({ status: 'RUNNING' }), aSandbox({ id: 'b', status: 'STARTING' })],
      conversations: [aConversation({})],
    });
    const icons = async () =>
      (await tree.getChildren()).map((element) => {
        const { iconPath } = tree.getTreeItem(element);
        assert.ok(iconPath instanceof vscode.ThemeIcon);
        return [iconPath.id, iconPath.color?.id] as const;
      });
    tree.show(rows);
    assert.ok((await icons()).some(([name]) => name.endsWith('~spin')));
    assert.ok((await icons()).some(([, color]) => color === 'testing.iconPassed'));
    tree.show(rows, true);
    for (const [name, color] of await icons()) {
      assert.equal(color, 'disabledForeground');
      assert.ok(!name.endsWith('~spin'), name);
    }
    tree.show(rows);
    assert.ok((await icons()).every(([, color]) => color !== 'disabledForeground'));
    tree.dispose();
  });
});

describe('the first rows', () => {
  const tree = () => {
    const made = new RowTree();
    let changes = 0;
    made.onDidChangeTreeData(() => (changes += 1));
    return { made, changes: () => changes };
  };
  const one = rowsOf({ sandboxes: [aSandbox({})], conversations: [] });

  it('are awaited, without a change event that the editor would delay', async () => {
    const { made, changes } = tree();
    const asked = Promise.resolve(made.getChildren());
    made.show(one);
    assert.equal((await asked).length, 1);
    assert.equal(changes(), 0);
    made.show([]);
    assert.equal(changes(), 1);
    assert.deepEqual(made.getChildren(), []);
    made.dispose();
  });

  it('are empty if there are no rows or the tree is disposed first', async () => {
    const [empty, disposed] = [tree().made, tree().made];
    const asked = [empty, disposed].map(async (made) => await made.getChildren());
    empty.show([]);
    disposed.dispose();
    assert.deepEqual(await Promise.all(asked), [[], []]);
    empty.dispose();
  });
});

describe('a row that is to be shown', () => {
  const { createTreeView } = vscode.window;
  afterEach(() => Object.assign(vscode.window, { createTreeView }));

  const rows = rowsOf({ sandboxes: [aSandbox({ id: 'a' })], conversations: [] });
  const never = () => ({ dispose: () => undefined });
  const content = {
    list: 'sandboxes',
    rows: () => rows,
    message: () => undefined,
    model: {
      sandboxes: { show: () => undefined, state: { loading: false, loaded: true } },
      onDidChange: never,
      setVisible: () => undefined,
      outOfDate: () => undefined,
    },
  } as unknown as ListViewContent;

  for (const { refusals, what } of [
    { refusals: 0, what: 'is asked for once' },
    { refusals: 1, what: 'is asked for again if the editor didn’t find it while rows changed' },
    { refusals: 9, what: 'is left after a few refusals' },
  ])
    it(what, async () => {
      const asked: string[] = [];
      const reveal = ({ id }: { id: string }) => {
        asked.push(id);
        return asked.length > refusals ? Promise.resolve() : Promise.reject(new Error('not found'));
      };
      Object.assign(vscode.window, {
        createTreeView: () => ({
          ...{ visible: true, reveal, dispose: () => undefined },
          ...{ onDidChangeVisibility: never, onDidChangeSelection: never },
        }),
      });
      const view = new ListView('agentWorkspace.test', () => undefined);
      const keys = { set: () => undefined, setSelectionGone: () => undefined };
      view.attach(content, Promise.resolve(), keys);
      await view.reveal({ kind: 'sandbox', id: 'a' }, false);
      assert.equal(asked.length, Math.min(refusals + 1, 3));
      await view.reveal({ kind: 'sandbox', id: 'gone' }, false);
      assert.ok(asked.length <= 3 && new Set(asked).size === 1);
      view.dispose();
    });
});
