import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentServerCalls } from '../../src/api/service/agentServerStart';
import { checkConnection } from '../../src/api/service/connectionCheck';
import type { McpSignIn, McpSignInState } from '../../src/api/service/mcpSignIn';
import { failureOf } from '../unit/api/support/client';
import { startOauthServer, type OauthServer } from './support/oauthServer';
import { real, realClient, realSuite } from './support/suite';

type Members = Record<string, unknown>;

async function settings(method: string, body?: object): Promise<Record<string, Members>> {
  const { url, sessionKey } = real().service;
  const answer = await fetch(`${url}/api/settings`, {
    method,
    headers: {
      'X-Session-API-Key': sessionKey,
      'X-Expose-Secrets': 'plaintext',
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.equal(answer.status, 200);
  const { agent_settings: agent } = (await answer.json()) as { agent_settings: Members };
  return agent['mcp_config'] as Record<string, Members>;
}

realSuite('signing in to an MCP server on an agent server', ['agentServer'], function () {
  this.timeout(120_000);
  let mcp: OauthServer;
  let calls: AgentServerCalls;

  before(async () => {
    mcp = await startOauthServer();
    const client = realClient();
    await checkConnection(client);
    assert.ok(client.agents);
    calls = client.agents;
    const headers = { 'X-Team': 'red' };
    const inHeader = { url: mcp.url, headers: { ...headers, Authorization: 'Bearer old' } };
    const guarded = { url: mcp.url, headers, auth: { strategy: 'bearer', value: 'old' } };
    const other = { url: 'https://other.example.com/mcp', auth: { strategy: 'bearer', value: 'other' } };
    await settings('PATCH', { agent_settings_diff: { mcp_config: { guarded, inHeader, other } } });
  });
  after(async () => {
    await settings('PATCH', {
      agent_settings_diff: { mcp_config: { guarded: null, inHeader: null, other: null } },
    });
    await mcp.close();
  });

  const ended = async (signIn: McpSignIn, first: McpSignInState) => {
    let state = first;
    while (state.kind === 'waiting') state = await calls.signInState(signIn);
    return state;
  };

  /** Resolves once somebody listens at an address: the service tells it before that, and a browser takes a while. */
  const listening = async (address: string) => {
    for (;;) {
      const socket = connect(Number(new URL(address).port), 'localhost');
      const isThere = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isThere) return;
      await sleep(50);
    }
  };

  it('takes the address that the browser ended at, and keeps tokens that nobody sees', async () => {
    const signIn = await calls.startSignIn('guarded');
    assert.ok('job' in signIn && signIn.address !== undefined, JSON.stringify(signIn));
    assert.equal(new URL(signIn.address).origin, new URL(mcp.url).origin);
    assert.deepEqual(await calls.signInState(signIn), { kind: 'waiting' });
    assert.equal((await failureOf(calls.returnSignIn(signIn, 'http://localhost:9/elsewhere'))).status, 400);
    const page = await fetch(signIn.address, { redirect: 'manual' });
    const back = page.headers.get('location') ?? '';
    assert.match(back, /^http:\/\/localhost:\d+\/callback\?code=/);
    await listening(back);
    const state = await ended(signIn, await calls.returnSignIn(signIn, back));
    assert.ok(state.kind === 'done' && state.state, JSON.stringify(state));
    assert.equal(state.tools, 1);
    assert.doesNotMatch(JSON.stringify(state), /canary/);
    await calls.keepSignIn('guarded', state.state);
    await calls.keepSignIn('inHeader', state.state);
    const { guarded, inHeader, other } = await settings('GET');
    for (const server of [guarded, inHeader]) {
      assert.deepEqual(server?.['headers'], { 'X-Team': 'red' });
      const auth = server['auth'] as { strategy: string; value?: string; state: { tokens: Members } };
      assert.deepEqual([auth.strategy, auth.value], ['oauth2', undefined]);
      assert.equal(auth.state.tokens['access_token'], mcp.given.at(-1));
    }
    assert.deepEqual(other?.['auth'], { strategy: 'bearer', value: 'other' });
  });

  it('holds: a second one needs no browser, and a test by the server uses it', async () => {
    const count = mcp.given.length;
    const signIn = await calls.startSignIn('guarded');
    assert.ok('job' in signIn && signIn.address === undefined, JSON.stringify(signIn));
    const state = await ended(signIn, await calls.signInState(signIn));
    assert.equal(state.kind, 'done');
    assert.equal(mcp.given.length, count);
  });

  it('says why it can’t begin', async () => {
    await settings('PATCH', {
      agent_settings_diff: { mcp_config: { guarded: { url: 'http://127.0.0.1:9/mcp' } } },
    });
    const started = await calls.startSignIn('guarded');
    assert.ok('error' in started && started.error !== '', JSON.stringify(started));
  });
});
