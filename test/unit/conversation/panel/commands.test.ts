import assert from 'node:assert/strict';
import { commandIds } from '../../../../src/ids';
import { panelCommands } from '../../../../src/features/conversation/panel/commands';
import type { Limit } from '../../../../src/shared/transcript';

describe('commands of a conversation’s page', () => {
  const [here, elsewhere] = ['https://here.example', 'https://elsewhere.example'];
  let done: unknown[];
  let agrees = true;
  const run = panelCommands({
    conversations: {
      service: 'https://here.example',
      reconnect: (id, service) => {
        done.push(['reconnect', id, ...(service === elsewhere ? [service] : [])]);
        return Promise.resolve();
      },
    },
    switchTo: (service) => {
      done.push(['switch', service]);
      return Promise.resolve(agrees);
    },
    sandboxOf: (id) => Promise.resolve(id === 'c-1' ? 's-1' : undefined),
    run: (id, args) => {
      done.push([id, ...args]);
      return Promise.resolve();
    },
  });
  const ref = { ref: { kind: 'conversation', id: 'c-1' } };
  const at = (service: string) => ({ ref: { ...ref.ref, service } });
  beforeEach(() => (done = []));

  it('run on the conversation', async () => {
    for (const command of [
      'changePolicy',
      'showChanges',
      'openAsText',
      'export',
      'openPullRequest',
      'revealSandbox',
    ] as const)
      await run(command, 'c-1', here, 'none');
    assert.deepEqual(done, [
      [commandIds.conversationPolicy, at(here)],
      [commandIds.changesShow, at(here)],
      [commandIds.conversationOpenAsText, at(here)],
      [commandIds.conversationExport, at(here)],
      [commandIds.conversationOpenPullRequest, ref],
      [commandIds.conversationRevealSandbox, ref],
    ]);
  });

  const reconnect = ['reconnect', 'c-1'];
  const helps: Record<Limit, unknown[]> = {
    // Offered after a reading that failed.
    none: [reconnect],
    stored: [reconnect],
    asleep: [[commandIds.sandboxResume, { ref: { kind: 'sandbox', id: 's-1' } }], reconnect],
    gone: [[commandIds.conversationStart]],
    deleted: [reconnect],
    unreachable: [[commandIds.conversationOpen, ref]],
    onService: [[commandIds.conversationOpen, ref]],
    refused: [reconnect],
    notAccepted: [reconnect],
    busy: [reconnect],
    noEvents: [[commandIds.conversationOpen, ref]],
    serverUnreachable: [reconnect],
    serverRefused: [[commandIds.sessionSetKey]],
    starting: [[commandIds.conversationDismissStart, { ref: { kind: 'start', id: 'c-1' } }]],
    notStarted: [[commandIds.conversationRetryStart, { ref: { kind: 'start', id: 'c-1' } }]],
    mayHaveStarted: [[commandIds.conversationRetryStart, { ref: { kind: 'start', id: 'c-1' } }]],
    overLimit: [[commandIds.conversationPauseAndRetry, { ref: { kind: 'start', id: 'c-1' } }]],
    notDelivered: [[commandIds.conversationDismissStart, { ref: { kind: 'start', id: 'c-1' } }]],
    policyNotSet: [[commandIds.conversationDismissStart, { ref: { kind: 'start', id: 'c-1' } }]],
  };
  for (const [limit, expected] of Object.entries(helps)) {
    it(`do what helps with the limit "${limit}"`, async () => {
      await run('nextStep', 'c-1', here, limit as Limit);
      assert.deepEqual(done, expected);
    });
  }

  it('ask which sandbox to resume where it isn’t known', async () => {
    await run('nextStep', 'c-2', here, 'asleep');
    assert.deepEqual(done, [[commandIds.sandboxResume], ['reconnect', 'c-2']]);
  });

  it('act on another service than the window’s without switching, unless they need its lists', async () => {
    await run('export', 'c-1', elsewhere, 'none');
    await run('showChanges', 'c-1', elsewhere, 'none');
    assert.deepEqual(done, [
      [commandIds.conversationExport, at(elsewhere)],
      [commandIds.changesShow, at(elsewhere)],
    ]);
  });

  it('switch the window to the conversation’s service before they need its lists, or do nothing', async () => {
    await run('openPullRequest', 'c-1', elsewhere, 'none');
    await run('nextStep', 'c-1', elsewhere, 'unreachable');
    assert.deepEqual(done, [
      ['switch', elsewhere],
      [commandIds.conversationOpenPullRequest, ref],
      ['switch', elsewhere],
      [commandIds.conversationOpen, ref],
    ]);
    [done, agrees] = [[], false];
    await run('openPullRequest', 'c-1', elsewhere, 'none');
    await run('nextStep', 'c-1', elsewhere, 'asleep');
    assert.deepEqual(done, [
      ['switch', elsewhere],
      ['switch', elsewhere],
    ]);
    done = [];
    await run('nextStep', 'c-1', elsewhere, 'refused');
    assert.deepEqual(done, [['reconnect', 'c-1', elsewhere]]);
  });
});
