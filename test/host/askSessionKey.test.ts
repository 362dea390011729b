import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askSessionKey } from '../../src/editor/asking/askSessionKey';
import type { SessionKeys } from '../../src/editor/sessionKeys';
import type { Connection } from '../../src/shared/connection';
import { aClient } from '../support/builders/client';

describe('stored session key', () => {
  it('isn’t sent or kept if another window clears it while this one asks', async () => {
    const { createInputBox } = vscode.window;
    let stored: string | undefined = 'k1';
    const sent: string[] = [];
    const hidden: (() => unknown)[] = [];
    const box = {
      value: '',
      onDidAccept: (listener: () => Promise<unknown>) =>
        setImmediate(() => {
          stored = undefined;
          // Enter without text means the stored key.
          void listener().then(() => hidden.forEach((hide) => hide()));
        }),
      onDidHide: (listener: () => unknown) => hidden.push(listener),
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      show: () => undefined,
      dispose: () => undefined,
    };
    Object.assign(vscode.window, { createInputBox: () => box });
    const keys = { get: () => Promise.resolve(stored) } as unknown as SessionKeys;
    const createClient = (_connection: Connection, key: string) => {
      sent.push(key);
      return aClient({ getSettings: () => Promise.resolve({ llm_api_key_set: false }) });
    };
    const origin = 'https://agents.example.com';
    const answer = await askSessionKey(
      { keys, createClient },
      { name: 'Team', baseUrl: origin, origin },
      { title: 'Key' },
    ).finally(() => Object.assign(vscode.window, { createInputBox }));
    assert.deepEqual([answer, sent], [undefined, []]);
  });
});
