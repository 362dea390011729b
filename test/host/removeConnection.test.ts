import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { removeConnection } from '../../src/commands/connection/remove';
import type { CommandDependencies } from '../../src/commands/dependencies';
import { readConnections, updateConnections } from '../../src/platform/settings';

/** A quick pick in which the item that `matches` is chosen as soon as it shows. */
function chosenPick<T extends vscode.QuickPickItem>(matches: (item: T) => boolean): vscode.QuickPick<T> {
  const accepting: (() => unknown)[] = [];
  const pick = {
    items: [] as readonly T[],
    get selectedItems() {
      return pick.items.filter(matches);
    },
    value: '',
    onDidAccept: (listener: () => unknown) => accepting.push(listener),
    onDidHide: () => undefined,
    onDidChangeValue: () => undefined,
    onDidTriggerButton: () => undefined,
    show: () => setImmediate(() => accepting.forEach((accept) => accept())),
    hide: () => undefined,
    dispose: () => undefined,
  };
  return pick as unknown as vscode.QuickPick<T>;
}

describe('Remove Connection', () => {
  const url = 'https://removed.example.com';
  afterEach(() => updateConnections((entries) => entries.filter((entry) => entry.url !== url)));

  it('deletes the secrets of its MCP servers even if the storage keeps the session key', async () => {
    await updateConnections((entries) => [...entries, { name: 'Removed', url }]);
    const { createQuickPick, showWarningMessage } = vscode.window;
    const deleted: string[] = [];
    const gone = (what: string) => (of: string) => Promise.resolve(deleted.push(`${what} of ${of}`) > 0);
    Object.assign(vscode.window, {
      createQuickPick: () => chosenPick(({ description }) => description === url),
      showWarningMessage: (_message: string, _options: unknown, action: string) => Promise.resolve(action),
    });
    const dependencies = {
      session: { reload: () => Promise.resolve() },
      keys: { clear: () => Promise.reject(new Error('kept')) },
      parked: () => Promise.resolve({ list: () => [], removeAll: gone('parked') }),
      kept: { read: () => Promise.resolve([]), remove: gone('kept') },
    } as unknown as CommandDependencies;
    const removed = removeConnection(dependencies)(undefined);
    await assert.rejects(
      Promise.resolve(removed).finally(() =>
        Object.assign(vscode.window, { createQuickPick, showWarningMessage }),
      ),
      /kept/,
    );
    assert.deepEqual(deleted, [`kept of ${url}`, `parked of ${url}`]);
    assert.ok(readConnections().connections.every(({ baseUrl }) => baseUrl !== url));
  });
});
