import assert from 'node:assert/strict';
import { createClient } from '../../src/api/client';
import { checkConnection } from '../../src/api/connectionCheck';
import { ApiError } from '../../src/api/errors';
import { languageCodes } from '../../src/shared/fields';
import { detailsOf } from '../../src/state/sandboxDetails';
import { SettingsDocument } from '../../src/state/settings/document';
import { connectProvider } from '../../src/state/settings/providers';
import { startConversation } from '../../src/state/startConversation';
import { startService, type FailRule, type ProfileName, type ReferenceService } from '../service/service';

/*
 * The service as it is found in practice, each of its traps by name, the real client against it over HTTP. Those of the
 * settings have tests in a file of their own: state/settings/traps.test.ts ("POST replaces", "GET never returns secrets",
 * "an empty text clears", "sandbox_api_key is lost", unknown fields, `mcp_config` in clear, duplicates, the operator's
 * servers), state/settings/providers.test.ts (the map of providers), state/settings/interleavings.test.ts (all of them
 * at once).
 */

let service: ReferenceService;
let plain: ReferenceService;

const limiter = { enter: () => Promise.resolve(() => undefined) };
const clientOf = ({ url, sessionKey }: ReferenceService, key = sessionKey) =>
  createClient({ baseUrl: url, sessionKey: key, limiter });
const client = (key?: string) => clientOf(service, key);

const refuse = (
  path: string,
  status: number,
  answer: { body?: unknown; text?: string },
  more: Partial<FailRule> = {},
) => service.fail({ path, effect: { kind: 'answer', status, ...answer }, ...more });

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

const asked = () => service.requests.map(({ method, url }) => `${method} ${url}`);
const sandboxWith = (status: string) => {
  const found = [...service.state.sandboxes.values()].find((sandbox) => sandbox.status === status);
  assert.ok(found, status);
  return found;
};
const statusOf = async (id: string) =>
  (await client().searchSandboxes({ limit: 100 })).items.find((sandbox) => sandbox.id === id)?.status;

before(async () => {
  const start = (profile: ProfileName) => startService({ profile, seed: 'lifelike' });
  [service, plain] = await Promise.all([start('observed'), start('documented')]);
});
beforeEach(() => service.reset({ seed: 'lifelike' }));
after(() => Promise.all([service.close(), plain.close()]));

describe('trap: a successful sandbox list proves nothing about the key', () => {
  it('a wrong key lists sandboxes, and is refused by the check all the same', async () => {
    assert.ok((await client('wrong').searchSandboxes()).items.length > 0);
    assert.equal((await checkConnection(client('wrong'))).kind, 'refused');
  });

  it('the header goes with every request, those that do not check it too', async () => {
    await client().searchSandboxes();
    await client().getSettings();
    assert.deepEqual(
      service.requests.map(({ headers }) => headers['x-session-api-key']),
      [service.sessionKey, service.sessionKey],
    );
  });
});

describe('trap: 404 "Settings not found" is a user who never saved', () => {
  it('the key is right', async () => {
    service.state.settings = null;
    assert.equal((await checkConnection(client())).kind, 'neverSaved');
  });
});

describe('trap: 401 has other meanings than a wrong session key', () => {
  it('a bad git token is told in the service’s words, and the session key is good afterwards', async () => {
    const outcome = await connectProvider(client(), { name: 'github', token: 'bad-token', host: null });
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.error.serverText, 'Invalid token. Please make sure it is a valid github token.');
    assert.equal(outcome.applied, 'no');
    assert.equal((await checkConnection(client())).kind, 'ok');
  });
});

describe('trap: loc of a validation error mixes texts and integers', () => {
  it('a position in a list leads to the server there', async () => {
    const document = await SettingsDocument.load(client());
    const loc = ['body', 'mcp_config', 'sse_servers', 0, 'url'];
    refuse('/api/settings', 422, { body: { detail: [{ loc, msg: 'no', type: 'x' }] } }, { method: 'POST' });
    const outcome = await document.save(
      { values: { language: 'it' }, secrets: {}, mcpServers: null },
      { sandboxKeyConfirmed: true },
    );
    const { id } = document.model.mcpServers.find(({ kind }) => kind === 'sse') ?? {};
    assert.deepEqual(outcome.kind === 'invalid' && outcome.errors, [
      { target: { at: 'mcp', id, member: 'url' }, message: 'no' },
    ]);
  });
});

