import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkConnection } from '../../src/api/service/connectionCheck';
import type { Conversation } from '../../src/api/service/schemas/conversation';
import { comparedAttempt } from '../../src/features/compare';
import { conversationRows } from '../../src/features/conversations/rows/list';
import type { Attempts } from '../../src/features/start/model/attempts';
import type { ConversationChoice } from '../../src/features/start/model/choice';
import type { StartTasks } from '../../src/features/start/model/startTasks';
import { limitIn } from '../../src/features/start/model/toldLimits';
import { PendingActions } from '../../src/core/lists/pendingActions';
import { SandboxHistory } from '../../src/core/lists/history';
import { createOpenSocket } from '../../src/editor/networkFetch';
import type { FlatClient } from '../support/builders/client';
import { aList } from '../support/builders/records';
import { TestSandbox } from '../unit/changes/support';
import { agentIn, startsOfAttempts } from './support/attempts';
import { until as poll, untilSandbox, useModel } from './support/conversations';
import { follow, until } from './support/followed';
import { real, realClient, realSuite } from './support/suite';

const generations = real().release.version === '1.11.0' ? (['current'] as const) : (['agentServer'] as const);
const isServer = real().release.generation === 'agentServer';

/** One release with sandboxes, and one of the server alone: Canvas reads no variables of the server that it starts. */
const suites = real().release.isCanvas === true ? [] : generations;

realSuite('attempts beyond what the service runs at once', suites, function () {
  this.timeout(600_000);
  this.bail(true);
  const group = randomUUID();
  const history = new SandboxHistory(new PendingActions(Date.now), Date.now);
  let client: FlatClient;
  let local: TestSandbox;
  let attempts: Attempts;
  let starts: StartTasks;
  let choice: ConversationChoice = { place: { kind: 'new' } };
  const ids: string[] = [];

  const begin = (label: string) =>
    starts.begin({ client, choice, label: 'Mend', message: 'Mend the slug.', attempt: { group, label } });
  const records = async (): Promise<Conversation[]> =>
    (await client.listConversations({ limit: 100 })).items.filter(({ id }) => ids.includes(id));
  /** What the row of the attempts says. */
  const said = async () => {
    if (!isServer) for (const sandbox of (await client.searchSandboxes()).items) history.read(sandbox);
    const rows = conversationRows({
      list: aList(await records()),
      starts: starts.of(client.baseUrl),
      group: 'none',
      order: 'created',
      attemptOf: (one) => attempts.of(client.baseUrl, one),
      pausedByService: (id) => history.pausedByService(id),
      sandboxName: String,
      now: Date.now(),
    });
    const [row] = rows;
    return row?.description ?? '';
  };
  const untilSaid = (expected: string) =>
    poll(expected, async () => ((await said()) === expected ? true : undefined), 120_000);

  before(async () => {
    client = realClient();
    local = new TestSandbox();
    local.create('shop', { 'slug.txt': 'none\n' });
    ({ attempts, starts } = startsOfAttempts());
    const { service } = real();
    if (isServer) {
      await service.kill();
      await service.start({ OH_MAX_CONCURRENT_RUNS: '2' });
    } else await writeFile(limitFile(), '2');
    await checkConnection(client);
    if (isServer) choice = { ...choice, agent: await agentIn(client, local.at('shop')) };
    else await useModel();
  });
  after(async () => {
    for (const id of ids) await client.deleteConversation(id, true).catch(() => undefined);
    local.dispose();
    const { service } = real();
    if (isServer) {
      await service.kill();
      await service.start();
    } else await rm(limitFile(), { force: true });
  });
  const limitFile = () => path.join(real().service.folder, 'most-sandboxes');

  if (isServer)
    it('are refused, are in the group as not started, and start once there is room', async () => {
      const { model } = real();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      model.script(
        ...[1, 2].map((at) => ({ tool: 'terminal', until: held, args: { command: `echo ${at}` } })),
      );
      const begun = ['One', 'Two', 'Three'].map(begin);
      const ended = await Promise.allSettled(begun.map((one) => one.ended));
      for (const one of ended) if (one.status === 'fulfilled') ids.push(one.value);
      const [refused, ...more] = ended.flatMap((one) =>
        one.status === 'rejected' ? [one.reason as unknown] : [],
      );
      assert.deepEqual([ids.length, more.length], [2, 0]);
      assert.ok(limitIn(refused), String(refused));
      assert.ok(starts.limits.of(client.baseUrl));
      assert.equal(await said(), '0 of 3 finished · 1 not started');
      const [failed] = starts.of(client.baseUrl);
      assert.ok(failed?.failure && !failed.unknown);
      release();
      await untilSaid('2 of 3 finished · 1 not started');
      const again = starts.retry(failed.id, client, failed.message) ?? assert.fail();
      ids.push(await again.ended);
      await untilSaid('3 of 3 finished');
    });
  else
    it('pause the oldest, whose row, group, and column say so, and which finishes once it’s resumed', async () => {
      const { model } = real();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      model.script(
        ...[1, 2, 3].map((at) => ({ tool: 'terminal', until: held, args: { command: `echo ${at}` } })),
      );
      for (const [at, label] of ['One', 'Two', 'Three'].entries()) {
        ids.push(await begin(label).ended);
        const asked = () => Promise.resolve(model.asked.length > at || undefined);
        await poll(`attempt ${label} asks the model`, asked, 120_000);
        await said();
      }
      const sandboxes = await Promise.all(
        ids.map(async (id) => (await client.getConversation(id))?.sandbox_id ?? assert.fail(id)),
      );
      const [oldest = ''] = sandboxes;
      await untilSandbox(client, oldest, 'PAUSED');
      assert.deepEqual(
        sandboxes.map((id) => history.pausedByService(id)),
        [true, false, false],
      );
      await untilSaid('0 of 3 finished · 1 paused by the service');
      const followed = follow(ids[0]!, await createOpenSocket({}, undefined), client);
      const current = followed.keepCurrent();
      await until(followed, ({ readAt, limit }) => readAt !== null && limit === 'asleep');
      const column = comparedAttempt(
        { id: followed.id, head: followed.head, entries: followed.entries },
        'One',
        {
          changed: null,
          problem: '',
        },
      );
      assert.deepEqual([column.state, column.mark], ['Sandbox paused', 'Read from the stored events']);
      release();
      await untilSaid('2 of 3 finished · 1 paused by the service');
      await client.resumeSandbox(oldest);
      await untilSandbox(client, oldest, 'RUNNING');
      await untilSaid('3 of 3 finished');
      current.dispose();
      followed.dispose();
    });
});
