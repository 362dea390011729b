import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentServerCalls } from '../../src/api/service/agentServerStart';
import type { Automation, AutomationRun } from '../../src/api/service/automations';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { isAutomationOn, nextRun } from '../../src/features/automations';
import { failureOf } from '../unit/api/support/client';
import { real, realClient, realSuite } from './support/suite';

realSuite('automations', ['agentServer'], function () {
  this.timeout(240_000);
  const made = {
    name: 'Report',
    prompt: 'Say hello.',
    schedule: '0 9 * * 1-5',
    timezone: 'Europe/Berlin',
  };
  const ask = (path: string, init: RequestInit = {}) => {
    const { url, sessionKey } = real().service;
    const headers = { 'X-Session-API-Key': sessionKey, 'Content-Type': 'application/json' };
    return fetch(`${url}/api/automation${path}`, { ...init, headers });
  };
  let calls: AgentServerCalls;

  before(async function () {
    const client = realClient();
    await checkConnection(client);
    calls = client.agents!;
    const { hasAutomations } = await calls.about();
    if (!hasAutomations) this.skip();
  });

  /** The automations once the list fits: the service answers before it stores a change. */
  const listed = async (fits: (all: Automation[]) => boolean): Promise<Automation[]> => {
    for (;;) {
      const all = await calls.listAutomations();
      if (fits(all)) return all;
      await sleep(50);
    }
  };
  const only = async (fits: (automation: Automation) => boolean = () => true): Promise<Automation> => {
    const [automation, ...others] = await listed(([first]) => first !== undefined && fits(first));
    assert.ok(automation && others.length === 0);
    return automation;
  };
  const earlier = new Set<string>();
  /** The run that was begun last, once it fits. Runs of the same second are in no order. */
  const lastRun = async (id: string, fits: (run: AutomationRun) => boolean): Promise<AutomationRun> => {
    for (;;) {
      const run = (await calls.listAutomationRuns(id, 20)).find((one) => !earlier.has(one.id));
      if (run && fits(run)) return run;
      await sleep(250);
    }
  };

  it('are created, turned off and on, run, and canceled', async () => {
    await calls.createAutomation(made);
    const automation = await only();
    const { id, name, trigger } = automation;
    assert.deepEqual([name, trigger?.schedule, trigger?.timezone], [made.name, made.schedule, made.timezone]);
    assert.equal(automation.last_triggered_at, null);
    const off = await calls.turnAutomation(automation, false);
    assert.equal(isAutomationOn(off), false);
    await only((one) => !isAutomationOn(one));
    assert.equal((await failureOf(calls.runAutomation(id))).status, 409);
    assert.equal(isAutomationOn(await calls.turnAutomation(off, true)), true);
    await only(isAutomationOn);
    const monday = { type: 'cron', schedule: '30 8 * * 1', timezone: made.timezone } as const;
    const prompt = 'Say hello twice.';
    for (const change of [{ name: 'Greeting' }, { trigger: monday }, { prompt }])
      await calls.changeAutomation(id, change);
    const changed = await only((one) => one.prompt === prompt);
    assert.deepEqual([changed.name, changed.trigger?.schedule], ['Greeting', monday.schedule]);
    assert.deepEqual([changed.trigger?.timezone, isAutomationOn(changed)], [made.timezone, true]);
    await calls.runAutomation(id);
    // The service may begin a run that was canceled just before.
    const run = await lastRun(id, ({ status }) => status !== 'PENDING');
    assert.equal(run.status, 'RUNNING', run.error_detail ?? undefined);
    assert.ok((await only()).last_triggered_at, 'a run is known by it');
    await calls.cancelAutomationRun(run.id);
    const canceled = await lastRun(id, ({ status }) => status !== 'RUNNING');
    assert.deepEqual([canceled.id, canceled.status], [run.id, 'CANCELLED']);
    assert.equal((await failureOf(calls.cancelAutomationRun(run.id))).status, 409);
    earlier.add(run.id);
  });

  it('end with a reason when they fail, and with their conversation', async () => {
    const { id } = await only();
    for (const end of [
      { status: 'FAILED', error: 'No model.' },
      { status: 'COMPLETED', conversation_id: randomUUID() },
    ]) {
      await calls.runAutomation(id);
      const run = await lastRun(id, ({ status }) => status !== 'PENDING');
      assert.equal(run.status, 'RUNNING', run.error_detail ?? undefined);
      // What the run itself sends at its end; installing what it needs takes minutes.
      const answer = await ask(`/v1/runs/${run.id}/complete`, { method: 'POST', body: JSON.stringify(end) });
      assert.equal(answer.status, 200);
      const ended = await lastRun(id, ({ status }) => status !== 'RUNNING');
      assert.deepEqual([ended.id, ended.status], [run.id, end.status]);
      assert.equal(ended.conversation_id ?? undefined, end.conversation_id);
      assert.match(ended.error_detail ?? '', end.error === undefined ? /^$/ : /No model\./);
      assert.ok(ended.completed_at);
      earlier.add(run.id);
    }
  });

  it('take the schedules that are offered, and no others', async () => {
    const isTaken = async (schedule: string) => {
      const draft = { name: 'x', prompt: 'y', trigger: { type: 'cron', schedule, timezone: 'UTC' } };
      const body = JSON.stringify({ endpoint: '/v1/preset/prompt', draft });
      const answer = await ask('/v1/validate', { method: 'POST', body });
      return ((await answer.json()) as { valid: boolean }).valid;
    };
    for (const schedule of [
      ...['0 * * * *', '0 9 * * *', '0 9 * * 1-5', '59 23 * * 0', '0 9 1 * *', '*/15 * * * *', '0 9 * * MON'],
      ...['5/20 * * * *', '0 0 29 2 *', '0 9 1 * 1', '0 9 * * 5-7', '0 0 31 2 *', 'x', '60 * * * *', ''],
    ]) {
      const isKnown = nextRun(schedule, 'UTC', Date.now()) !== undefined;
      assert.equal(await isTaken(schedule), isKnown, schedule);
    }
  });

  it('are deleted', async () => {
    const { id } = await only();
    await calls.deleteAutomation(id);
    await listed((all) => all.length === 0);
    assert.equal((await failureOf(calls.deleteAutomation(id))).status, 404);
  });
});