describe('trap: errors have many shapes', () => {
  for (const answer of [
    { body: { detail: 'the words' } },
    { body: { error: 'the words' } },
    { body: { message: 'the words' } },
    { body: 'the words' },
    { text: 'the words' },
  ])
    it(`${JSON.stringify(answer)} tells the words`, async () => {
      refuse('/api/settings', 403, answer);
      assert.equal((await failure(client().getSettings())).serverText, 'the words');
    });
});

describe('trap: a rate limit per address', () => {
  it('429 with Retry-After is waited for, by a change too, which was not made', async () => {
    const busy = { headers: { 'retry-after': '0' } };
    const { id } = sandboxWith('RUNNING');
    const path = `/api/v1/sandboxes/${id}/pause`;
    service.fail({ path, effect: { kind: 'answer', status: 429, text: 'slow down', ...busy } });
    await client().pauseSandbox(id);
    assert.deepEqual(asked(), [`POST ${path}`, `POST ${path}`]);
  });
});

describe('trap: a wrong path answers 200 with a web page', () => {
  it('that is not the service, and no settings', async () => {
    const elsewhere = createClient({ baseUrl: `${service.url}/app`, sessionKey: 'k', limiter });
    assert.equal((await failure(elsewhere.getSettings())).reason, 'notService');
  });
});

describe('trap: a limit above 100 crashes the service', () => {
  it('no more than 100 are asked for', async () => {
    assert.ok((await client().searchSandboxes({ limit: 1_000 })).items.length > 0);
    assert.deepEqual(asked(), ['GET /api/v1/sandboxes/search?limit=100']);
  });
});

describe('trap: pause or resume of an unknown sandbox answers 404', () => {
  it('that says so, and nothing of the settings', async () => {
    const error = await failure(client().pauseSandbox('gone'));
    assert.deepEqual([error.reason, error.status, error.outcomeUnknown], ['notFound', 404, false]);
  });
});

describe('trap: lists come in pages', () => {
  it('next_page_id leads to all of them', async () => {
    const all: string[] = [];
    let pageId: string | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof client>['searchSandboxes']>> =
        await client().searchSandboxes({ limit: 3, ...(pageId === null ? {} : { pageId }) });
      all.push(...page.items.map(({ id }) => id));
      pageId = page.nextPageId;
    } while (pageId !== null);
    assert.deepEqual(new Set(all), new Set(service.state.sandboxes.keys()));
    assert.equal(all.length, service.state.sandboxes.size);
  });

  it('a bare array is a page too', async () => {
    assert.ok((await clientOf(plain).searchSandboxes()).items.length > 0);
  });
});

describe('trap: the specified list of conversations is a batch get that wants ids', () => {
  it('422 there leads to /search, once and for all', async () => {
    const one = client();
    assert.equal((await one.listConversations({ limit: 2 })).items.length, 2);
    await one.listConversations({ limit: 2 });
    assert.deepEqual(asked(), [
      'GET /api/v1/app-conversations?limit=2',
      'GET /api/v1/app-conversations/search?limit=2',
      'GET /api/v1/app-conversations/search?limit=2',
    ]);
  });
});

describe('trap: records hold secrets', () => {
  it('the details of a sandbox have neither its key nor the query of its URLs', async () => {
    const { items } = await client().searchSandboxes();
    const running = items.find(({ status }) => status === 'RUNNING');
    const { session_api_key } = sandboxWith('RUNNING');
    assert.ok(running && JSON.stringify(running).includes(session_api_key));
    assert.ok(!detailsOf(running).includes(session_api_key));
  });
});

describe('trap: members are null or missing, and states are unknown', () => {
  it('a sandbox that does not run has no key and no URLs', async () => {
    const { items } = await client().searchSandboxes();
    const paused = items.find(({ status }) => status === 'PAUSED');
    assert.deepEqual([paused?.session_api_key, paused?.exposed_urls], [null, null]);
  });

  it('a state that nobody has heard of is shown as it comes', async () => {
    const { id } = sandboxWith('PAUSED');
    service.patch({ sandboxes: [{ id, status: 'HIBERNATING' }] });
    assert.equal(await statusOf(id), 'HIBERNATING');
  });
});

describe('trap: a sandbox starts by a query, without a body', () => {
  it('the spec is named there, or none', async () => {
    const [, spec = ''] = [...service.state.specs.keys()];
    await client().startSandbox(spec);
    await client().startSandbox();
    assert.deepEqual(
      service.requests.map(({ url, body }) => [url, body]),
      [
        [`/api/v1/sandboxes?sandbox_spec_id=${encodeURIComponent(spec)}`, undefined],
        ['/api/v1/sandboxes', undefined],
      ],
    );
  });
});

