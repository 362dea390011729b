import assert from 'node:assert/strict';
import type { FlatClient } from '../../../support/builders/client';
import { mcpConfigSchema } from '../../../../src/api/service/schemas/mcp';
import { isMasked } from '../../../../src/api/service/schemas/secret';
import { serviceSettingsSchema } from '../../../../src/api/service/schemas/settings';
import { conversationSchema } from '../../../../src/api/service/schemas/conversation';
import { sandboxSchema } from '../../../../src/api/service/schemas/sandbox';
import { sandboxSpecSchema } from '../../../../src/api/service/schemas/sandboxSpec';
import { startTaskSchema } from '../../../../src/api/service/schemas/startTask';
import { failureOf, testClient } from '../support/client';
import { everyCase } from '../../../support/everyCase';

/** The table of the specification (docs/protocol/service.md, “Settings”), with a value of each type. */
const specified = {
  language: 'en',
  agent: 'CodeActAgent',
  max_iterations: 100,
  security_analyzer: 'llm',
  confirmation_mode: false,
  llm_model: 'm',
  llm_api_key: null,
  llm_base_url: 'https://llm.example.com',
  remote_runtime_resource_factor: 1,
  secrets_store: { provider_tokens: {}, custom_secrets: {} },
  enable_default_condenser: true,
  enable_sound_notifications: false,
  enable_proactive_conversation_starters: true,
  enable_solvability_analysis: true,
  user_consents_to_analytics: null,
  sandbox_base_container_image: 'image',
  sandbox_runtime_container_image: 'image',
  mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers: [] },
  search_api_key: null,
  sandbox_api_key: null,
  max_budget_per_task: 7.5,
  email: 'ada@example.com',
  email_verified: true,
  git_user_name: 'Ada',
  git_user_email: 'ada@example.com',
};
const responseOnly = {
  llm_api_key_set: true,
  provider_tokens_set: { github: null },
  search_api_key_set: false,
};

describe('settings schema', () => {
  it('accepts the 25 fields of the specification and the three of the response', () => {
    assert.equal(Object.keys(specified).length, 25);
    const record = { ...specified, ...responseOnly };
    assert.deepEqual(serviceSettingsSchema.parse(record), record);
  });

  it('keeps unknown fields', () => {
    const parsed = serviceSettingsSchema.parse({
      condenser_max_size: 240,
      nested: { a: [1] },
      llm_api_key_set: true,
    });
    assert.deepEqual(parsed, { condenser_max_size: 240, nested: { a: [1] }, llm_api_key_set: true });
  });

  it('accepts every field missing or null, but not with another type', () =>
    everyCase(Object.keys({ ...specified, ...responseOnly }), String, (field) => {
      const record: Record<string, unknown> = { ...specified, ...responseOnly, [field]: null };
      assert.equal(serviceSettingsSchema.safeParse(record).success, true);
      const { [field]: _, ...without } = record;
      assert.equal(serviceSettingsSchema.safeParse(without).success, true);
      const wrong = serviceSettingsSchema.safeParse({ ...record, [field]: [() => undefined] });
      assert.equal(wrong.success, field === 'secrets_store');
    }));

  it('rejects objects without any of the fields, and other values', () => {
    for (const value of [{}, { hello: 1 }, [], null, 'x', 7, [specified]]) {
      assert.equal(serviceSettingsSchema.safeParse(value).success, false, JSON.stringify(value));
    }
  });

  it('keeps the providers and their hosts, and ignores other values', () => {
    const provider_tokens_set = {
      github: null,
      gitlab: 'git.example.com',
      gitea: true,
      none: false,
      other: { a: 1 },
    };
    assert.deepEqual(serviceSettingsSchema.parse({ provider_tokens_set }).provider_tokens_set, {
      github: null,
      gitlab: 'git.example.com',
      gitea: null,
      other: null,
    });
  });
});

