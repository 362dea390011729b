import assert from 'node:assert/strict';
import { pick, useService } from './support';

describe('reference service: recorded requests', () => {
  const running = useService({ profile: 'observed', keptRequests: 3 });

  it('records each request as received', async () => {
    await running.caller.send('POST', '/api/settings?a=1&a=2&b=%C3%A9', '{"language":"de"}');
    const [request] = running.service.requests;
    assert.deepEqual(pick(request, 'method', 'path', 'url', 'query', 'body', 'status', 'outcome'), {
      method: 'POST',
      path: '/api/settings',
      url: '/api/settings?a=1&a=2&b=%C3%A9',
      query: { a: ['1', '2'], b: 'é' },
      body: { language: 'de' },
      status: 200,
      outcome: 'answered',
    });
    assert.equal(request?.headers['x-session-api-key'], running.service.sessionKey);
    assert.ok(request.endedAt !== null && request.endedAt >= request.time);
    await running.caller.get('/api/v1/sandboxes/a%2Fb');
    assert.equal(running.service.requests[1]?.path, '/api/v1/sandboxes/a%2Fb');
    await running.caller.send('POST', '/api/v1/sandboxes/%zz/pause');
    assert.equal(running.service.requests[2]?.status, 404);
  });

  it('drops the oldest requests beyond its limit', async () => {
    for (let count = 0; count < 5; count++) await running.caller.get(`/page${count}`);
    assert.deepEqual(
      running.service.requests.map(({ id, path }) => [id, path]),
      [
        [3, '/page2'],
        [4, '/page3'],
        [5, '/page4'],
      ],
    );
  });

  it('reports request arrivals and ends, optionally after a given request', async () => {
    const events: string[] = [];
    const stop = running.service.onRequest((request, phase) => events.push(`${request.path} ${phase}`));
    const next = running.service.waitForRequest((request) => request.path === '/b');
    await running.caller.get('/a');
    await running.caller.get('/b');
    assert.equal((await next).path, '/b');
    stop();
    await running.caller.get('/c');
    assert.deepEqual(events, ['/a arrived', '/a ended', '/b arrived', '/b ended']);
    assert.equal((await running.service.waitForRequest(() => true, { after: 1 })).path, '/b');
  });

  it('records every API request without a session key, enforced or not', async () => {
    await running.caller.get('/api/v1/sandboxes/search');
    await fetch(`${running.service.url}/conversations/1`);
    assert.deepEqual(running.service.violations, []);
    await fetch(`${running.service.url}/api/v1/sandboxes/search`);
    await fetch(`${running.service.url}/api/settings`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': '' },
    });
    assert.deepEqual(
      running.service.violations.map(({ rule, method, path }) => [rule, method, path]),
      [
        ['missing session key', 'GET', '/api/v1/sandboxes/search'],
        ['missing session key', 'POST', '/api/settings'],
      ],
    );
  });

  it('does not record requests to the control paths', async () => {
    await fetch(`${running.service.url}/__control/state`);
    await fetch(`${running.service.url}/__control/none`);
    assert.deepEqual(running.service.requests, []);
  });
});
