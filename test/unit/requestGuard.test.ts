import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchRequests, type Stray } from '../support/requestGuard';

describe('request guard', () => {
  it('reports session keys sent to another origin, and requests beyond this machine', async () => {
    const server = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const strays: Stray[] = [];
    const sessionKey = 'guarded-key';
    const headers = { 'X-Session-API-Key': sessionKey };
    watchRequests({ origin, sessionKey }, (stray) => strays.push(stray));
    await fetch(`${origin}/api/settings`, { headers });
    const elsewhere = origin.replace('127.0.0.1', 'localhost');
    await fetch(`${elsewhere}/api/settings?x=secret`, { headers }).catch(() => undefined);
    await fetch('http://service.invalid/api/v1/sandboxes/search').catch(() => undefined);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(strays, [
      { origin: elsewhere, path: '/api/settings', reason: 'it carried the session key' },
      {
        origin: 'http://service.invalid',
        path: '/api/v1/sandboxes/search',
        reason: 'it asked an endpoint of the service',
      },
    ]);
  });
});
