import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askSessionKey } from '../../src/editor/asking/askSessionKey';
import { back } from '../../src/editor/inputs';
import type { SessionKeys } from '../../src/editor/sessionKeys';
import { handleUri } from '../../src/editor/uriHandler';
import type { Connection } from '../../src/shared/connection';
import { aClient } from '../support/builders/client';

const plain = 'http://agents.example.com';

describe('session key for an unencrypted address', () => {
  const asked: { message: string; detail: string }[] = [];
  let boxes = 0;
  const { showWarningMessage, createInputBox } = vscode.window;
  before(() => {
    Object.assign(vscode.window, {
      showWarningMessage: (message: string, { detail = '' }: vscode.MessageOptions) => {
        asked.push({ message, detail });
        return Promise.resolve(undefined);
      },
      createInputBox: () => {
        boxes += 1;
        const box = createInputBox();
        // Nobody can enter a key here.
        setImmediate(() => box.hide());
        return box;
      },
    });
  });
  afterEach(() => {
    asked.length = 0;
    boxes = 0;
  });
  after(() => Object.assign(vscode.window, { showWarningMessage, createInputBox }));

  const ask = (origin: string, stored?: string) => {
    const connection: Connection = { name: 'Team', baseUrl: origin, origin };
    const keys = { get: () => Promise.resolve(stored) } as unknown as SessionKeys;
    return askSessionKey({ keys, createClient: () => aClient() }, connection, { title: 'Key' });
  };

  it('is requested only after a warning, before anything is sent or stored', async () => {
    assert.equal(await ask(plain), back);
    assert.match(asked[0]?.message ?? '', /unencrypted to http:\/\/agents\.example\.com\?$/);
    assert.match(asked[0]?.detail ?? '', /isn’t encrypted.*https/);
    assert.equal(boxes, 0);
  });

  it('needs no warning if already stored, encrypted in transit, or for this computer', async () => {
    await ask(plain, 'k1');
    await ask('https://agents.example.com');
    await ask('http://localhost:3000');
    assert.deepEqual([asked.length, boxes], [0, 3]);
  });

  it('prompts a warning before a link is followed', async () => {
    const link = (address: string) =>
      vscode.Uri.parse(`vscode://agent-workspace.agent-workspace/connect?url=${address}`);
    const nobody = () => assert.fail('nobody agreed');
    const targets = { connect: nobody, openConversation: nobody };
    await handleUri(link(plain), targets);
    await handleUri(link('https://agents.example.com'), targets);
    assert.deepEqual(
      asked.map(({ detail }) => detail.includes('isn’t encrypted')),
      [true, false],
    );
  });
});
