import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { branchHere, goBackHere } from '../../src/features/live/commands/goBack';
import { aClient } from '../support/builders/client';

describe('branching and going back', () => {
  const { showWarningMessage, showInformationMessage } = vscode.window;
  let said: string[];
  beforeEach(() => {
    said = [];
    const say = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showWarningMessage: say, showInformationMessage: say });
  });
  afterEach(() => Object.assign(vscode.window, { showWarningMessage, showInformationMessage }));

  const needsOf = (execution: string) => {
    const service = 'https://one.example';
    const model = {
      id: 'c',
      head: { execution, policy: 'never', title: 'Fix it', about: { repository: '', folder: '/work' } },
      entries: [{ id: 'e', kind: 'message', from: 'user', text: { text: 'Fix it.' } }],
    };
    return {
      session: { current: { kind: 'ready', client: aClient({ baseUrl: service, agents: {} as never }) } },
      model: { service, conversation: () => undefined },
      conversations: { service, model: () => model },
      activeTab: () => ({ id: 'c', service }),
    } as unknown as CommandDependencies;
  };

  it('say that the agent works or waits before they ask anything', async () => {
    for (const execution of ['running', 'waiting_for_confirmation'])
      for (const command of [branchHere, goBackHere]) await command(needsOf(execution))({ entry: 'e' });
    const working = 'The agent is working in this folder. Pause it, and try again.';
    assert.deepEqual(said.slice(0, 2), [working, working]);
    assert.equal(said.length, 4);
    assert.ok(!said.some((words) => words.includes('?')), said.join());
  });

  it('ask once the agent rests', async () => {
    await branchHere(needsOf('idle'))({ entry: 'e' });
    assert.deepEqual(said, ['Branch from here?']);
  });
});
