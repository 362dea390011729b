import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, request } from 'node:http';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/api/http/clock';
import { createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { AutomationWatch } from '../../../src/features/automations';
import {
  cancelRun,
  deleteAutomation,
  runAutomation,
  turnAutomation,
} from '../../../src/features/automations/commands/actions';
import { changeAutomation } from '../../../src/features/automations/commands/change';
import { createAutomation } from '../../../src/features/automations/commands/create';
import { showRuns } from '../../../src/features/automations/commands/runs';
import type { Handler } from '../../../src/editor/handler';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { ReadModel } from '../../support/conversation/fakeModel';
import { head, message } from '../../support/conversation/entries';
import { answering } from '../answering';

type CreateNeeds = Parameters<typeof createAutomation>[0];

describe('automations', () => {
  let server: AgentServerByItself;
  let watch: AutomationWatch;
  let opened: string[];
  let errors: string[];
  const { showErrorMessage } = vscode.window;

  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1', seed: true, automations: true });
    [opened, errors] = [[], []];
    const show = (text: string) => Promise.resolve(void errors.push(text));
    Object.assign(vscode.window, { showErrorMessage: show });
    await connect();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showErrorMessage });
    watch.dispose();
    await server.close();
  });

  /** Watches the automations of the server, at another address if it’s given. */
  async function connect(baseUrl = server.url) {
    const { sessionKey } = server;
    const client = createClient({ baseUrl, sessionKey });
    await checkConnection(client);
    const connection = { name: 'Canvas', baseUrl, origin: baseUrl };
    watch = new AutomationWatch({
      services: () => [{ connection, client }],
      here: () => baseUrl,
      watchMs: () => 0,
      shownMs: () => 0,
      claim: () => [],
      isTold: () => Promise.resolve(false),
      clock: systemClock,
    });
    watch.follow();
    await new Promise<void>((resolve) => {
      const following = watch.onDidChange(() => {
        following.dispose();
        resolve();
      });
    });
  }

  const open = (...what: (string | undefined)[]) => {
    opened.push(what.join('\n'));
    return Promise.resolve();
  };
  const needs = () => ({
    automations: watch,
    showConversation: (id: string, _on?: string, service?: string) => open(id, service),
    showDocument: (title: string, text: string) => open(title, text),
  });

  /** Runs a command with these answers; returns what it said, and the rows of each picker. */
  async function run(handler: Handler, answers: string[] = [], argument?: unknown) {
    const { said, rows, restore } = answering(answers);
    const showInformationMessage = (message: string, _options?: object, action?: string) => {
      said.push(message);
      return Promise.resolve(action);
    };
    Object.assign(vscode.window, { showInformationMessage });
    await handler(argument).finally(restore);
    return { said, rows };
  }
  const isOn = () => server.automations.all[0]?.['enabled'];
  const rowOf = (id: string, run?: string) => ({ ref: { kind: 'automation', id, service: server.url, run } });

  it('runs one, cancels its run, turns it off and on, and deletes it after asking', async () => {
    const trigger = { type: 'cron', schedule: '0 9 * * 1', timezone: 'Europe/Berlin' };
    const id = server.automations.add({ name: 'Weekly report', trigger });
    const first = await run(runAutomation(needs()), ['Weekly report']);
    assert.match(String(first.rows[0]), /Weekly report.*Monday at 9:00\sAM \(Europe\/Berlin\)/);
    assert.deepEqual(first.said, ['“Weekly report” has started.']);
    assert.equal(server.automations.runs.get(id)!.length, 1);
    assert.equal(watch.here?.runs.get(id)?.status, 'PENDING');
    await run(cancelRun(needs()), [], rowOf(id));
    assert.equal(server.automations.runs.get(id)![0]?.['status'], 'CANCELLED');
    assert.equal(watch.here.runs.get(id)?.status, 'CANCELLED');
    await run(turnAutomation(needs(), false), [], rowOf(id));
    assert.equal(isOn(), false);
    const none = await run(runAutomation(needs()), ['Weekly report']);
    assert.deepEqual(none.said, ['No matching automation.'], 'the server would refuse it');
    await run(turnAutomation(needs(), true), ['Weekly report']);
    assert.equal(isOn(), true);
    const deleted = await run(deleteAutomation(needs()), [], rowOf(id));
    assert.deepEqual(deleted.said, ['Delete “Weekly report”?']);
    assert.deepEqual(server.automations.all, []);
    assert.deepEqual((await run(deleteAutomation(needs()))).said, ['No automations yet.']);
    const gone = await run(runAutomation(needs()), [], rowOf(id));
    assert.match(String(gone.said), /isn’t there anymore/);
    assert.deepEqual(errors, []);
  });

  it('shows what it did, although the server stores it after its answer', async () => {
    const trigger = { type: 'cron', schedule: '0 9 * * 1', timezone: 'Europe/Berlin' };
    const id = server.automations.add({ name: 'Weekly report', trigger });
    await watch.refresh(server.url);
    server.automations.lateReads = 2;
    await run(turnAutomation(needs(), false), [], rowOf(id));
    assert.equal(watch.here?.items[0]?.enabled, false);
    await run(turnAutomation(needs(), true), [], rowOf(id));
    await run(runAutomation(needs()), [], rowOf(id));
    assert.equal(watch.here.runs.get(id)?.status, 'PENDING');
    await run(cancelRun(needs()), [], rowOf(id));
    assert.equal(watch.here.runs.get(id)?.status, 'CANCELLED');
    await run(deleteAutomation(needs()), [], rowOf(id));
    assert.deepEqual(watch.here.items, []);
    assert.deepEqual(errors, []);
  });

  it('changes name, schedule, or message of one, and leaves the rest', async () => {
    const trigger = { type: 'cron', schedule: '0 9 * * 1', timezone: 'Europe/Berlin' };
    const id = server.automations.add({ name: 'Report', prompt: 'Write it.', trigger });
    const [before] = server.automations.all;
    const now = () => ({ ...server.automations.all[0] });
    const change = (...answers: string[]) => run(changeAutomation(needs()), answers, rowOf(id));
    await watch.refresh(server.url);
    const first = await change('Name', ' Weekly\u202e report ');
    assert.match(String(first.rows[0]), /^Name: Report,Schedule: .*Berlin.*,Message: Write it\.$/);
    await change('Schedule', 'Every Hour');
    await change('Message', 'Write the report.');
    const changed = { name: 'Weekly report', prompt: 'Write the report.' };
    assert.deepEqual(now(), { ...before, ...changed, trigger: { ...trigger, schedule: '0 * * * *' } });
    assert.equal(watch.here?.items[0]?.name, 'Weekly report');
    // What stands for a secret isn’t sent in its place.
    Object.assign(server.automations.all[0]!, { prompt: 'Use •••••••• for it.' });
    await watch.refresh(server.url);
    assert.doesNotMatch(String((await change('Schedule', 'Every Hour')).rows[0]), /Message/);
    // Of several lines, an input would make one.
    Object.assign(server.automations.all[0]!, {
      prompt: 'One.\nTwo.',
      trigger: { type: 'event', on: 'push' },
    });
    await watch.refresh(server.url);
    assert.deepEqual((await change('Name', 'Other')).rows[0], ['Name: Weekly report']);
    assert.equal(now()['prompt'], 'One.\nTwo.');
    assert.deepEqual(errors, []);
  });

  it('loses nothing of what another client has changed, or knows', async () => {
    const trigger = { type: 'cron', schedule: '0 9 1 * *', timezone: 'UTC', until: '2027-01-01' };
    const id = server.automations.add({ name: 'Report', prompt: 'Write it.', trigger });
    await watch.refresh(server.url);
    const own = server.automations.all[0]!;
    const change = (...answers: Parameters<typeof answering>[0]) =>
      run(changeAutomation(needs()), answers as string[], rowOf(id));
    const asNow = 'Other Schedule…';
    await change('Schedule', asNow, (before) => before.replace('9', '10'));
    assert.deepEqual(own['trigger'], { ...trigger, schedule: '0 10 1 * *' });
    own['trigger'] = { ...trigger, timezone: '' };
    await watch.refresh(server.url);
    await change('Schedule', 'Every Day at…', '08:00');
    assert.deepEqual(own['trigger'], { ...trigger, schedule: '0 8 * * *' });
    const meanwhile = (before: string) => {
      own['prompt'] = 'Write it in French.';
      return `${before} Now.`;
    };
    const lost = /Another client has changed it\. Nothing was saved\. Try again\./;
    assert.match((await change('Message', meanwhile)).said.join(), lost);
    assert.equal(own['prompt'], 'Write it in French.');
    await change('Message', (before) => `${before} Now.`);
    assert.equal(own['prompt'], 'Write it in French. Now.');
  });

  it('says that a server left one as it was, or that a change was refused', async () => {
    const id = server.automations.add({ name: 'Report', prompt: 'Write it.' });
    await watch.refresh(server.url);
    const change = () => run(changeAutomation(needs()), ['Name', 'Other'], rowOf(id));
    server.automations.ignoresChanges = true;
    assert.match((await change()).said.join(), /Couldn’t change “Report”\. The server left it as it was\./);
    assert.equal(server.automations.all[0]?.['name'], 'Report');
  });

  it('opens the conversation of a run on its own service, and what went wrong with one that has none', async () => {
    const id = server.automations.add({ name: 'Report' });
    const failed = server.automations.addRun(id, {
      status: 'FAILED',
      error_detail: 'No model.',
      created_at: '2026-01-01T00:00:00Z',
    });
    await watch.refresh(server.url);
    const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
    const time = new Date('2026-01-01T00:00:00Z').toLocaleString(vscode.env.language, options);
    const log = `Run of Report\nFailed · ${time}\n\nNo model.`;
    await run(showRuns(needs()), ['Failed'], rowOf(id));
    await run(showRuns(needs()), [], rowOf(id, String(failed['id'])));
    server.automations.addRun(id, { status: 'COMPLETED', conversation_id: 'c-1' });
    const { rows } = await run(showRuns(needs()), ['Report', 'Completed']);
    assert.deepEqual(
      rows.at(-1)?.map((row) => row.split(':')[0]),
      ['Completed', 'Failed'],
    );
    assert.deepEqual(opened, [log, log, `c-1\n${server.url}`]);
    const other = server.automations.add({ name: 'Other' });
    await watch.refresh(server.url);
    assert.deepEqual((await run(showRuns(needs()), [], rowOf(other))).said, ['“Other” hasn’t run yet.']);
  });

  it('says that a server has no such service', async () => {
    watch.dispose();
    await server.close();
    server = await startAgentServer({ release: '1.49.1', seed: true });
    await connect();
    const { said } = await run(runAutomation(needs()));
    assert.deepEqual(said, ['This server has no automation service. Agent Canvas has one.']);
    assert.ok(!server.asked.some((path) => path.startsWith('/api/automation')));
  });

  describe('from a conversation', () => {
    let model: ReadModel;
    beforeEach(() => {
      model = new ReadModel();
      model.set({
        head: head(),
        entries: [message('user', 'Fix the build.\nTell me why.', { id: 'first' })],
      });
    });
    const create = (answers: string[]) => {
      const conversations = { service: watch.here?.connection.baseUrl, model: () => model };
      const more = { conversations, activeTab: () => undefined, model: { conversation: () => undefined } };
      const all = { ...needs(), ...more } as unknown as CreateNeeds;
      return run(createAutomation(all), answers, { ref: { kind: 'conversation', id: model.id } });
    };
    const made = () =>
      server.automations.all.map(({ name, prompt, trigger }) => [
        name,
        prompt,
        (trigger as { schedule: string }).schedule,
      ]);

    it('sends its first message every day, every weekday, on a day of the week, or every hour', async () => {
      const { said, rows } = await create(['Build', 'Every Day at…', '7:05']);
      assert.deepEqual(said, ['Create the automation “Build”?']);
      assert.deepEqual(
        rows[1]?.map((row) => row.split(':')[0]),
        [...['Every Hour', 'Every Day at…', 'Every Weekday at…', 'Every Week on…', 'Other Schedule…']],
      );
      await create(['Build', 'Every Weekday at…', '09:00']);
      await create(['Build', 'Every Week on…', 'Sunday', '23:59']);
      await create(['Build', 'Every Hour']);
      await create(['Build', 'Other Schedule…', ' 0  9 1 * * ']);
      const prompt = 'Fix the build.\nTell me why.';
      assert.deepEqual(
        made().reverse(),
        ['5 7 * * *', '0 9 * * 1-5', '59 23 * * 0', '0 * * * *', '0 9 1 * *'].map((schedule) => [
          ...['Build', prompt, schedule],
        ]),
      );
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      const zones = server.automations.all.map(({ trigger }) => (trigger as { timezone: string }).timezone);
      assert.deepEqual([...new Set(zones)], [timeZone]);
      assert.deepEqual(errors, []);
    });

    it('sends nothing without an answer to each question, and without a message', async () => {
      await create([]);
      await create(['Build']);
      await create(['Build', 'Every Day at…']);
      await create(['Build', 'Every Week on…']);
      model.set({ entries: [message('agent', 'Hello', { id: 'first' })] });
      const { said } = await create(['Build', 'Every Hour']);
      assert.match(String(said), /no message of yours/);
      assert.deepEqual(made(), []);
    });

    it('isn’t created twice when the answer is lost', async () => {
      const lossy = createServer((incoming, outgoing) => {
        const { port } = new URL(server.url);
        const { method, url, headers } = incoming;
        const isLost = method === 'POST' && url?.endsWith('/preset/prompt');
        const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
          if (isLost) {
            outgoing.destroy();
            answer.resume();
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        });
        incoming.pipe(passed);
      });
      await new Promise<void>((resolve) => lossy.listen(0, '127.0.0.1', resolve));
      watch.dispose();
      await connect(`http://127.0.0.1:${(lossy.address() as AddressInfo).port}`);
      await create(['Build', 'Every Hour']);
      assert.equal(made().length, 1);
      assert.deepEqual(errors, []);
      lossy.closeAllConnections();
      lossy.close();
    });
  });
});
