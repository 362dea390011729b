import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentServerCalls } from '../../src/api/service/agentServerStart';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { digestOf, startOnAgentServer } from '../../src/features/start/model/agentStart';
import type { AgentChoice } from '../../src/features/start/model/choice';
import { StartFailed } from '../../src/features/start/model/startConversation';
import type { FlatClient } from '../support/builders/client';
import { workFile } from './support/conversations';
import { follow, until } from './support/followed';
import { real, realClient, realSuite } from './support/suite';

realSuite('hooks of a folder', ['agentServer'], function () {
  this.timeout(300_000);
  const folder = () => `${path.dirname(workFile('any'))} with hooks`;
  let client: FlatClient;
  let server: AgentServerCalls;
  let profile: AgentChoice['profile'];

  before(async () => {
    client = realClient();
    await checkConnection(client);
    assert.ok(client.agents);
    server = client.agents;
    const model = { model: 'openai/scripted', baseUrl: real().modelUrl, key: 'key-of-the-model' };
    await server.saveModel('default', model);
    const { profiles, active_agent_profile_id: active } = await server.listAgentProfiles();
    const found = profiles.find(({ id }) => id === active);
    assert.ok(found);
    profile = found;
    await mkdir(path.join(folder(), '.openhands'), { recursive: true });
  });
  after(() => rm(folder(), { recursive: true, force: true }));

  const write = (file: object) =>
    writeFile(path.join(folder(), '.openhands', 'hooks.json'), JSON.stringify(file));

  const start = (hooks: AgentChoice['hooks']) => {
    real().model.script({ tool: 'terminal', args: { command: 'touch made.txt' } });
    return startOnAgentServer({
      ...{ client, server, id: randomUUID(), message: 'Make the file.' },
      choice: { folder: folder(), isWorktree: false, profile, policy: 'never', hooks },
      held: () => assert.fail('the server runs no more agents'),
      report: () => undefined,
      signal: AbortSignal.timeout(60_000),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
  };

  /** Whether the agent’s command was blocked, and whether its file is there. */
  const outcome = async (hooks: AgentChoice['hooks']) => {
    const model = follow(await start(hooks), await createOpenSocket({}, undefined), client);
    try {
      model.keepCurrent();
      await until(model, ({ execution }) => execution === 'finished');
      const isBlocked = model.entries.some((entry) => entry.kind === 'step' && entry.isBlocked === true);
      return { isBlocked, isMade: existsSync(path.join(folder(), 'made.txt')) };
    } finally {
      model.dispose();
    }
  };

  it('run only in a start that names them as they are now', async () => {
    assert.equal(await server.readHooks(folder()), undefined);
    const guard = { type: 'command', command: 'echo "No terminal today." >&2; exit 2' };
    await write({ hooks: { PreToolUse: [{ matcher: 'terminal', hooks: [guard] }] } });
    const found = await server.readHooks(folder());
    assert.deepEqual(found?.hooks, [{ event: 'pre_tool_use', tools: 'terminal', text: guard.command }]);
    const digest = digestOf({ folder: folder() }, found);
    await assert.rejects(start(undefined), StartFailed);
    assert.deepEqual(await outcome({ digest, isOn: true }), { isBlocked: true, isMade: false });
    assert.deepEqual(await outcome({ digest, isOn: false }), { isBlocked: false, isMade: true });
    await write({ Stop: [{ hooks: [{ command: 'true' }] }] });
    await assert.rejects(start({ digest, isOn: true }), StartFailed);
    await assert.rejects(start({ digest, isOn: false }), StartFailed);
    // The server answers 500.
    await write({ Stop: [{ hooks: [{ command: '\ud800' }] }] });
    assert.deepEqual(await server.readHooks(folder()), { config: {}, hooks: [] });
  });
});
