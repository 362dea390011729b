import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxName } from '../../src/core/lists/names';
import { Arrangement } from '../../src/features/conversations';
import { group, sort } from '../../src/features/conversations/commands/arrange';
import { clearFilter, filter } from '../../src/features/conversations/commands/filter';
import { sandboxActions } from '../../src/features/sandboxes';
import { change } from '../../src/features/sandboxes/commands/change';
import { changeAll } from '../../src/features/sandboxes/commands/changeAll';
import { startService, type ReferenceService } from '../service/service';
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
    await clearFilter(window)();
    assert.equal(window.model.filter, undefined);
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
  });

  it('offer the sandboxes that they apply to', async () => {
    const [chosen = ''] = named('RUNNING');
    const answers = answering([chosen]);
    await change(window, sandboxActions.pause)().finally(answers.restore);
    const offered = answers.rows.flat().map((row) => row.split(':')[0]);
    assert.ok(named('RUNNING').length > 1 && named('PAUSED').length > 0);
    for (const name of named('RUNNING')) assert.ok(offered.includes(name), name);
    for (const name of named('PAUSED')) assert.ok(!offered.includes(name), name);
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
});
