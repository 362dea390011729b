import assert from 'node:assert/strict';
import { noLimits } from './api/support/client';
import { flatClient } from '../support/builders/client';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { ApiError } from '../../src/api/http/errors';
import { languageCodes } from '../../src/shared/fields';
import { detailsOf } from '../../src/features/sandboxes/model/sandboxDetails';
import { keyMayGo } from './settings/support';
import { accessTo, safeguards } from './core/settings/safeguards';
import { SettingsDocument } from '../../src/features/settings/model/document';
import { connectProvider } from '../../src/features/settings/model/providers';
import { startConversation } from '../../src/features/start/model/startConversation';
import { startService, type FailRule, type ProfileName, type ReferenceService } from '../service/service';

/*
 * The known pitfalls of the service, tested with the real client over HTTP. Pitfalls of the settings are tested in
 * other files: state/settings/traps.test.ts (saving, secrets, unknown fields, and MCP servers),
 * state/settings/providers.test.ts (the map of providers), state/settings/interleavings.test.ts (all of them together).
 */

let service: ReferenceService;
let plain: ReferenceService;

const clientOf = ({ url, sessionKey }: ReferenceService, key = sessionKey) =>
  flatClient({ baseUrl: url, sessionKey: key, limiter: noLimits });
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

describe('trap: a successful sandbox list does not validate the key', () => {
  it('refuses a wrong key that can list sandboxes', async () => {
    assert.ok((await client('wrong').searchSandboxes()).items.length > 0);
    assert.equal((await checkConnection(client('wrong'))).kind, 'refused');
  });

  it('sends the header with every request', async () => {
    await client().searchSandboxes();
    await client().getSettings();
    assert.deepEqual(
      service.requests.map(({ headers }) => headers['x-session-api-key']),
      [service.sessionKey, service.sessionKey],
    );
  });
});

describe('trap: 404 "Settings not found" means the user has never saved', () => {
  it('accepts the key', async () => {
    service.state.settings = null;
    assert.equal((await checkConnection(client())).kind, 'neverSaved');
  });
});

describe('trap: 401 doesn’t always mean a wrong session key', () => {
  it('reports a bad git token with the service’s message and keeps the session key', async () => {
    const outcome = await connectProvider(accessTo(client()), {
      name: 'github',
      token: 'bad-token',
      host: null,
    });
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.error.serverText, 'Invalid token. Please make sure it is a valid github token.');
    assert.equal(outcome.applied, 'no');
    assert.equal((await checkConnection(client())).kind, 'ok');
  });
});