describe('MCP server schema', () => {
  it('fills in missing members', () => {
    const parsed = mcpConfigSchema.parse({
      sse_servers: ['https://bare.example.com/sse', { url: 'https://a', api_key: null }, {}],
      stdio_servers: [
        { name: 'n', command: 'c' },
        { name: 'm', command: 'd', args: null, env: null, cwd: '/x' },
      ],
      shttp_servers: [
        'https://bare.example.com/mcp',
        { url: 'https://b', api_key: 'k', timeout: 60, new: 1 },
      ],
      extra: true,
    });
    assert.deepEqual(parsed, {
      sse_servers: [
        { url: 'https://bare.example.com/sse' },
        { url: 'https://a', api_key: null },
        { url: '' },
      ],
      stdio_servers: [
        { name: 'n', command: 'c', args: [], env: {} },
        { name: 'm', command: 'd', args: [], env: {}, cwd: '/x' },
      ],
      shttp_servers: [
        { url: 'https://bare.example.com/mcp' },
        { url: 'https://b', api_key: 'k', timeout: 60, new: 1 },
      ],
      extra: true,
    });
  });

  it('keeps a null or missing list distinct from an empty list', () => {
    assert.deepEqual(mcpConfigSchema.parse({ sse_servers: null }), { sse_servers: null });
  });

  it('converts environment values to strings', () => {
    const [server] = mcpConfigSchema.parse({
      stdio_servers: [{ env: { A: 'a', B: 1, C: true } }],
    }).stdio_servers!;
    assert.deepEqual(server?.env, { A: 'a', B: '1', C: 'true' });
  });

  for (const config of [
    { sse_servers: [7] },
    { sse_servers: {} },
    { sse_servers: [{ url: 7 }] },
    { shttp_servers: [{ url: 'u', timeout: 'soon' }] },
    { stdio_servers: ['npx'] },
    { stdio_servers: [{ args: 'a b' }] },
    { stdio_servers: [{ env: { A: {} } }] },
  ]) {
    it(`rejects ${JSON.stringify(config)}: dropping it would delete it at the next save`, () => {
      assert.equal(mcpConfigSchema.safeParse(config).success, false);
    });
  }
});

describe('record schemas', () => {
  for (const [name, schema] of [
    ['a sandbox', sandboxSchema],
    ['a spec', sandboxSpecSchema],
    ['a conversation', conversationSchema],
    ['a start task', startTaskSchema],
  ] as const) {
    it(`require only an ID for ${name}`, () => {
      assert.deepEqual(schema.parse({ id: 'a' }), { id: 'a' });
      for (const value of [{}, { id: '' }, { id: 7 }, { id: null }, null, 'a', []]) {
        assert.equal(schema.safeParse(value).success, false, JSON.stringify(value));
      }
    });

    it(`accept ${name} with members of any other type, and keep unknown members`, () => {
      const members = Object.keys(schema.def.shape).filter((member) => member !== 'id');
      for (const odd of [7, true, 'odd', [], {}, [7], { a: 1 }, null]) {
        const record = {
          id: 'a',
          unknown: odd,
          ...Object.fromEntries(members.map((member) => [member, odd])),
        };
        const parsed = schema.safeParse(record);
        assert.ok(parsed.success, JSON.stringify(odd));
        assert.deepEqual(parsed.data['unknown'], odd);
      }
    });
  }

  it('drop an invalid exposed URL and keep the others', () => {
    const exposed_urls = [{ name: 'VSCODE', url: 'https://x', port: 8001 }, { name: 'BROKEN' }, 7];
    assert.deepEqual(sandboxSchema.parse({ id: 'a', exposed_urls }).exposed_urls, [exposed_urls[0]]);
  });
});

