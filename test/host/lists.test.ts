import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxName } from '../../src/core/lists/names';
import { followBudget } from '../../src/compose/following';
import type { OtherConnections } from '../../src/features/attention';
import { Arrangement } from '../../src/features/conversations';
import { group, sort } from '../../src/features/conversations/commands/arrange';
import { clearFilter, filter } from '../../src/features/conversations/commands/filter';
import { sandboxActions } from '../../src/features/sandboxes';
import { change } from '../../src/features/sandboxes/commands/change';
import { changeAll } from '../../src/features/sandboxes/commands/changeAll';
import { makeSandbox, startService, type ReferenceService } from '../service/service';
import { windowOn } from '../support/builders/window';
import { answering } from './answering';

describe('commands on what the views list', () => {
  const { showWarningMessage } = vscode.window;
  let service: ReferenceService;
  let window: Awaited<ReturnType<typeof windowOn>>;
  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    window = await windowOn(service);
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    window.dispose();
    await service.close();
  });

  /** The names of the sandboxes with this status. */
  const named = (status: string) =>
    [...service.state.sandboxes.values()]
      .filter((one) => one.status === status)
      .map((one) => sandboxName(one, window.model.conversations.state.items));

  it('say when today’s conversations have cost more than the budget, once', async () => {
    const [one] = service.state.conversations.values();
    assert.ok(one);
    const today = new Date().toISOString();
    service.patch({
      conversations: [{ id: one.id, created_at: today, metrics: { accumulated_cost: 12.4 } }],
    });
    const kept = new Map<string, unknown>();
    const update = (key: string, value: unknown) => Promise.resolve(void kept.set(key, value));
    const said: string[] = [];
    const state = Object.getOwnPropertyDescriptor(vscode.window, 'state');
    assert.ok(state);
    Object.defineProperty(vscode.window, 'state', {
      value: { focused: true, active: true },
      configurable: true,
    });
    Object.assign(vscode.window, {
      showWarningMessage: (...words: string[]) => Promise.resolve(void said.push(words.join(' | '))),
    });
    const setting = vscode.workspace.getConfiguration('agentWorkspace.usage');
    const followed: { dispose(): void }[] = [];
    const own = <T extends { dispose(): void }>(one: T) => {
      followed.push(one);
      return one;
    };
    const others = { reached: [], listOf: () => undefined } as unknown as OtherConnections;
    try {
      followBudget(own, window.model, others, { get: (key) => kept.get(key), update });
      await window.model.refresh('conversations');
      assert.deepEqual(said, [], 'there is no budget');
      await setting.update('dailyBudget', 10, vscode.ConfigurationTarget.Global);
      for (const _ of ['once', 'again']) await window.model.refresh('conversations');
      assert.equal(said.length, 1);
      assert.match(
        said.join(),
        /^Today’s conversations have cost \$\d+\.\d\d, more than your daily budget of \$10\.00\. \| Show Usage$/,
      );
    } finally {
      for (const one of followed) one.dispose();
      Object.defineProperty(vscode.window, 'state', state);
      await setting.update('dailyBudget', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('filter conversations by their state, which the service isn’t asked about', async () => {
    const answers = answering(['State', 'Finished']);
    await filter(window)().finally(answers.restore);
    assert.deepEqual(answers.rows[0]?.[2], 'State:');
    assert.deepEqual(window.model.filter, { state: 'finished' });
    const finished = window.model.filteredConversations.items.filter(
      ({ execution_status }) => execution_status === 'finished',
    );
    // One of them was started by an agent.
    assert.deepEqual(finished.map(({ title }) => title).sort(), [
      'Plan: pagination cut-over',
      'Port the tariff parser to nom 8',
    ]);
    for (const { query } of service.requests) assert.doesNotMatch(JSON.stringify(query), /inished/);
    const again = answering(['State', 'Finished']);
    await filter(window)().finally(again.restore);
    assert.deepEqual(again.first, [undefined, 'Finished']);
    assert.ok(again.rows[1]?.includes('Finished: current'), again.rows[1]?.join());
    await clearFilter(window)();
    assert.equal(window.model.filter, undefined);
  });

  it('filter conversations by what is typed at once, as their title', async () => {
    await window.model.setFilter({ state: 'finished' });
    const answers = answering([{ type: ' tarif ', pick: '“tarif”' }]);
    await filter(window)().finally(answers.restore);
    assert.deepEqual(window.model.filter, { state: 'finished', title: 'tarif' });
  });

  it('group and sort conversations as selected, and mark the current choice', async () => {
    const kept = new Map<string, unknown>();
    const update = (key: string, value: unknown) => Promise.resolve(void kept.set(key, value));
    const arrangement = new Arrangement({ get: (key) => kept.get(key), update }, 'arrangement');
    const answers = answering(['By sandbox', 'By title']);
    await group({ arrangement })();
    await sort({ arrangement })().finally(answers.restore);
    assert.deepEqual([arrangement.group, arrangement.order], ['sandbox', 'title']);
    for (const rows of answers.rows)
      assert.equal(rows.filter((row) => row.endsWith(': current')).length, 1, rows.join());
    const again = answering(['By repository', 'By title']);
    await group({ arrangement })();
    await sort({ arrangement })().finally(again.restore);
    assert.deepEqual(again.first, ['By sandbox', 'By title']);
  });

  it('offer the sandboxes that they apply to', async () => {
    const [running, paused] = [named('RUNNING'), named('PAUSED')];
    assert.ok(running.length > 1 && paused.length > 0);
    const answers = answering([running[0] ?? '']);
    await change(window, sandboxActions.pause)().finally(answers.restore);
    const offered = answers.rows.flat().map((row) => row.split(':')[0]);
    for (const name of running) assert.ok(offered.includes(name), name);
    for (const name of paused) assert.ok(!offered.includes(name), name);
  });

  it('list all running sandboxes by name before they pause them', async () => {
    const running = named('RUNNING');
    const pauses = () => service.requests.filter(({ path }) => path.endsWith('/pause')).length;
    const asked: string[] = [];
    let agrees = false;
    Object.assign(vscode.window, {
      showWarningMessage: (message: string, { detail }: { detail: string }, action: string) => {
        asked.push(`${message} ${detail}`);
        return Promise.resolve(agrees ? action : undefined);
      },
    });
    await changeAll(window, sandboxActions.pause)();
    assert.match(asked[0] ?? '', new RegExp(`^Pause ${running.length} running sandboxes\\?`));
    for (const name of running) assert.ok(asked[0]?.includes(name), name);
    assert.equal(pauses(), 0);
    agrees = true;
    await changeAll(window, sandboxActions.pause)();
    assert.equal(pauses(), running.length);
  });

  it('pause all running sandboxes, and name the one that couldn’t be paused', async () => {
    const running = named('RUNNING');
    const [refused] = [...service.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING');
    service.fail({
      method: 'POST',
      path: `/api/v1/sandboxes/${refused?.id ?? ''}/pause`,
      effect: { kind: 'answer', status: 403, body: { error: 'not this one' } },
    });
    const said: string[] = [];
    Object.assign(vscode.window, {
      showWarningMessage: (message: string, options: object | string, action: string) => {
        if (typeof options === 'object') return Promise.resolve(action);
        said.push(message);
        return Promise.resolve(undefined);
      },
    });
    await changeAll(window, sandboxActions.pause)();
    const [message = ''] = said;
    assert.ok(message.startsWith(`Pausing ${running.length - 1} of ${running.length} sandboxes…`), message);
    assert.ok(message.includes(`${running[0] ?? ''}: `), message);
    assert.match(message, /not this one/);
  });

  it('say which sandboxes the service may pause before they resume several', async () => {
    const running = named('RUNNING');
    for (const id of ['p1', 'p2', 'p3', 'p4'])
      service.state.sandboxes.set(id, makeSandbox({ id, status: 'PAUSED' }));
    const paused = named('PAUSED');
    const { said, restore } = answering([]);
    let detail = '';
    Object.assign(vscode.window, {
      showWarningMessage: (_message: string, options: { detail: string }, action: string) => {
        ({ detail } = options);
        return Promise.resolve(action);
      },
    });
    await changeAll(window, sandboxActions.resume)().finally(restore);
    const may = /may pause (.+)$/m.exec(detail)?.[1] ?? '';
    assert.ok(
      running.some((name) => may.includes(`“${name}”`)),
      detail,
    );
    for (const name of paused) assert.ok(detail.includes(name), name);
    assert.deepEqual(said, [`Resuming ${paused.length} sandboxes…`]);
    assert.equal(service.requests.filter(({ path }) => path.endsWith('/resume')).length, paused.length);
  });
});
