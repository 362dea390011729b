import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startSelectedSandbox } from '../../src/features/sandboxes/commands/start';
import { ServiceModel } from '../../src/core/lists/serviceModel';
import { SessionStore } from '../../src/core/session/session';
import { aClient } from '../support/builders/client';
import { quiet } from '../support/builders/quiet';
import { aSandbox } from '../support/builders/records';

const connectionTo = (baseUrl: string) => ({ name: 'Team', baseUrl, origin: baseUrl });

describe('Start Sandbox', () => {
  it('starts nothing if the window switches to another connection in the meantime', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    const note = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showInformationMessage: note });
    const started: string[] = [];
    let connection = connectionTo('https://one.example.com');
    const session: SessionStore = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey: 'k1' }),
      createClient: ({ baseUrl }) =>
        aClient({
          baseUrl,
          searchSandboxes: async () => {
            connection = connectionTo('https://two.example.com');
            await session.reload();
            return { items: [], nextPageId: null };
          },
          startSandbox: () => {
            started.push(baseUrl);
            return Promise.resolve(aSandbox());
          },
        }),
    });
    await session.reload();
    const model = new ServiceModel({ session, ...quiet });
    const reveal = () => Promise.resolve();
    await startSelectedSandbox({ session, model, reveal })({
      ref: { kind: 'spec', id: 'agent:1.0' },
    }).finally(() => Object.assign(vscode.window, { showInformationMessage }));
    model.dispose();
    assert.deepEqual([started, said.length], [[], 1]);
  });

  it('keeps rows where they are while others become known, which come below', async () => {
    const session: SessionStore = new SessionStore({
      readTarget: () =>
        Promise.resolve({ connection: connectionTo('https://one.example.com'), sessionKey: 'k' }),
      createClient: ({ baseUrl }) =>
        aClient({
          baseUrl,
          searchSandboxSpecs: () =>
            Promise.resolve({ items: ['agent:1', 'agent:2'].map((id) => ({ id })), nextPageId: null }),
        }),
    });
    await session.reload();
    const model = new ServiceModel({ session, ...quiet });
    const { createQuickPick } = vscode.window;
    const shown: string[][] = [];
    const never = () => ({ dispose: () => undefined });
    let hide: () => void = () => undefined;
    const pick = {
      ...{ activeItems: [], selectedItems: [], value: '' },
      ...{ onDidAccept: never, onDidChangeValue: never, onDidTriggerButton: never },
      onDidHide: (listener: () => void) => {
        const before = hide;
        hide = () => {
          before();
          listener();
        };
      },
      ...{ show: () => undefined, dispose: () => undefined },
      set busy(isBusy: boolean) {
        if (!isBusy) hide();
      },
      set items(items: { label: string }[]) {
        shown.push(items.map(({ label }) => label));
      },
      get items() {
        return [];
      },
    };
    Object.assign(vscode.window, { createQuickPick: () => pick });
    await startSelectedSandbox({ session, model, reveal: () => Promise.resolve() })(undefined).finally(() =>
      Object.assign(vscode.window, { createQuickPick }),
    );
    model.dispose();
    assert.deepEqual(shown, [['Service default'], ['Service default', 'agent:1', 'agent:2']]);
  });
});
