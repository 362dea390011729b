import assert from 'node:assert/strict';
import { createClient } from '../../src/api/service/client';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { manageAutomations } from '../../src/features/automations/commands/manage';
import { SessionStore } from '../../src/core/session/session';
import { startAgentServer, type AgentServerByItself } from '../service/agent/byItself';
import { answering } from './answering';

describe('managing automations', () => {
  let server: AgentServerByItself;
  afterEach(() => server.close());
  const start = async (automations: boolean) =>
    (server = await startAgentServer({ release: '1.49.1', seed: true, automations }));

  /** Runs the command with these answers; returns what it said, the rows of each picker, and what it opened. */
  async function manage(...answers: string[]) {
    const { url: baseUrl, sessionKey } = server;
    const client = createClient({ baseUrl, sessionKey });
    await checkConnection(client);
    const connection = { name: 'Canvas', baseUrl, origin: baseUrl };
    const session = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey }),
      createClient: () => client,
    });
    await session.reload();
    const { said, rows, restore } = answering(answers);
    const opened: string[] = [];
    const open = (...what: string[]) => {
      opened.push(what.join('\n'));
      return Promise.resolve();
    };
    try {
      await manageAutomations({
        session,
        refreshSettingsForm: () => Promise.resolve(),
        lock: { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) },
        showConversation: (id) => open(id),
        showDocument: (title, text) => open(title, text),
      })();
    } finally {
      restore();
      session.dispose();
    }
    return { said, rows, opened };
  }

  it('runs one, turns it off and on, and deletes it after asking', async () => {
    await start(true);
    const trigger = { type: 'cron', schedule: '0 9 * * 1', timezone: 'Europe/Berlin' };
    const id = server.automations.add({ name: 'Weekly report', trigger });
    const isOn = () => server.automations.all[0]?.['enabled'];
    const first = await manage('Weekly report', 'Run Now');
    assert.match(String(first.rows[0]), /Weekly report.*Monday at 09:00 \(Europe\/Berlin\).*never run/);
    assert.equal(server.automations.runs.get(id)!.length, 1);
    await manage('Weekly report', 'Turn Off');
    assert.equal(isOn(), false);
    const { rows } = await manage('Weekly report', 'Turn On');
    assert.match(String(rows[0]), /Off/);
    assert.doesNotMatch(String(rows[1]), /Run Now/, 'the server would refuse it');
    assert.equal(isOn(), true);
    const deleted = await manage('Weekly report', 'Delete');
    assert.ok(deleted.said.includes('Delete the automation “Weekly report”?'));
    assert.deepEqual(server.automations.all, []);
  });

  it('opens the conversation of a run, and what went wrong with one that has none', async () => {
    await start(true);
    const id = server.automations.add({ name: 'Report' });
    server.automations.addRun(id, {
      status: 'FAILED',
      error_detail: 'No model.',
      created_at: '2026-01-01T00:00:00Z',
    });
    assert.deepEqual((await manage('Report', 'Show Runs…', 'Failed')).opened, [
      'Run of Report\nFailed · 2026-01-01T00:00:00Z\n\nNo model.',
    ]);
    server.automations.addRun(id, { status: 'COMPLETED', conversation_id: 'c-1' });
    assert.deepEqual((await manage('Report', 'Show Runs…', 'Completed')).opened, ['c-1']);
  });

  it('says that there are none yet, and that a server has no such service', async () => {
    await start(true);
    assert.deepEqual((await manage()).said, [
      'No automations yet. Create one in Agent Canvas, and it appears here.',
    ]);
    await server.close();
    await start(false);
    assert.deepEqual((await manage()).said, ['This server has no automation service. Agent Canvas has one.']);
    assert.ok(!server.asked.some((path) => path.startsWith('/api/automation')));
  });
});
