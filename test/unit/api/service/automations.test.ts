import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('automations of Agent Canvas', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1', automations: true });
    const { agents } = testClient(server.url, { sessionKey: server.sessionKey, known: 'agentServer' }).client;
    assert.ok(agents);
    calls = agents;
  });
  afterEach(() => server.close());

  it('are there only where the server says so', async () => {
    assert.equal((await calls.about()).hasAutomations, true);
    const bare = await startAgentServer({ release: '1.49.1' });
    const { client } = testClient(bare.url, { sessionKey: bare.sessionKey, known: 'agentServer' });
    assert.equal((await client.agents?.about())?.hasAutomations, undefined);
    await bare.close();
  });

  it('are listed over all pages', async () => {
    assert.deepEqual(await calls.listAutomations(), []);
    for (let at = 0; at < 201; at += 1) server.automations.add({ name: `Number ${at}` });
    const names = (await calls.listAutomations()).map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [201, 'Number 200', 'Number 0']);
  });

  it('are turned off and on, run, and deleted; one that is off doesn’t run', async () => {
    const id = server.automations.add({ name: 'Report' });
    const one = async () => {
      const [automation] = await calls.listAutomations();
      assert.ok(automation);
      return automation;
    };
    assert.equal((await one()).last_triggered_at, null);
    await calls.runAutomation(id);
    assert.ok((await one()).last_triggered_at);
    assert.deepEqual(
      (await calls.listAutomationRuns(id, 5)).map(({ status }) => status),
      ['PENDING'],
    );
    assert.equal((await calls.turnAutomation(await one(), false)).enabled, false);
    assert.equal((await one()).enabled, false);
    assert.equal((await failureOf(calls.runAutomation(id))).status, 409);
    assert.equal((await calls.turnAutomation(await one(), true)).enabled, true);
    await calls.deleteAutomation(id);
    assert.deepEqual(await calls.listAutomations(), []);
    assert.equal((await failureOf(calls.deleteAutomation(id))).status, 404);
  });

  it('are turned off by their state where they have one', async () => {
    server.automations.add({ name: 'Report', enabled: true, state: 'ACTIVE' });
    const [one] = await calls.listAutomations();
    assert.equal((await calls.turnAutomation(one!, false)).state, 'INACTIVE');
    assert.equal(server.automations.all[0]?.['enabled'], true, 'later releases refuse that member');
  });

  it('are created with a schedule that the service takes', async () => {
    const made = { name: 'Report', prompt: 'Say hello.', schedule: '0 9 * * 1-5', timezone: 'Europe/Berlin' };
    await calls.createAutomation(made);
    const [one] = await calls.listAutomations();
    assert.deepEqual(
      [one?.name, one?.trigger?.schedule, one?.trigger?.timezone],
      ['Report', '0 9 * * 1-5', 'Europe/Berlin'],
    );
    assert.equal(server.automations.all[0]?.['prompt'], 'Say hello.');
    assert.equal((await failureOf(calls.createAutomation({ ...made, schedule: 'daily' }))).status, 422);
    assert.equal((await failureOf(calls.createAutomation({ ...made, timezone: 'Nowhere' }))).status, 422);
  });

  it('have runs that can be canceled until they’re over', async () => {
    const id = server.automations.add({ name: 'Report' });
    await calls.runAutomation(id);
    await calls.runAutomation(id);
    const [last] = await calls.listAutomationRuns(id, 1);
    assert.ok(last);
    await calls.cancelAutomationRun(last.id);
    assert.deepEqual(
      (await calls.listAutomationRuns(id, 5)).map(({ status }) => status),
      ['CANCELLED', 'PENDING'],
    );
    assert.equal((await failureOf(calls.cancelAutomationRun(last.id))).status, 409);
  });

  it('keep the readable ones of a list with others', async () => {
    server.automations.add({ name: 7, trigger: 'daily', enabled: 'yes' });
    server.automations.add({ id: '', name: 'No id' });
    const [one, ...more] = await calls.listAutomations();
    assert.deepEqual([one?.name, one?.trigger, one?.enabled, more], [null, null, null, []]);
  });

  it('are all there, though one nests deeper than is read', async () => {
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown;
    const id = server.automations.add({ name: 'Deep', prompt: deep });
    server.automations.add({ name: 'Other' });
    assert.deepEqual(
      (await calls.listAutomations()).map(({ name }) => name),
      ['Other', 'Deep'],
    );
    server.automations.addRun(id, { status: 'FAILED', result: deep });
    assert.equal((await calls.listAutomationRuns(id, 1))[0]?.status, 'FAILED');
  });

  it('aren’t none where none of them can be read', async () => {
    for (const id of ['', 7, null, {}]) {
      server.automations.all.length = 0;
      server.automations.add({ id, name: 'Odd' });
      assert.equal((await failureOf(calls.listAutomations())).reason, 'badShape');
    }
  });

  it('are all read where the server counts none, or repeats a page', async () => {
    for (const total of [undefined, null, 'many', -1 / 0]) {
      const pages = [0, 1, 2].map((page) =>
        Array.from({ length: page === 2 ? 7 : 100 }, (_, at) => `${page}-${at}`),
      );
      const asked: number[] = [];
      const odd = await serve((request, response) => {
        const offset = Number(new URL(request.url ?? '', 'http://a').searchParams.get('offset'));
        asked.push(offset);
        const items = pages[Math.min(offset / 100, 2)] ?? [];
        json(response, { automations: items.map((id) => ({ id })), ...(total !== undefined && { total }) });
      });
      const { agents } = testClient(odd.origin, { known: 'agentServer' }).client;
      assert.equal((await agents!.listAutomations()).length, 207);
      assert.deepEqual(asked, [0, 100, 200, 300]);
    }
    await closeServers();
  });
});