describe('trap: loc of a validation error mixes strings and integers', () => {
  it('maps a list position to the server', async () => {
    const document = await SettingsDocument.load(client(), safeguards());
    const loc = ['body', 'mcp_config', 'sse_servers', 0, 'url'];
    refuse('/api/settings', 422, { body: { detail: [{ loc, msg: 'no', type: 'x' }] } }, { method: 'POST' });
    const outcome = await document.save(
      { values: { language: 'it' }, secrets: {}, mcpServers: null },
      keyMayGo,
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
    it(`reads the message from ${JSON.stringify(answer)}`, async () => {
      refuse('/api/settings', 403, answer);
      assert.equal((await failure(client().getSettings())).serverText, 'the words');
    });
});

describe('trap: a rate limit per address', () => {
  it('waits and retries a change after 429 with Retry-After', async () => {
    const busy = { headers: { 'retry-after': '0' } };
    const { id } = sandboxWith('RUNNING');
    const path = `/api/v1/sandboxes/${id}/pause`;
    service.fail({ path, effect: { kind: 'answer', status: 429, text: 'slow down', ...busy } });
    await client().pauseSandbox(id);
    assert.deepEqual(asked(), [`POST ${path}`, `POST ${path}`]);
  });
});

describe('trap: a wrong path returns 200 with a web page', () => {
  it('does not mistake a web page for settings', async () => {
    const elsewhere = flatClient({ baseUrl: `${service.url}/app`, sessionKey: 'k', limiter: noLimits });
    assert.equal((await failure(elsewhere.getSettings())).reason, 'notService');
  });
});

describe('trap: a limit above 100 crashes the service', () => {
  it('requests at most 100 items', async () => {
    assert.ok((await client().searchSandboxes({ limit: 1_000 })).items.length > 0);
    assert.deepEqual(asked(), ['GET /api/v1/sandboxes/search?limit=100']);
  });
});

describe('trap: pause or resume of an unknown sandbox returns 404', () => {
  it('reports that the sandbox was not found', async () => {
    const error = await failure(client().pauseSandbox('gone'));
    assert.deepEqual([error.reason, error.status, error.outcomeUnknown], ['notFound', 404, false]);
  });
});

describe('trap: lists come in pages', () => {
  it('reads all pages through next_page_id', async () => {
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

  it('accepts a bare array as a page', async () => {
    assert.ok((await clientOf(plain).searchSandboxes()).items.length > 0);
  });
});

describe('trap: the specified list of conversations is a batch get that needs IDs', () => {
  it('switches to /search for good after 422', async () => {
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
  it('omits the key and URL queries from sandbox details', async () => {
    const { items } = await client().searchSandboxes();
    const running = items.find(({ status }) => status === 'RUNNING');
    const { session_api_key } = sandboxWith('RUNNING');
    assert.ok(running && JSON.stringify(running).includes(session_api_key));
    assert.ok(!detailsOf(running, [], Date.now()).includes(session_api_key));
  });
});

describe('trap: members are null or missing, and states can be unknown', () => {
  it('accepts a stopped sandbox without a key and URLs', async () => {
    const { items } = await client().searchSandboxes();
    const paused = items.find(({ status }) => status === 'PAUSED');
    assert.deepEqual([paused?.session_api_key, paused?.exposed_urls], [null, null]);
  });

  it('shows an unknown state as received', async () => {
    const { id } = sandboxWith('PAUSED');
    service.patch({ sandboxes: [{ id, status: 'HIBERNATING' }] });
    assert.equal(await statusOf(id), 'HIBERNATING');
  });
});

describe('trap: starting a sandbox takes a query instead of a body', () => {
  it('sends the spec in the query, if any', async () => {
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

describe('trap: pause and resume return before the state changes', () => {
  it('does not treat the response as the state', async () => {
    const { id } = sandboxWith('RUNNING');
    const later = service.behaviour.delays.pause;
    service.behaviour.delays.pause = 60_000;
    await client().pauseSandbox(id);
    assert.equal(await statusOf(id), 'RUNNING');
    service.behaviour.delays.pause = later;
  });
});

describe('trap: the oldest of more than five running sandboxes is paused silently', () => {
  it('finds the paused sandbox in the list, not in the response to the start', async () => {
    service.behaviour.maxRunning = 3;
    const before = [...service.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING');
    const oldest = before.reduce((one, other) => (one.created_at < other.created_at ? one : other));
    assert.ok(!JSON.stringify(await client().startSandbox()).includes(oldest.id));
    while ((await statusOf(oldest.id)) === 'RUNNING') await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await statusOf(oldest.id), 'PAUSED');
  });
});

describe('trap: creating a conversation returns a start task', () => {
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

  it('follows the task until the conversation exists', async () => {
    const id = await start(service);
    assert.match(service.state.conversations.get(id)?.title ?? '', /^Conversation /, 'a title is ignored');
    assert.ok(
      asked().some((request) => request.startsWith('GET /api/v1/app-conversations/start-tasks?ids=')),
    );
  });

  it('accepts the conversation itself from a service without start tasks', async () => {
    assert.ok(plain.state.conversations.has(await start(plain)));
  });

  it('resumes a paused sandbox first, and ignores a temporary ERROR', async () => {
    service.behaviour.errorUntilHealthy = true;
    const { id } = sandboxWith('PAUSED');
    const conversation = await start(service, id);
    assert.equal(service.state.conversations.get(conversation)?.sandbox_id, id);
    const resumed = asked().indexOf(`POST /api/v1/sandboxes/${id}/resume`);
    const created = asked().indexOf('POST /api/v1/app-conversations');
    const seen = asked().findLastIndex(
      (request, index) => index < created && request.startsWith('GET /api/v1/sandboxes/search'),
    );
    assert.ok(0 <= resumed && resumed < seen && seen < created);
  });
});

describe('trap: conversation_url is not the web page', () => {
  it('opens the page below the base address', async () => {
    const { items } = await client().listConversations();
    const running = items.find(({ conversation_url }) => conversation_url);
    assert.ok(running);
    const page = client().conversationPageUrl(running.id);
    assert.equal(page, `${service.url}/conversations/${running.id}`);
    assert.notEqual(page, running.conversation_url);
  });
});

describe('trap: a later valid git token hides an earlier refused token', () => {
  it('sends a single token, and empty tokens with hosts for other providers', async () => {
    service.state.providerTokens['gitlab'] = {
      token: 'gitlab-token',
      user_id: null,
      host: 'git.example.com',
    };
    await connectProvider(accessTo(client()), { name: 'bitbucket', token: 'new-token', host: null });
    const { body } = service.requests.find(({ path }) => path === '/api/add-git-providers') ?? {};
    assert.deepEqual((body as { provider_tokens: unknown }).provider_tokens, {
      github: { token: '', host: null },
      gitlab: { token: '', host: 'git.example.com' },
      bitbucket: { token: 'new-token', host: null },
    });
    assert.equal(service.state.providerTokens['gitlab'].token, 'gitlab-token');
  });
});

describe('trap: not every service has suggestions', () => {
  it('returns strings, or an error without the endpoint', async () => {
    assert.ok((await client().listModels()).length > 0);
    assert.equal((await failure(clientOf(plain).listModels())).reason, 'notFound');
  });

  it('lists the languages in use', () => {
    assert.equal(languageCodes.join(' '), 'en ja zh-CN zh-TW ko-KR no ar de fr it pt es tr uk');
  });
});

describe('trap: the current generation moved the settings', () => {
  it('distinguishes moved settings from a wrong address', async () => {
    refuse('/api/settings', 404, { body: { detail: 'Not Found' } }, { times: 'always' });
    assert.equal((await checkConnection(client())).kind, 'failed');
    refuse('/api/v1/settings', 200, { body: { agent_settings: {} } });
    assert.equal((await checkConnection(client())).kind, 'ok');
  });
});