/** Tries to send a body. Returns the sent body, or the location of the refusal. */
async function send(
  call: (client: FlatClient) => Promise<unknown>,
): Promise<{ body?: unknown; loc?: unknown }> {
  let body: unknown;
  const fetch: typeof globalThis.fetch = (_url, init) => {
    body = JSON.parse(init?.body as string);
    return Promise.resolve(Response.json({ id: 'a' }));
  };
  const { client, events } = testClient('http://127.0.0.1:9', { fetch });
  const result = await call(client).then(
    () => undefined,
    async (error: unknown) => failureOf(Promise.reject(error as Error)),
  );
  if (result === undefined) return { body };
  assert.deepEqual(
    [result.reason, result.status, result.outcomeUnknown, events.length],
    ['invalid', undefined, false, 0],
  );
  assert.ok(result.issues?.every(({ msg }) => typeof msg === 'string'));
  return { loc: result.issues?.[0]?.loc };
}

describe('settings as sent', () => {
  const post = (body: object) => send((client) => client.postSettings(body as never));
  const { secrets_store: _, ...sendable } = specified;

  it('include unknown fields and all fields except secrets_store', async () => {
    const body = { ...sendable, condenser_max_size: 240, nested: { a: [null] } };
    assert.deepEqual((await post(body)).body, body);
  });

  for (const [name, value] of Object.entries({ ...responseOnly, secrets_store: {} })) {
    it(`are refused with ${name}`, async () => {
      assert.deepEqual((await post({ ...sendable, [name]: value })).loc, ['body', name]);
    });
  }

  for (const [name, value] of [
    ['llm_api_key', '**********'],
    ['search_api_key', '*'],
    ['sandbox_api_key', '••••••••'],
    ['max_iterations', '100'],
    ['enable_default_condenser', 'on'],
    ['llm_base_url', 7],
    ['email_verified', 'yes'],
  ] as const) {
    it(`are refused with ${name} ${JSON.stringify(value)}`, async () => {
      assert.deepEqual((await post({ ...sendable, [name]: value })).loc, ['body', name]);
    });
  }

  const mcp = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  const stdio = { name: 'n', command: 'c', args: [], env: {} };
  for (const [config, loc] of [
    [{ ...mcp, sse_servers: [{ url: 7 }] }, ['sse_servers', 0, 'url']],
    [{ ...mcp, sse_servers: [{ url: 'https://a', api_key: '****' }] }, ['sse_servers', 0, 'api_key']],
    [{ ...mcp, shttp_servers: [{ url: 'https://a', timeout: '60' }] }, ['shttp_servers', 0, 'timeout']],
    [{ ...mcp, stdio_servers: [stdio, { ...stdio, args: 'a' }] }, ['stdio_servers', 1, 'args']],
    [{ ...mcp, stdio_servers: [{ ...stdio, env: { KEY: '******' } }] }, ['stdio_servers', 0, 'env', 'KEY']],
    [{ ...mcp, stdio_servers: [{ ...stdio, env: undefined }] }, ['stdio_servers', 0, 'env']],
    [{ sse_servers: [] }, ['stdio_servers']],
  ] as const) {
    it(`are refused with an invalid MCP server at ${loc.join('.')}`, async () => {
      assert.deepEqual((await post({ mcp_config: config })).loc, ['body', 'mcp_config', ...loc]);
    });
  }

  it('can contain any value that the service itself returns', async () => {
    const body = {
      ...sendable,
      max_iterations: -1,
      git_user_email: 'nobody',
      mcp_config: {
        ...mcp,
        stdio_servers: [{ ...stdio, name: 'a b', command: 'c d' }],
        sse_servers: [{ url: '' }],
      },
    };
    assert.deepEqual((await post(body)).body, body);
  });

  it('can contain an environment variable with the value "*"', async () => {
    const body = { mcp_config: { ...mcp, stdio_servers: [{ ...stdio, env: { HOSTS: '*' } }] } };
    assert.deepEqual((await post(body)).body, body);
  });
});