describe('trap: pause and resume are answered at once, and the state follows later', () => {
  it('the answer is no state', async () => {
    const { id } = sandboxWith('RUNNING');
    const later = service.behaviour.delays.pause;
    service.behaviour.delays.pause = 60_000;
    await client().pauseSandbox(id);
    assert.equal(await statusOf(id), 'RUNNING');
    service.behaviour.delays.pause = later;
  });
});

describe('trap: beyond five running sandboxes the oldest is paused silently', () => {
  it('the list says so, the answer to the start does not', async () => {
    service.behaviour.maxRunning = 3;
    const before = [...service.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING');
    const oldest = before.reduce((one, other) => (one.created_at < other.created_at ? one : other));
    assert.ok(!JSON.stringify(await client().startSandbox()).includes(oldest.id));
    while ((await statusOf(oldest.id)) === 'RUNNING') await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await statusOf(oldest.id), 'PAUSED');
  });
});

describe('trap: creating a conversation answers a start task', () => {
  const start = (of: ReferenceService, sandboxId?: string) =>
    startConversation({
      client: clientOf(of),
      getStartTask: (...task) => clientOf(of).getStartTask(...task),
      request: { title: 'Started' },
      place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
      accepted: () => undefined,
      report: () => undefined,
      signal: new AbortController().signal,
      wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    });

  it('the task is followed until the conversation is there', async () => {
    const id = await start(service);
    assert.equal(service.state.conversations.get(id)?.title, 'Started');
    assert.ok(
      asked().some((request) => request.startsWith('GET /api/v1/app-conversations/start-tasks?ids=')),
    );
  });

  it('only a service without start tasks answers the conversation itself', async () => {
    assert.ok(plain.state.conversations.has(await start(plain)));
  });

  it('a paused sandbox is resumed, and seen running, before; that it shows ERROR meanwhile is no failure', async () => {
    service.behaviour.errorUntilHealthy = true;
    const { id } = sandboxWith('PAUSED');
    const conversation = await start(service, id);
    assert.equal(service.state.conversations.get(conversation)?.sandbox_id, id);
    const resumed = asked().indexOf(`POST /api/v1/sandboxes/${id}/resume`);
    const created = asked().indexOf('POST /api/v1/app-conversations');
    const seen = asked().lastIndexOf('GET /api/v1/sandboxes/search', created);
    assert.ok(0 <= resumed && resumed < seen && seen < created);
  });
});

describe('trap: the page for people is not conversation_url', () => {
  it('it is below the base address', async () => {
    const { items } = await client().listConversations();
    const running = items.find(({ conversation_url }) => conversation_url);
    assert.ok(running);
    const page = client().conversationPageUrl(running.id);
    assert.equal(page, `${service.url}/conversations/${running.id}`);
    assert.notEqual(page, running.conversation_url);
  });
});

describe('trap: in one call a later valid git token hides an earlier refused one', () => {
  it('a call has one token, and an empty one with its host for every other provider', async () => {
    service.state.providerTokens['gitlab'] = {
      token: 'gitlab-token',
      user_id: null,
      host: 'git.example.com',
    };
    await connectProvider(client(), { name: 'bitbucket', token: 'new-token', host: null });
    const { body } = service.requests.find(({ path }) => path === '/api/add-git-providers') ?? {};
    assert.deepEqual((body as { provider_tokens: unknown }).provider_tokens, {
      github: { token: '', host: null },
      gitlab: { token: '', host: 'git.example.com' },
      bitbucket: { token: 'new-token', host: null },
    });
    assert.equal(service.state.providerTokens['gitlab'].token, 'gitlab-token');
  });
});

describe('trap: suggestions exist where they answer', () => {
  it('lists of texts here, an error there', async () => {
    assert.ok((await client().listModels()).length > 0);
    assert.equal((await failure(clientOf(plain).listModels())).reason, 'notFound');
  });

  it('the languages are those that are in use', () => {
    assert.equal(languageCodes.join(' '), 'en ja zh-CN zh-TW ko-KR no ar de fr it pt es tr uk');
  });
});

describe('trap: newer generations moved the settings', () => {
  it('that is told apart from a wrong address', async () => {
    refuse('/api/settings', 404, { body: { detail: 'Not Found' } }, { times: 'always' });
    assert.equal((await checkConnection(client())).kind, 'failed');
    refuse('/api/v1/settings', 200, { body: { agent_settings: {} } });
    assert.equal((await checkConnection(client())).kind, 'newerGeneration');
  });
});
