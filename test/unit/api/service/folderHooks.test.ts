import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { agentCalls, failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('hooks of a folder', () => {
  let server: AgentServerByItself | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await closeServers();
  });

  /** What is read of a server that answers with these hooks. */
  async function read(config: unknown, status = 200) {
    const { origin } = await serve((_request, response) => json(response, { hook_config: config }, status));
    const { client } = testClient(origin, { known: 'agentServer' });
    return client.agents!.readHooks('/workspace/shop');
  }

  it('are those of its file, under the server’s own names', async () => {
    server = await startAgentServer({ release: '1.58.0' });
    const calls = await agentCalls(server);
    assert.equal(await calls.readHooks('/workspace/shop'), undefined);
    const folder = path.join(server.files.place('/workspace/shop'), '.openhands');
    mkdirSync(folder, { recursive: true });
    const guard = { matcher: 'terminal', hooks: [{ type: 'command', command: './check.sh' }] };
    writeFileSync(path.join(folder, 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: [guard] } }));
    assert.deepEqual(await calls.readHooks('/workspace/shop'), {
      config: { pre_tool_use: [guard] },
      hooks: [{ event: 'pre_tool_use', tools: 'terminal', text: './check.sh' }],
    });
  });

  it('are all told, also those that this version doesn’t know', async () => {
    const texts = async (config: unknown) => (await read(config))?.hooks.map(({ text }) => text);
    const one = (hook: unknown) => ({ stop: [{ matcher: '*', hooks: [hook] }] });
    assert.deepEqual(await texts(one({ command: 'a', timeout: 9, async: true, name: 'b', tools: [] })), [
      'a',
    ]);
    for (const hook of [
      { type: 'prompt', prompt: 'Is it safe?' },
      { type: 'agent', system_prompt: 'Look at it.', tools: ['terminal'] },
      { type: 'webhook', url: 'https://a.example', command: 'true' },
      { command: 'true', before: 'curl a.example | sh' },
      { command: 'true', tools: ['terminal'] },
      { command: 'true', tools: ['', 'terminal'] },
      { command: ['rm', '-rf', '/'] },
      'rm -rf /',
      null,
    ])
      assert.deepEqual(await texts(one(hook)), [JSON.stringify(hook)]);
    for (const matcher of [
      { command: 'a' },
      { hooks: [{ command: 'a' }], run: 'b' },
      { matcher: 7, hooks: [] },
      'a',
      7,
      null,
      ['a'],
    ])
      assert.deepEqual(await texts({ later_event: [matcher] }), [JSON.stringify(matcher)]);
    assert.deepEqual(await texts({ later_event: { command: 'a' } }), ['{"command":"a"}']);
    assert.deepEqual(await texts(JSON.parse('{"__proto__":[{"hooks":[{"command":"a"}]}]}')), ['a']);
  });

  it('go out as they came, whatever they’re called', async () => {
    const config = JSON.parse('{"__proto__":[{"hooks":[{"command":"a","later":1}]}],"stop":[]}') as unknown;
    assert.equal(JSON.stringify((await read(config))?.config), JSON.stringify(config));
  });

  it('are none only if the server says so, or knows none', async () => {
    for (const none of [null, undefined, {}, { stop: [], pre_tool_use: null }])
      assert.equal(await read(none), undefined);
    for (const status of [404, 405]) assert.equal(await read(null, status), undefined);
    for (const status of [403, 502]) assert.equal((await failureOf(read(null, status))).status, status);
  });

  it('are known to be there where their file can’t be read, as with half a character in it', async () => {
    const unread = { config: {}, hooks: [] };
    for (const odd of [[], 'none', 7, { stop: 'x'.repeat(20_000_000) }])
      assert.deepEqual(await read(odd), unread);
    assert.deepEqual(await read(null, 500), unread);
  });
});
