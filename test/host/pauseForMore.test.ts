import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/http/errors';
import { startSelectedSandbox } from '../../src/features/sandboxes/commands/start';
import { pauseAndRetry } from '../../src/features/start/commands/failedStart';
import { commandIds } from '../../src/ids';
import { windowWith } from '../support/builders/window';
import { aClient } from '../support/builders/client';
import { aSandbox, aStart } from '../support/builders/records';

const baseUrl = 'https://one.example.com';

describe('a service that runs no more at once', () => {
  const { showErrorMessage } = vscode.window;
  const { executeCommand } = vscode.commands;
  afterEach(() => {
    Object.assign(vscode.window, { showErrorMessage });
    Object.assign(vscode.commands, { executeCommand });
  });

  /** A window on a service with one sandbox. */
  async function connected(status: () => string, more: Parameters<typeof aClient>[0] = {}) {
    const client = aClient({
      baseUrl,
      searchSandboxes: () =>
        Promise.resolve({ items: [aSandbox({ id: 's-1', status: status() })], nextPageId: null }),
      searchSandboxSpecs: () => Promise.resolve({ items: [], nextPageId: null }),
      listConversations: () => Promise.resolve({ items: [], nextPageId: null }),
      ...more,
    });
    return windowWith(client, baseUrl);
  }

  /** Starts a sandbox where one runs already; `pauses`: the user pauses that one. */
  async function start(pauses: boolean) {
    let status = 'RUNNING';
    const started: string[] = [];
    const said: string[] = [];
    const { session, model } = await connected(() => status, {
      startSandbox: () => {
        started.push(status);
        const facts = { status: 429, errorCode: 'CONCURRENCY_LIMIT_REACHED', limit: 1, current: 1 };
        return status === 'RUNNING'
          ? Promise.reject(new ApiError('rateLimited', 'POST', '/api/v1/sandboxes', facts))
          : Promise.resolve(aSandbox({ id: 's-2' }));
      },
    });
    Object.assign(vscode.window, {
      showErrorMessage: (message: string, button: string) => {
        said.push(message);
        return Promise.resolve(button);
      },
    });
    Object.assign(vscode.commands, {
      executeCommand: async (id: string, ...args: unknown[]) => {
        if (id !== commandIds.sandboxPause) return executeCommand(id, ...args);
        if (pauses) status = 'PAUSED';
        await model.refresh('sandboxes');
        return undefined;
      },
    });
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
      showWarningMessage: (_message: string, _options: unknown, action: string) => Promise.resolve(action),
    });
    const reveal = () => Promise.resolve();
    await startSelectedSandbox({ session, model, reveal })({
      ref: { kind: 'spec', id: 'agent:1.0' },
    }).finally(() => Object.assign(vscode.window, { showWarningMessage }));
    model.dispose();
    return { started, said };
  }

  it('says its numbers, lets the user pause one, and starts then', async () => {
    const { started, said } = await start(true);
    assert.match(
      said[0] ?? '',
      /The service runs at most 1 at the same time\. Running now: 1 \(HTTP 429\)\./,
    );
    assert.deepEqual([said.length, started], [1, ['RUNNING', 'PAUSED']]);
  });

  it('isn’t asked again if nothing was paused', async () => {
    const { started, said } = await start(false);
    assert.deepEqual([said.length, started], [1, ['RUNNING']]);
  });

  it('has room for a start that failed, once the user has paused one from its row', async () => {
    let status = 'RUNNING';
    const { session, model } = await connected(() => status);
    Object.assign(vscode.commands, {
      executeCommand: async (id: string, ...args: unknown[]) => {
        if (id !== commandIds.sandboxPause) return executeCommand(id, ...args);
        status = 'PAUSED';
        await model.refresh('sandboxes');
        return undefined;
      },
    });
    const failed = aStart({ service: baseUrl, failure: 'At most 1.', overLimit: true });
    const again: string[] = [];
    const needs = {
      ...{ session, model },
      starts: {
        get: (id: string) => (id === failed.id ? failed : undefined),
        limits: { heldWith: () => undefined },
        retry: (id: string, _client: unknown, message: string) => {
          again.push(`${status}: ${message}`);
          return { id, ended: Promise.resolve('c-1') };
        },
      },
      deliveries: { ofStart: () => undefined },
      showConversation: () => Promise.resolve(),
      isConversationVisible: () => true,
      reveal: () => Promise.resolve(),
    } as unknown as Parameters<typeof pauseAndRetry>[0];
    await pauseAndRetry(needs)({ ref: { kind: 'start', id: failed.id } });
    assert.deepEqual(again, [`PAUSED: ${failed.message}`]);
    await pauseAndRetry(needs)({ ref: { kind: 'start', id: 'other' } });
    assert.equal(again.length, 1);
    model.dispose();
  });
});
