import assert from 'node:assert/strict';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { noLimits, testClient } from '../../api/support/client';
import { serverAt } from '../support';
import { Harness } from './support';

const tokens = { access_token: 'token-of-https://issues.example.com/mcp' };

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`signing in to MCP servers (${release})`, () => {
    let server: AgentServerByItself;
    let form: Harness;

    beforeEach(async () => {
      server = await startAgentServer({ release, seed: true });
      const options = { sessionKey: server.sessionKey, limiter: noLimits };
      const { client } = testClient(server.url, options);
      await checkConnection(client);
      form = new Harness(client);
      await form.open();
    });
    afterEach(async () => {
      form.host.dispose();
      await server.close();
    });

    const held = (name: string) => {
      const servers = server.starts.agentSettings['mcp_config'] as Record<string, Record<string, unknown>>;
      return servers[name];
    };
    const signIn = (name: string) => {
      assert.ok(form.host.open);
      return form.send({ type: 'signInToServer', id: serverAt(form.host.open.document, name).id });
    };
    const issues = 'https://issues.example.com/mcp';
    const result = () => form.all('test').at(-1)?.result;

    it('opens the browser, takes the returned address, and keeps the tokens on the server', async () => {
      const search = structuredClone(held('search'));
      form.servers.replies.push({ type: 'http://localhost:40123/callback?code=c&state=s' });
      await signIn(issues);
      assert.deepEqual(
        form.servers.pages.map((page) => new URL(page).host),
        ['login.example.com'],
      );
      assert.match(
        form.questions[0] ?? '',
        /^Sign in to https:\/\/issues.* The browser opens login\.example\.com\./,
      );
      assert.deepEqual(held('issues')?.['auth'], { strategy: 'oauth2', state: { tokens } });
      assert.deepEqual(held('search'), search);
      assert.equal(result()?.ok, true);
      assert.deepEqual(
        form.all('test').map(({ signsIn }) => signsIn),
        [true, true],
      );
      assert.doesNotMatch(JSON.stringify([form.posted, form.logged]), /token-of|stored-issues-token/);
    });

    it('ends by itself where the browser reaches the server', async () => {
      form.servers.replies.push({ answer: undefined });
      const going = signIn(issues);
      while (server.starts.signIns.size === 0 || form.servers.pages.length === 0)
        await new Promise((resolve) => setImmediate(resolve));
      for (const one of server.starts.signIns.values()) one.status = 'succeeded';
      await going;
      assert.equal(result()?.ok, true);
      await signIn(issues);
      assert.deepEqual([form.servers.pages.length, result()?.ok], [1, true]);
    });

    it('takes no other address, says why it failed, and leaves the key alone', async () => {
      form.servers.replies.push({ type: 'https://example.com/?code=c' }, { answer: undefined });
      const before = structuredClone(held('issues'));
      const going = signIn(issues);
      while (form.servers.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
      assert.match(form.servers.refused[0] ?? '', /begins with http:\/\/localhost/);
      const [first, again] = form.servers.asked.map((one) => 'value' in one && one.value);
      assert.deepEqual([first, again], ['', 'https://example.com/?code=c'], 'Escape loses nothing');
      for (const one of server.starts.signIns.values()) one.status = 'failed';
      await going;
      assert.deepEqual(result(), { ok: false, message: 'You aren’t signed in: access_denied' });
      assert.deepEqual(held('issues'), before);
    });

    it('opens nothing if the user doesn’t want it, or the server can’t begin', async () => {
      form.agrees = false;
      await signIn(issues);
      assert.deepEqual([form.servers.pages, result()?.message], [[], 'You aren’t signed in.']);
      form.agrees = true;
      Object.assign(held('issues') ?? {}, { url: 'https://missing.example.com/mcp' });
      await signIn(issues);
      assert.equal(
        result()?.message,
        'The agent server couldn’t begin the sign-in: All connection attempts failed',
      );
    });

    it('ends when its row is told to, and stores nothing', async () => {
      form.servers.replies.push({ answer: undefined });
      const before = structuredClone(held('issues'));
      const going = signIn(issues);
      while (form.servers.pages.length === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(form.host.open);
      await form.send({ type: 'cancelTest', id: serverAt(form.host.open.document, issues).id });
      await going;
      assert.equal(result()?.message, 'You aren’t signed in.');
      assert.deepEqual(held('issues'), before);
    });
  });
