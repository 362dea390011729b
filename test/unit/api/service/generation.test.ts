import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { checkConnection, type ConnectionCheck } from '../../../../src/api/service/connectionCheck';
import { ownMemory, type Generation } from '../../../../src/api/service/generation';
import { startService } from '../../../service/service';
import { assertRequestsToFirstRows, connectToFirstRows } from '../../../support/firstRows';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

type Answer = (response: ServerResponse) => void;
const answer =
  (status: number, body: unknown): Answer =>
  (response) =>
    json(response, body, status);
const page: Answer = (response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>App');
const crash: Answer = (response) =>
  void response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal Server Error');
const loginPage: Answer = (response) =>
  void response.writeHead(401, { 'Content-Type': 'text/html' }).end('<p>Sign in');

const missing = answer(404, { detail: 'Not Found' });
const neverSaved = answer(404, { error: 'Settings not found' });
const unauthorized = answer(401, { detail: 'Unauthorized' });
const flat = answer(200, { language: 'en', llm_api_key_set: false });
const nested = answer(200, { agent_settings: { llm: { model: 'm' } }, conversation_settings: {} });

interface Service {
  first: Answer;
  current: Answer;
  info?: Answer;
}

/** The answers of the releases to the two settings routes, what they mean, and the routes asked, in order. */
const services: [
  name: string,
  service: Service,
  generation: Generation | undefined,
  kind: ConnectionCheck['kind'],
  asked: string[],
][] = [
  ['1.1 to 1.6', { first: flat, current: missing }, 'first', 'ok', ['first']],
  ['1.1 to 1.6, nothing saved', { first: neverSaved, current: missing }, 'first', 'neverSaved', ['first']],
  ['1.1 to 1.6, wrong key', { first: unauthorized, current: missing }, undefined, 'refused', ['first']],
  ['1.7 to 1.11', { first: missing, current: nested }, 'current', 'ok', ['first', 'current']],
  ['1.7 with its web page', { first: page, current: nested }, 'current', 'ok', ['first', 'current']],
  [
    '1.7 to 1.11, nothing saved',
    { first: missing, current: neverSaved },
    'current',
    'neverSaved',
    ['first', 'current'],
  ],
  [
    '1.7 to 1.11, wrong key',
    { first: missing, current: unauthorized },
    undefined,
    'refused',
    ['first', 'current'],
  ],
  [
    '1.7 to 1.11, a record that can’t be read',
    { first: missing, current: crash },
    undefined,
    'failed',
    ['first', 'current', 'current', 'current'],
  ],
  [
    'an agent server',
    {
      first: nested,
      current: missing,
      info: answer(200, { title: 'OpenHands Agent Server', version: '1.58.0' }),
    },
    'agentServer',
    'agentServer',
    ['first', '/server_info'],
  ],
  [
    'an agent server that doesn’t name its release',
    { first: answer(200, { agent_settings: {}, llm_api_key_is_set: false }), current: missing },
    'agentServer',
    'agentServer',
    ['first', '/server_info', 'current'],
  ],
  [
    '1.1 to 1.6, with an empty member',
    { first: answer(200, { language: 'en', agent_settings: null }), current: missing },
    'first',
    'ok',
    ['first'],
  ],
  [
    '1.7 behind what answers other routes',
    { first: answer(200, { status: 'ok' }), current: nested },
    'current',
    'ok',
    ['first', 'current'],
  ],
  [
    '1.7 behind what answers nothing to other routes',
    { first: (response) => void response.writeHead(204).end(), current: nested },
    'current',
    'ok',
    ['first', 'current'],
  ],
  [
    '1.7 behind what leads both routes there',
    { first: nested, current: nested },
    'current',
    'ok',
    ['first', '/server_info', 'current', 'current'],
  ],
  [
    'what answers everything',
    { first: answer(200, { status: 'ok' }), current: answer(200, { status: 'ok' }) },
    undefined,
    'failed',
    ['first', 'current'],
  ],
  ['web pages', { first: page, current: page }, undefined, 'failed', ['first', 'current']],
  ['a login page', { first: page, current: loginPage }, undefined, 'failed', ['first', 'current']],
  [
    'another service',
    { first: missing, current: answer(200, { hello: 'world' }) },
    undefined,
    'failed',
    ['first', 'current'],
  ],
];

const routes: Readonly<Record<string, 'first' | 'current'>> = {
  '/api/settings': 'first',
  '/api/v1/settings': 'current',
};

async function start(service: Service) {
  const server = await serve(({ url = '' }, response) => {
    const route = routes[url];
    (route === undefined ? (service.info ?? missing) : service[route])(response);
  });
  const asked = () => server.requests.map(({ url = '' }) => routes[url] ?? url);
  return { origin: server.origin, asked };
}

describe('generation of a service', () => {
  afterEach(closeServers);

  for (const [name, service, generation, kind, asked] of services) {
    it(`is recognized by the answers of ${name}`, async () => {
      const server = await start(service);
      const { client, generation: told } = testClient(server.origin);
      const check = await checkConnection(client);
      assert.deepEqual([check.kind, told()], [kind, generation]);
      assert.deepEqual(server.asked(), asked);
    });
  }

  it('is named with the release of an agent server', async () => {
    const { origin } = await start({
      first: nested,
      current: missing,
      info: answer(200, { title: 'OpenHands Agent Server', version: '1.58.0' }),
    });
    const error = await failureOf(testClient(origin).client.getSettings());
    assert.deepEqual([error.reason, error.release], ['agentServer', '1.58.0']);
  });

  it('is remembered for later clients, and asked for first', async () => {
    const server = await start({ first: missing, current: nested });
    const generations = ownMemory();
    for (let count = 0; count < 3; count += 1)
      await testClient(server.origin, { generations }).client.getSettings();
    assert.deepEqual(server.asked(), ['first', 'current', 'current', 'current']);
  });

  it('is detected again after an update or a downgrade', async () => {
    const service: Service = { first: flat, current: missing };
    const server = await start(service);
    const { client, generation: told } = testClient(server.origin);
    await client.getSettings();
    Object.assign(service, { first: missing, current: nested });
    assert.equal((await client.getSettings()).llm_model, 'm');
    Object.assign(service, { first: flat, current: page });
    assert.equal((await client.getSettings()).language, 'en');
    assert.equal(told(), 'first');
    assert.deepEqual(server.asked(), ['first', 'first', 'current', 'current', 'first']);
  });

  describe('once it’s known', () => {
    const nginx = crash;
    const authProxy = answer(403, { error: 'sign in' });
    const truth = { first: { first: flat, current: missing }, current: { first: missing, current: nested } };
    /** What a proxy answers in place of both routes, for a while. */
    const troubles: [string, Service][] = [
      ['a web page and 500', { first: page, current: nginx }],
      ['404 and 500', { first: missing, current: nginx }],
      ['a web page and a refusal', { first: page, current: authProxy }],
      ['404 and a wrong key', { first: missing, current: unauthorized }],
      ['a refusal and a web page', { first: authProxy, current: page }],
      ['500 and 404', { first: nginx, current: missing }],
      ['another service', { first: answer(200, { hello: 'world' }), current: missing }],
      ['the settings of nobody', { first: answer(404, { error: 'nothing' }), current: answer(200, []) }],
    ];

    for (const [name, trouble] of troubles)
      for (const generation of ['first', 'current'] as const)
        it(`isn’t forgotten for ${name}: ${generation}`, async () => {
          const service: Service = { ...truth[generation] };
          const server = await start(service);
          const generations = ownMemory();
          const read = () => testClient(server.origin, { generations }).client.getSettings();
          await read();
          Object.assign(service, trouble);
          await failureOf(read());
          assert.equal(generations.get(server.origin), generation);
          Object.assign(service, truth[generation]);
          await read();
          assert.equal(generations.get(server.origin), generation);
        });

    for (const refusal of [unauthorized, authProxy, nginx, page, missing, answer(200, { status: 'ok' })])
      for (const [right, wrong] of [
        ['first', 'current'],
        ['current', 'first'],
      ] as const)
        it(`is corrected if it was wrong, whatever that route answers: ${right}`, async () => {
          const server = await start({ ...truth[right], [wrong]: refusal });
          const generations = ownMemory();
          generations.set(server.origin, wrong);
          await testClient(server.origin, { generations }).client.getSettings();
          assert.equal(generations.get(server.origin), right);
        });

    it('is corrected even if it was an agent server', async () => {
      for (const right of ['first', 'current'] as const) {
        const server = await start(truth[right]);
        const generations = ownMemory();
        generations.set(server.origin, 'agentServer');
        await testClient(server.origin, { generations }).client.getSettings();
        assert.equal(generations.get(server.origin), right);
      }
    });

    it('is corrected when nothing was ever saved there', async () => {
      const server = await start({ first: neverSaved, current: authProxy });
      const generations = ownMemory();
      generations.set(server.origin, 'current');
      const error = await failureOf(testClient(server.origin, { generations }).client.getSettings());
      assert.deepEqual([error.reason, error.route], ['notFound', '/api/settings']);
      assert.equal(generations.get(server.origin), 'first');
    });
  });

  it('reports the failure of the route that was tried first if the other one fails differently', async () => {
    for (const current of [answer(200, { hello: 'world' }), answer(200, 'text'), loginPage, page, missing]) {
      const { origin } = await start({ first: missing, current });
      const error = await failureOf(testClient(origin).client.getSettings());
      assert.deepEqual([error.reason, error.route], ['notFound', '/api/settings']);
    }
  });

  it('stays when the service fails for a while', async () => {
    const service: Service = { first: missing, current: nested };
    const server = await start(service);
    const { client, generation: told } = testClient(server.origin);
    await client.getSettings();
    service.current = crash;
    assert.equal((await failureOf(client.getSettings())).route, '/api/v1/settings');
    assert.equal(told(), 'current');
  });
});

describe('requests from Connect to the first rows', () => {
  const generations = { observed: 'first', current: 'current' } as const;
  for (const profile of ['observed', 'current'] as const) {
    it(`are as few as possible: ${profile}`, async () => {
      const service = await startService({ profile, seed: 'lifelike' });
      const { url, sessionKey } = service;
      const memory = ownMemory();
      const model = await connectToFirstRows(
        url,
        sessionKey,
        (key) => testClient(url, { sessionKey: key, generations: memory }).client,
      );
      assert.ok(model.conversations.state.items.length > 0 && model.sandboxes.state.items.length > 0);
      const asked = service.requests.map(({ method, path }) => `${method} ${path}`);
      assertRequestsToFirstRows(asked, generations[profile]);
      model.dispose();
      await service.close();
    });
  }

  it('don’t wait for the settings', async () => {
    const service = await startService({ profile: 'current', seed: 'lifelike' });
    const { client } = testClient(service.url, { sessionKey: service.sessionKey });
    service.fail({ path: '/api/settings', effect: { kind: 'stallBeforeHeaders' }, times: 'always' });
    const controller = new AbortController();
    const reading = client.getSettings(controller.signal).catch(() => undefined);
    assert.ok((await client.searchSandboxes()).items.length > 0);
    controller.abort();
    await reading;
    await service.close();
  });
});
