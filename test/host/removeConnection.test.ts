import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { removeConnection } from '../../src/features/connection/commands/remove';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { readConnections, updateConnections } from '../../src/editor/settings';

/** A quick pick that selects the matching item as soon as it shows. */
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
  /** What is said about the removal before it. */
  let asked = '';
  afterEach(() => updateConnections((entries) => entries.filter((entry) => !entry.url.startsWith(url))));

  /** The messages after the removal, with the given storage. */
  async function remove(
    dependencies: Record<'keys' | 'kept' | 'parked', object>,
    others: readonly { name: string; url: string }[] = [],
  ): Promise<string[]> {
    await updateConnections((entries) => [...entries, { name: 'Removed', url }, ...others]);
    const { createQuickPick, showWarningMessage, showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, {
      createQuickPick: () => chosenPick(({ description }) => description === url),
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
      showWarningMessage: (message: string, options?: { detail: string }, action?: string) => {
        if (options === undefined) said.push(message);
        else asked = options.detail;
        return Promise.resolve(action);
      },
    });
    const needs = {
      ...{ session: { reload: () => Promise.resolve() }, keys: dependencies.keys },
      parked: () => Promise.resolve({ list: () => [], ...dependencies.parked }),
      kept: { read: () => Promise.resolve([]), ...dependencies.kept },
    } as unknown as CommandDependencies;
    try {
      await removeConnection(needs)(undefined);
    } finally {
      Object.assign(vscode.window, { createQuickPick, showWarningMessage, showInformationMessage });
    }
    assert.ok(readConnections().connections.every(({ baseUrl }) => baseUrl !== url));
    return said;
  }

  it('deletes the secrets of its MCP servers even if the storage keeps the session key', async () => {
    const deleted: string[] = [];
    const gone = (what: string) => (of: string) => Promise.resolve(deleted.push(`${what} of ${of}`) > 0);
    const said = await remove({
      keys: { clear: () => Promise.reject(new Error('kept')) },
      parked: { removeAll: gone('parked') },
      kept: { remove: gone('kept') },
    });
    assert.deepEqual(deleted, [`kept of ${url}`, `parked of ${url}`]);
    assert.deepEqual(said, [
      'Removed the connection Removed. Its session key may still be on this computer. Check your system’s keyring.',
    ]);
  });

  it('deletes the secrets of its MCP servers, but no session key that another connection uses', async () => {
    const deleted: string[] = [];
    const gone = (what: string) => (of: string) => Promise.resolve(deleted.push(`${what} of ${of}`) > 0);
    const said = await remove(
      { keys: { clear: gone('key') }, parked: { removeAll: gone('parked') }, kept: { remove: gone('kept') } },
      [{ name: 'Other', url: `${url}/other` }],
    );
    assert.deepEqual(deleted, [`kept of ${url}`, `parked of ${url}`]);
    assert.match(asked, /The session key is kept because Other uses it too/);
    // Several can have the same name.
    assert.ok(asked.startsWith(`${url}\n`), asked);
    assert.deepEqual(said, ['Removed the connection Removed.']);
  });

  it('says once that the connection is removed and what may remain if the storage deletes nothing', async () => {
    const said = await remove({
      keys: { clear: () => Promise.reject(new Error('kept')) },
      parked: { removeAll: () => Promise.resolve(false) },
      kept: { remove: () => Promise.resolve(false) },
    });
    assert.deepEqual(said, [
      'Removed the connection Removed. Its session key may still be on this computer. Secrets of its MCP servers may still be on this computer. Check your system’s keyring.',
    ]);
  });

  it('says only that the connection is removed if nothing remains', async () => {
    const done = () => Promise.resolve(true);
    const said = await remove({ keys: { clear: done }, parked: { removeAll: done }, kept: { remove: done } });
    assert.deepEqual(said, ['Removed the connection Removed.']);
  });
});
