import assert from 'node:assert/strict';
import { createClient } from '../../src/api/service/client';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { askAgentStart } from '../../src/features/start/commands/askAgentStart';
import type { AgentChoice } from '../../src/features/start/model/choice';
import { startAgentServer, type AgentServerByItself } from '../service/agent/byItself';
import { answering } from './answering';

const start = 'Start Conversation';

describe('the options of a start on an agent server', () => {
  let server: AgentServerByItself;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true });
    server.starts.secrets.set('DEPLOY_TOKEN', { value: 'canary', description: null });
  });
  afterEach(() => server.close());

  async function ask(answers: string[], former?: AgentChoice) {
    const client = createClient({ baseUrl: server.url, sessionKey: server.sessionKey });
    await checkConnection(client);
    const { rows, said, restore } = answering(answers);
    try {
      const before = { place: { kind: 'default' }, ...(former && { agent: former }) } as const;
      const chosen = await askAgentStart(client, before, { isWithChanges: false, folder: '/workspace/shop' });
      const lines = rows.map((shown) => shown.find((row) => row.startsWith('Secrets:'))).filter(Boolean);
      return { agent: chosen?.agent, lines, said };
    } finally {
      restore();
    }
  }

  it('give all secrets unless some are chosen, and remember only names', async () => {
    const all = await ask([start]);
    assert.deepEqual([all.agent?.secrets, all.lines], [undefined, ['Secrets: All: NPM_TOKEN, DEPLOY_TOKEN']]);
    const some = await ask(['Secrets', 'Only Some…', 'DEPLOY_TOKEN', start]);
    assert.deepEqual(some.agent?.secrets, ['DEPLOY_TOKEN']);
    assert.equal(some.lines.at(-1), 'Secrets: DEPLOY_TOKEN');
    assert.doesNotMatch(JSON.stringify(some.agent), /canary/);
    const none = await ask(['Secrets', 'Only Some…', 'nothing of these', start], some.agent);
    assert.deepEqual([none.agent?.secrets, none.lines.at(-1)], [[], 'Secrets: None']);
    const again = await ask(['Secrets', 'All, Including Those Added Later', start], some.agent);
    assert.equal(again.agent?.secrets, undefined);
  });

  it('show what the agent still gets of the secrets chosen the last time', async () => {
    const { agent } = await ask(['Secrets', 'Only Some…', 'DEPLOY_TOKEN', start]);
    server.starts.secrets.delete('DEPLOY_TOKEN');
    assert.deepEqual((await ask([start], agent)).lines, ['Secrets: None']);
  });
});
