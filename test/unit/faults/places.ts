import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { flatClient } from '../../support/builders/client';
import { createLimiter } from '../../../src/api/http/limiter';
import { createFetch } from '../../../src/editor/networkFetch';
import { SessionStore } from '../../../src/core/session/session';
import type { Connection } from '../../../src/shared/connection';
import { projectFolder } from '../../support/paths';
import { createAuthority, selfSigned } from '../api/support/certificates';
import { failureOf, hastyClock, sessionKey, testClient } from '../api/support/client';
import { certificate } from '../api/support/certificate';
import { closeServers, deadOrigin, json, serve, serveProxy, serveTls } from '../api/support/servers';
import { trusting } from '../api/support/undici';
import { clientFor, endpoints } from './endpoints';
import { holds } from './rows';
import { checkWords } from './support';

interface Manifest {
  capabilities: unknown;
  contributes: { configuration: { properties: Record<string, { scope: string }> } };
}

/** Where a request may end up that must not: redirects, ids, other origins, false certificates, proxies. */
export function places(): void {
  describe('places', () => {
    afterEach(closeServers);

    for (const status of [301, 302, 303, 307, 308]) {
      holds(
        'redirects',
        `${status}: the key stays, the target is named, at each endpoint and for each target`,
        async () => {
          const other = await serve((_request, response) => json(response, {}));
          const targets = [
            other.origin,
            other.origin.replace('http:', ''),
            `${other.origin}/api/settings?a=b`,
          ];
          for (const Location of targets) {
            const service = await serve((_request, response) =>
              response.writeHead(status, { Location }).end(),
            );
            for (const endpoint of endpoints) {
              const { name } = endpoint;
              const error = await failureOf(endpoint.call(clientFor(endpoint, service.origin).client));
              assert.deepEqual([error.reason, error.location], ['redirected', other.origin], name);
              checkWords(error, []);
            }
            // The fields are asked for in two requests at the same time.
            const asked = service.requests.filter(
              ({ url }) => url !== '/api/v1/settings/conversation-schema',
            );
            assert.equal(asked.length, endpoints.length);
          }
          assert.equal(other.requests.length, 0);
          return targets.length * endpoints.length;
        },
      );
    }

    holds('redirects', 'from https to http: the key stays', async () => {
      const other = await serve((_request, response) => json(response, {}));
      const service = await serveTls((_request, response) =>
        response.writeHead(308, { Location: other.origin }).end(),
      );
      const fetch = await trusting(certificate);
      for (const endpoint of endpoints) {
        const error = await failureOf(endpoint.call(clientFor(endpoint, service.origin, { fetch }).client));
        assert.deepEqual([error.reason, error.location], ['redirected', other.origin]);
      }
      assert.equal(other.requests.length, 0);
      return endpoints.length;
    });

    const ids = [
      '..',
      '.',
      '%2e%2e',
      '%2E%2E/x',
      'a/b',
      'a\\b',
      'a?b',
      'a#b',
      '',
      '\0',
      'a\0b',
      'x'.repeat(10_240),
    ];
    holds('ids', 'none of them becomes a request', async () => {
      const service = await serve((_request, response) => json(response, {}));
      const { client } = testClient(service.origin);
      for (const id of ids) {
        for (const work of [client.pauseSandbox(id), client.resumeSandbox(id), client.getStartTask(id)]) {
          assert.equal((await failureOf(work)).reason, 'badId');
        }
        assert.throws(() => client.conversationPageUrl(id), { reason: 'badId' });
      }
      assert.equal(service.requests.length, 0);
      return ids.length * 4;
    });

    holds(
      'workspaceSettings',
      'a workspace may set nothing of the extension’s, and it runs in each all the same',
      () => {
        const manifest = JSON.parse(
          readFileSync(path.join(projectFolder, 'package.json'), 'utf8'),
        ) as Manifest;
        const properties = Object.entries(manifest.contributes.configuration.properties);
        for (const [id, { scope }] of properties) assert.equal(scope, 'application', id);
        assert.deepEqual(manifest.capabilities, {
          untrustedWorkspaces: { supported: true },
          virtualWorkspaces: true,
        });
        return properties.length;
      },
    );

    holds('changedOrigin', 'a connection whose address moves takes no key along', async () => {
      const old = await serve((_request, response) => json(response, { llm_api_key_set: true }));
      const moved = await serve((_request, response) => json(response, { llm_api_key_set: true }));
      const keys = new Map([[old.origin, sessionKey]]);
      let origin = old.origin;
      const connection = (): Connection => ({ name: 'Team', baseUrl: origin, origin });
      const session = new SessionStore({
        readTarget: () => Promise.resolve({ connection: connection(), sessionKey: keys.get(origin) }),
        createClient: ({ baseUrl }, key) =>
          flatClient({ baseUrl, sessionKey: key, limiter: createLimiter(hastyClock()) }),
      });
      await session.reload();
      await session.verify();
      assert.equal(session.current.kind, 'ready');
      for (const other of [moved.origin, old.origin.replace('127.0.0.1', 'localhost')]) {
        origin = other;
        await session.reload();
        await session.verify();
        assert.equal(session.current.kind, 'noKey', 'the user is asked for a new one');
      }
      assert.equal(moved.requests.length, 0);
      assert.equal(old.requests.length, 1);
      return 2;
    });

    describe('behind certificates', () => {
      const authority = createAuthority();
      const folder = mkdtempSync(path.join(tmpdir(), 'faults-'));
      const caFile = path.join(folder, 'ca.pem');
      before(() => writeFileSync(caFile, authority.ca));
      after(() => rmSync(folder, { recursive: true }));

      const identities = {
        'self-signed': selfSigned(),
        expired: authority.issue({ days: -1 }),
        'for another host': authority.issue({ hosts: ['other.example'] }),
        'of a stranger': createAuthority('Stranger').issue(),
      };
      for (const [name, identity] of Object.entries(identities)) {
        holds(
          'certificates',
          `${name}: refused at each endpoint, by the editor’s fetch and by our own`,
          async () => {
            const service = await serveTls((_request, response) => json(response, {}), identity);
            const own = await createFetch({ caFile }, undefined);
            for (const fetch of [globalThis.fetch, own]) {
              for (const endpoint of endpoints) {
                const { name } = endpoint;
                const error = await failureOf(
                  endpoint.call(clientFor(endpoint, service.origin, { fetch }).client),
                );
                assert.deepEqual([error.reason, error.outcomeUnknown], ['tls', false], name);
                checkWords(error, []);
              }
            }
            assert.equal(service.requests.length, 0);
            return endpoints.length * 2;
          },
        );
      }

      holds('certificates', 'of a private authority: accepted with its file, at each endpoint', async () => {
        const service = await serveTls((_request, response) => json(response, {}, 418), authority.issue());
        const fetch = await createFetch({ caFile }, undefined);
        for (const endpoint of endpoints) {
          assert.equal(
            (await failureOf(endpoint.call(clientFor(endpoint, service.origin, { fetch }).client))).status,
            418,
          );
        }
        return endpoints.length;
      });
    });

    for (const status of [403, 407, 502]) {
      holds(
        'proxies',
        `one that refuses with ${status}: named at each endpoint, nothing reached the service`,
        async () => {
          const service = await serve((_request, response) => json(response, {}));
          const proxy = await serveProxy(status);
          const { host } = new URL(proxy.origin);
          const fetch = await createFetch({}, { url: proxy.origin });
          for (const endpoint of endpoints) {
            const { name } = endpoint;
            const { client } = clientFor(endpoint, service.origin, {
              fetch,
              proxyFor: () => ({ address: host }),
            });
            const error = await failureOf(endpoint.call(client));
            assert.deepEqual(
              [error.reason, error.location, error.outcomeUnknown],
              ['proxy', host, false],
              name,
            );
            checkWords(error, []);
          }
          assert.equal(service.requests.length, 0);
          return endpoints.length;
        },
      );
    }

    holds('proxies', 'one that is not there: named at each endpoint', async () => {
      const proxy = await deadOrigin();
      const fetch = await createFetch({}, { url: proxy });
      for (const endpoint of endpoints) {
        const error = await failureOf(
          endpoint.call(clientFor(endpoint, 'http://service.example', { fetch }).client),
        );
        assert.deepEqual([error.reason, error.location], ['proxy', new URL(proxy).host]);
      }
      return endpoints.length;
    });

    holds('proxies', 'one that works: asked once for each connection, and the answers arrive', async () => {
      const service = await serve((_request, response) => json(response, {}, 418));
      const proxy = await serveProxy();
      const fetch = await createFetch({}, { url: proxy.origin });
      for (const endpoint of endpoints) {
        assert.equal(
          (await failureOf(endpoint.call(clientFor(endpoint, service.origin, { fetch }).client))).status,
          418,
        );
      }
      assert.ok(proxy.asked.length > 0);
      assert.ok(proxy.asked.every(({ target }) => target === new URL(service.origin).host));
      return endpoints.length;
    });
  });
}
