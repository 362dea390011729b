import assert from 'node:assert/strict';
import { diagnose } from '../../../../src/features/connection/commands/diagnosis/diagnose';
import { reportOf } from '../../../../src/features/connection/commands/diagnosis/report';
import { startAgentServer } from '../../../service/agent/byItself';
import { startService, type ReferenceService } from '../../../service/service';
import { profiles } from '../../../support/profiles';
import { closeServers, deadOrigin, json, serve } from '../../api/support/servers';
import { connectionTo, key, networkOf, quick, report, section, settings } from './reporting';

describe('connection diagnosis', () => {
  afterEach(closeServers);

  for (const profile of profiles) {
    describe(`of the reference service (${profile})`, () => {
      let service: ReferenceService;
      before(async () => {
        service = await startService({ profile, sessionKey: key, seed: 'lifelike' });
      });
      after(() => service.close());

      it('names the response of each read endpoint and reports that the key is checked', async () => {
        const text = await report(service.url);
        assert.match(section(text, 'Result'), /answers and accepts the session key/);
        assert.match(section(text, 'Host name'), /127\.0\.0\.1 is an IP address/);
        assert.match(section(text, 'Certificate'), /http isn’t encrypted/);
        for (const route of ['settings', 'v1/sandboxes/search', 'v1/sandbox-specs/search']) {
          assert.match(
            section(text, 'Answers'),
            new RegExp(`GET /api/${route}: HTTP 200, application/json, \\d+ ms, \\d+ bytes`),
          );
        }
        assert.match(section(text, 'Answers'), /GET \/api\/v1\/app-conversations/);
        // Features missing from a healthy service aren’t errors.
        assert.doesNotMatch(section(text, 'Answers'), /didn’t accept|Not found|doesn’t support/);
        if (profile === 'observed')
          assert.match(section(text, 'Answers'), /app-conversations: HTTP 422.*\n\s+Expected/);
        assert.match(section(text, 'Session key'), /Required by the service/);
        assert.equal(text.includes('Not required for sandboxes'), profile === 'observed');
        assert.match(section(text, 'Service generation'), /\/api\/settings, replaced as a whole/);
        const release = profile === 'observed' ? /Release: 1\.1\.0/ : /Release: not reported/;
        assert.match(section(text, 'Service generation'), release);
        assert.match(
          section(text, 'Service generation'),
          /Not available on this service: Model profiles, Custom secrets, List of repositories, More settings\./,
        );
      });

      it('sends the key with every request but three, and changes nothing', async () => {
        service.reset();
        await report(service.url);
        const without = service.requests.filter(({ headers }) => headers['x-session-api-key'] !== key);
        assert.deepEqual(
          without.map(({ method, url, headers }) => [method, url, headers['x-agent-workspace-probe']]),
          [
            ['GET', '/api/settings', 'without-session-key'],
            // After a refusal, to be sure of the generation.
            ['GET', '/api/v1/settings', 'without-session-key'],
            ['GET', '/api/v1/sandboxes/search?limit=1', 'without-session-key'],
          ],
        );
        assert.ok(service.requests.every(({ method }) => method === 'GET'));
        assert.deepEqual(service.violations, []);
      });

      it('sends a made-up key if none is stored, and reports that', async () => {
        service.reset();
        const text = await report(service.url, { sessionKey: '' });
        assert.match(
          section(text, 'Result'),
          /there’s no session key for it on this computer.*\n.*Set Session Key/,
        );
        assert.match(section(text, 'Session key'), /Not stored on this computer/);
        assert.deepEqual(service.violations, []);
      });

      it('contains no canary from any place with secrets', async () => {
        service.reset({ seed: 'lifelike' });
        let count = 0;
        const canary = () => `canary-${++count}`;
        for (const sandbox of service.state.sandboxes.values()) {
          sandbox.session_api_key = canary();
          sandbox.exposed_urls = [{ name: 'VSCODE', url: `https://h.example/?tkn=${canary()}` }] as never;
        }
        const { settings: stored } = service.state;
        assert.ok(stored);
        Object.assign(stored, { llm_api_key: canary(), search_api_key: canary(), sandbox_api_key: canary() });
        stored.mcp_config = {
          sse_servers: [{ url: 'https://a.example', api_key: canary() }],
          stdio_servers: [{ name: 'a', command: 'b', args: [canary()], env: { TOKEN: canary() } }],
          shttp_servers: [],
        };
        service.fail({
          path: '/api/v1/sandbox-specs/search',
          times: 'always',
          effect: {
            kind: 'answer',
            status: 403,
            body: {
              error: `X-Session-API-Key: ${key} at https://h.example/?k=${canary()} Bearer ${canary()}-long`,
            },
          },
        });
        const text = await report(service.url);
        assert.ok(count > 8);
        assert.match(text, /HTTP 403/);
        assert.ok(!text.includes('canary'), text);
      });
    });
  }

  it('reports that settings without a key are readable by anyone', async () => {
    const server = await serve(settings);
    assert.match(
      section(await report(server.origin), 'Session key'),
      /Not required by the service: anyone who can reach/,
    );
    const empty = await serve((_request, response) => json(response, { error: 'Settings not found' }, 404));
    assert.match(section(await report(empty.origin), 'Session key'), /Not required/);
  });

  it('says so if it can’t tell whether the service requires the key', async () => {
    const server = await serve((request, response) =>
      request.headers['x-session-api-key'] === key
        ? settings(request, response)
        : json(response, { detail: 'broken' }, 500),
    );
    const shown = section(await report(server.origin), 'Session key');
    assert.match(
      shown,
      /Stored on this computer.*\n.*Can’t tell whether the service requires it: .*HTTP 500/,
    );
    assert.doesNotMatch(shown, /Not required/);
  });

  it('names the current generation, its release, and what it lacks', async () => {
    const service = await startService({ profile: 'current', sessionKey: key, seed: 'lifelike' });
    const text = await report(service.url);
    assert.match(section(text, 'Result'), /accepts the session key/);
    const generation = section(text, 'Service generation');
    assert.match(generation, /\/api\/v1\/settings/);
    assert.match(generation, /Release: 1\.11\.0/);
    assert.match(generation, /Not available on this service: Solvability analysis, Sandbox API key\./);
    assert.match(section(text, 'Session key'), /Required by the service/);
    assert.deepEqual(service.violations, []);
    await service.close();
  });

  it('names an agent server with its release', async () => {
    const server = await startAgentServer({ release: '1.58.0', sessionKey: key, seed: true });
    const text = await report(server.url);
    assert.match(section(text, 'Result'), /accepts the session key/);
    const generation = section(text, 'Service generation');
    assert.match(generation, /standalone agent server: it has conversations, but no sandboxes\./);
    assert.match(generation, /Whoever has its key has a shell on its computer\./);
    assert.doesNotMatch(generation, /doesn’t show its settings/);
    assert.match(generation, /Release: 1\.58\.0/);
    assert.match(section(text, 'Answers'), /GET \/api\/conversations\/search: HTTP 200/);
    assert.match(section(text, 'Session key'), /Required by the service/);
    assert.doesNotMatch(section(text, 'Session key'), /Not required/);
    assert.ok(server.asked.every((path) => !path.startsWith('/api/v1/')));
    await server.close();
  });

  it('names an agent server even if it refuses the key', async () => {
    const server = await startAgentServer({ release: '1.15.0' });
    const text = await report(server.url);
    assert.match(section(text, 'Result'), /refused this session key/);
    const generation = section(text, 'Service generation');
    assert.match(generation, /standalone agent server/);
    assert.match(generation, /Release: 1\.15\.0/);
    await server.close();
  });

  it('recognizes the current generation behind a web page', async () => {
    const server = await serve((request, response) =>
      request.url === '/api/v1/settings'
        ? json(response, { agent_settings: {} })
        : response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>App'),
    );
    const text = await report(`${server.origin}/prefix`.replace('/prefix', ''));
    assert.match(section(text, 'Service generation'), /\/api\/v1\/settings/);
    assert.match(section(text, 'Answers'), /GET \/api\/settings: HTTP 200, text\/html/);
    assert.match(section(text, 'Session key'), /Not required/);
  });

  it('keeps the path of the address', async () => {
    const server = await serve(settings);
    const text = await report(`${server.origin}/team/agents`);
    assert.match(section(text, 'Answers'), /GET \/api\/settings: HTTP 200, application\/json/);
    assert.ok(server.requests.every(({ url }) => /^\/team\/agents\/(api\/|openapi\.json$)/.test(url ?? '')));
  });

  it('reports once, rather than for each endpoint, why nothing responds', async () => {
    const text = await report(await deadOrigin());
    for (const one of [text, await report(await deadOrigin(), { sessionKey: '' })])
      assert.match(
        section(one, 'Result'),
        /nothing is listening at this address.*\n.*Next step: Check that the service is running/,
      );
    assert.match(section(text, 'Answers'), /no answer.*3 tries.*\n.*\[ECONNREFUSED\]/);
    assert.equal(text.match(/no answer/g)?.length, 1);
  });

  it('ends when canceled at any stage', async () => {
    const silent = await serve(() => undefined);
    const controller = new AbortController();
    const running = report(silent.origin, {}, controller.signal);
    await silent.received(1);
    controller.abort();
    await assert.rejects(running, { name: 'ApiError', reason: 'canceled' });
    const secure = silent.origin.replace('http', 'https');
    await assert.rejects(report(secure, {}, AbortSignal.abort()), { reason: 'canceled' });
  });

  it('contains no key that a service repeats as a release or a content type', async () => {
    const service = await serve((request, response) => {
      if (request.url === '/api/settings') json(response, { llm_api_key_set: true });
      else if (request.url === '/openapi.json') json(response, { info: { version: key } });
      else response.writeHead(200, { 'Content-Type': `text/${key}` }).end('x');
    });
    const text = await report(service.origin);
    assert.match(text, /Release: •••/);
    assert.ok(!text.includes(key), text);
    const agentServer = await serve((request, response) => {
      const info = { title: 'OpenHands Agent Server', version: key };
      json(response, request.url === '/server_info' ? info : { agent_settings: {} });
    });
    assert.match(await report(agentServer.origin), /Release: •••/);
  });

  it('shows foreign text as plain text', async () => {
    const server = await serve((_request, response) =>
      response
        .writeHead(501, { 'Content-Type': 'text/plain' })
        .end('\u001b[31m[x](command:quit)\u202e\r\nforged'),
    );
    const connection = { ...connectionTo(server.origin), name: 'a\u202e\nb' };
    const found = await diagnose(
      { connection, sessionKey: key, network: networkOf(), timing: quick() },
      'x',
      new AbortController().signal,
    );
    assert.doesNotMatch(reportOf(found), /[\u001b\u202e\r]|^forged/m);
  });
});
