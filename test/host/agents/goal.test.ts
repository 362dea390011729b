import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { giveSecret } from '../../../src/features/live/commands/giveSecret';
import { startGoal } from '../../../src/features/live/commands/goal';
import { SessionStore } from '../../../src/core/session/session';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { answering, goBack } from '../answering';

type Needs = Parameters<typeof startGoal>[0];

describe('the pickers of a conversation on an agent server', () => {
  let server: AgentServerByItself;
  before(async () => (server = await startAgentServer({ release: '1.58.0', seed: true })));
  after(() => server.close());

  /** Runs a command with these answers; returns what was done to the conversation, and each picker’s rows. */
  async function run(
    command: (needs: Needs) => (argument?: unknown) => unknown,
    answers: Parameters<typeof answering>[0],
    goal: object | null = null,
  ) {
    const { url: baseUrl, sessionKey } = server;
    const client = createClient({ baseUrl, sessionKey });
    await checkConnection(client);
    const session = new SessionStore({
      readTarget: () =>
        Promise.resolve({ connection: { name: 'Canvas', baseUrl, origin: baseUrl }, sessionKey }),
      createClient: () => client,
    });
    await session.reload();
    const done: unknown[][] = [];
    const note =
      (name: string) =>
      (...given: unknown[]) => {
        done.push([name, ...given]);
        return Promise.resolve({ kind: 'done' });
      };
    const model = {
      goal,
      signal: new AbortController().signal,
      isCurrent: true,
      readings: 1,
      head: { readAt: 1, title: 'Fix', problem: '', about: { repository: '' } },
      keepCurrent: () => ({ dispose: () => undefined }),
      onDidChange: () => ({ dispose: () => undefined }),
      ...Object.fromEntries(
        ['setGoal', 'stopGoal', 'resumeGoal', 'giveSecret'].map((name) => [name, note(name)]),
      ),
    };
    const { rows, said, restore } = answering(answers);
    try {
      await command({
        session,
        model: { conversation: () => undefined },
        others: {},
        conversations: { service: baseUrl, model: () => model },
        activeTab: () => ({ id: 'c1', service: baseUrl }),
      } as unknown as Needs)();
    } finally {
      restore();
      session.dispose();
    }
    return { done, rows, said };
  }

  it('set a goal with its rounds', async () => {
    const { done } = await run(startGoal, [' All tests pass ', '3']);
    assert.deepEqual(done, [['setGoal', 'All tests pass', 3]]);
  });

  it('go back to a question, and keep what was entered', async () => {
    const more = (before: string) => `${before} pass`;
    const { done } = await run(startGoal, ['All tests', goBack, more, '3']);
    assert.deepEqual(done, [['setGoal', 'All tests pass', 3]]);
    const secret = await run(giveSecret, ['NPM_TOKN', goBack, 'NPM_TOKEN', 'canary-value']);
    assert.deepEqual(secret.done, [['giveSecret', 'NPM_TOKEN', 'canary-value']]);
  });

  it('stop a goal, and continue or replace one that was interrupted', async () => {
    const goal = { objective: 'All tests pass', round: 2, rounds: 10 };
    const active = await run(startGoal, ['Stop the Goal'], { ...goal, isActive: true, state: 'running' });
    assert.deepEqual(
      [active.done, active.rows[0]],
      [[['stopGoal']], ['Stop the Goal: 2 of 10 rounds judged']],
    );
    const interrupted = { ...goal, isActive: false, state: 'interrupted' };
    assert.deepEqual((await run(startGoal, ['Continue the Goal'], interrupted)).done, [['resumeGoal']]);
    const other = await run(startGoal, ['Set Another Goal…', 'Ship', '1'], interrupted);
    assert.deepEqual(other.done, [['setGoal', 'Ship', 1]]);
    const over = { ...goal, isActive: false, state: 'complete' };
    assert.deepEqual((await run(startGoal, ['Ship', '10'], over)).done, [['setGoal', 'Ship', 10]]);
  });

  it('give a secret, whose value is shown nowhere', async () => {
    const { done, said } = await run(giveSecret, ['NPM_TOKEN', 'canary-value']);
    assert.deepEqual(done, [['giveSecret', 'NPM_TOKEN', 'canary-value']]);
    assert.deepEqual(said, ['The agent can use NPM_TOKEN in its next command.']);
  });
});
