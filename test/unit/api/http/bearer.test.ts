import assert from 'node:assert/strict';
import { flatClient } from '../../../support/builders/client';
import { startService, type ReferenceService } from '../../../service/service';
import { failureOf } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('an API key', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'current', bearer: true, seed: 'lifelike' });
  });
  afterEach(closeServers);
  after(() => service.close());

  const apiKey = { authentication: 'apiKey' } as const;

  it('goes into the header Authorization, and nowhere else', async () => {
    const client = flatClient({ baseUrl: service.url, sessionKey: service.sessionKey, ...apiKey });
    await client.getSettings();
    await client.searchSandboxes();
    for (const { headers } of service.requests) {
      assert.equal(headers['authorization'], `Bearer ${service.sessionKey}`);
      assert.equal(headers['x-session-api-key'], undefined);
    }
    assert.deepEqual(service.violations, []);
  });

  it('is refused as a session key, and a session key as an API key', async () => {
    const asSessionKey = flatClient({ baseUrl: service.url, sessionKey: service.sessionKey });
    assert.equal((await failureOf(asSessionKey.getSettings())).reason, 'unauthorized');
    service.patch({ behaviour: { bearer: false } });
    const asApiKey = flatClient({ baseUrl: service.url, sessionKey: service.sessionKey, ...apiKey });
    assert.equal((await failureOf(asApiKey.getSettings())).reason, 'unauthorized');
  });

  it('doesn’t follow a redirect to another origin', async () => {
    const other = await serve((_request, response) => json(response, { items: [] }));
    const redirecting = await serve((_request, response) =>
      response.writeHead(307, { Location: `${other.origin}/api/v1/settings` }).end(),
    );
    const client = flatClient({ baseUrl: redirecting.origin, sessionKey: 'canary-key', ...apiKey });
    assert.equal((await failureOf(client.getSettings())).reason, 'redirected');
    assert.equal(other.requests.length, 0);
  });

  it('is redacted if a service repeats it', async () => {
    const repeating = await serve((request, response) =>
      response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ detail: `bad header ${String(request.headers.authorization)}` })),
    );
    const client = flatClient({ baseUrl: repeating.origin, sessionKey: 'canary-key', ...apiKey });
    assert.doesNotMatch(JSON.stringify(await failureOf(client.searchSandboxes())), /canary-key/);
  });
});