describe('other request bodies', () => {
  const providers = (body: object) => send((client) => client.addGitProviders(body as never));
  const conversation = (body: object) => send((client) => client.createConversation(body as never));

  it('include every provider', async () => {
    const body = {
      provider_tokens: {
        github: { token: '', host: null },
        gitlab: { token: 't', user_id: null, host: 'h' },
      },
    };
    assert.deepEqual((await providers(body)).body, body);
  });

  for (const [body, loc] of [
    [{}, ['provider_tokens']],
    [{ provider_tokens: { github: { token: '******' } } }, ['provider_tokens', 'github', 'token']],
    [{ provider_tokens: { github: {} } }, ['provider_tokens', 'github', 'token']],
    [{ provider_tokens: { github: { token: 't', host: 7 } } }, ['provider_tokens', 'github', 'host']],
  ] as const) {
    it(`refuse providers at ${loc.join('.')}`, async () => {
      assert.deepEqual((await providers(body)).loc, ['body', ...loc]);
    });
  }

  it('include the details of a new conversation', async () => {
    const body = {
      initial_message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      sandbox_id: 's',
      selected_repository: 'group/sub/name',
      selected_branch: 'feature/x',
      git_provider: 'gitlab',
      llm_model: 'm',
      title: 'T',
    };
    assert.deepEqual((await conversation(body)).body, body);
    assert.deepEqual((await conversation({})).body, {});
  });

  for (const [body, loc] of [
    [{ selected_repository: 'name' }, ['selected_repository']],
    [{ selected_repository: 'https://github.com/a/b' }, ['selected_repository']],
    [{ git_provider: 'svn' }, ['git_provider']],
    [{ sandbox_id: '' }, ['sandbox_id']],
    [{ initial_message: { role: 'user', content: [] } }, ['initial_message', 'content']],
    [
      { initial_message: { role: 'user', content: [{ type: 'text', text: '' }] } },
      ['initial_message', 'content', 0, 'text'],
    ],
  ] as const) {
    it(`refuse a conversation at ${loc.join('.')} for ${JSON.stringify(body)}`, async () => {
      assert.deepEqual((await conversation(body)).loc, ['body', ...loc]);
    });
  }
});

describe('times of records', () => {
  it('are in UTC where they name no zone, whatever this computer’s own', () => {
    const told: [unknown, string | null][] = [
      ['2026-03-29T02:30:00', '2026-03-29T02:30:00Z'],
      ['2026-03-29 02:30:00.123456', '2026-03-29T02:30:00.123456Z'],
      ['2026-03-29T02:30', '2026-03-29T02:30:00Z'],
      ['2026-03-29T02:30:00,5', '2026-03-29T02:30:00.5Z'],
      ['2026-03-29 04:30:00+02', '2026-03-29T02:30:00Z'],
      ['2026-03-28T20:30:00-0600', '2026-03-29T02:30:00Z'],
      ['2026-06-30T23:59:60', '2026-06-30T23:59:59Z'],
      [1_774_751_400, '2026-03-29T02:30:00.000Z'],
      [1_774_751_400_000, '2026-03-29T02:30:00.000Z'],
      ['2026-03-29T04:30:00+02:00', '2026-03-29T04:30:00+02:00'],
      ['2026-03-29T02:30:00.123456Z', '2026-03-29T02:30:00.123456Z'],
      ['2026-03-29', '2026-03-29'],
      ['yesterday', 'yesterday'],
      [{}, null],
      [null, null],
    ];
    const schemas = [conversationSchema, sandboxSchema, sandboxSpecSchema, startTaskSchema];
    for (const schema of schemas)
      for (const [created_at, read] of told)
        assert.equal(schema.parse({ id: 'a', created_at }).created_at, read, String(created_at));
    for (const schema of [conversationSchema, startTaskSchema])
      assert.equal(
        schema.parse({ id: 'a', updated_at: '2026-03-29T02:30:00' }).updated_at,
        '2026-03-29T02:30:00Z',
      );
  });
});

describe('isMasked', () => {
  it('recognizes masked secrets', () => {
    for (const text of ['*', '**********', '••••', '●●●']) assert.equal(isMasked(text), true, text);
    for (const text of ['', 'sk-1', '***a', 'a***', ' * ']) assert.equal(isMasked(text), false, text);
  });
});
