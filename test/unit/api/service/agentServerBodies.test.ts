import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createAgentClient } from '../../../../src/api/agent/client';
import type { FlatClient } from '../../../support/builders/client';
import { type Contract, misfits, recordingFetch } from '../../../support/contract';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { SettingsDocument } from '../../../../src/features/settings/model/document';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { safeguards } from '../../core/settings/safeguards';
import { newEntry, newServer, saveAs, withServer } from '../../settings/support';
import { noLimits, testClient } from '../support/client';

const contracts = JSON.parse(readFileSync(path.join(__dirname, 'agentServerSchemas.json'), 'utf8')) as Record<
  '1.49.1' | '1.58.2',
  Contract
>;

const giveUp = { signal: new AbortController().signal, wait: () => Promise.reject(new Error('left')) };

/** What the descriptions leave out: the older release ignores a model, and both take a secret's value as it is. */
const known = [
  'POST /api/conversations/agent_launch_additions/llm_profile_ref: unknown',
  'POST /api/conversations/{}/secrets/secrets/NPM_TOKEN: string in place of object',
];

for (const [release, as] of [
  ['1.49.1', '1.49.1'],
  ['1.58.0', '1.58.2'],
] as const)
  describe(`requests to agent server ${as}`, () => {
    const { routes, schemas } = contracts[as];
    const sent = new Map<string, unknown[]>();
    const recording = recordingFetch(Object.keys(routes), sent);

    before(async () => {
      const server = await startAgentServer({ release, seed: true });
      try {
        const { client } = testClient(server.url, { sessionKey: server.sessionKey, fetch: recording });
        await checkConnection(client);
        await everything(client, server, release, recording);
      } finally {
        await server.close();
      }
    });

    it('have only what its own description allows', () => {
      const found = [...sent].flatMap(([route, bodies]) =>
        bodies.flatMap((body) => misfits(body, routes[route] ?? {}, schemas).map((one) => `${route}${one}`)),
      );
      assert.deepEqual(
        [...new Set(found)].filter((one) => !known.includes(one)),
        [],
      );
    });

    it('are all tried', () => {
      assert.deepEqual(
        Object.keys(routes).filter((route) => !sent.has(route)),
        [],
      );
    });

    it('would be found out with a wrong or unknown member, or without one that’s needed', () => {
      const of = (route: string, change: object) => {
        const body = { ...(sent.get(route)?.[0] as object), ...change };
        return misfits(body, routes[route] ?? {}, schemas);
      };
      assert.deepEqual(of('POST /api/conversations', { max_iterations: 0 }), [
        '/max_iterations: out of range',
      ]);
      assert.deepEqual(of('POST /api/conversations', { tags: [] }), ['/tags: array in place of object']);
      assert.deepEqual(of('POST /api/conversations', { titel: 'x' }), ['/titel: unknown']);
      assert.deepEqual(of('POST /api/mcp/test', { server: { type: 'stdio' } }), ['/server/command: missing']);
    });
  });

/** Sends each kind of request with all that it can have; what the reference refuses was sent all the same. */
async function everything(
  client: FlatClient,
  { url: baseUrl, sessionKey, files }: AgentServerByItself,
  release: string,
  recording: typeof fetch,
) {
  const calls = client.agents;
  assert.ok(calls);
  const { profiles } = await calls.listAgentProfiles();
  const [profile] = profiles;
  assert.ok(profile);
  const start = { conversationId: randomUUID(), folder: '/workspace/shop', agentProfileId: profile.id };
  await calls.createFolder(start.folder);
  await files.execute('git init -q -b main && git commit -q --allow-empty -m First', start.folder, 20);
  for (const policy of [undefined, 'never', 'always', 'riskyLow', 'riskyMedium', 'riskyHigh'] as const) {
    const conversationId = randomUUID();
    await calls.start({
      ...start,
      conversationId,
      isWorktree: true,
      policy,
      message: 'Fix it.',
      tags: { a: 'b' },
    });
  }
  await calls.start({
    ...start,
    isWorktree: false,
    message: '',
    modelProfile: 'quick',
    secrets: ['NPM_TOKEN'],
    plugins: [{ source: 'github:a/b', ref: 'v1', repoPath: 'plugins/a' }],
    hooks: { stop: [{ matcher: '*', hooks: [{ command: 'true' }] }] },
  });
  const bases = [{ kind: 'defaultBranch' }, { kind: 'head' }, { kind: 'ref', ref: 'main' }] as const;
  // What the older release has no words for is never offered there.
  for (const worktreeBase of release.startsWith('1.58') ? bases : [])
    await calls
      .start({ ...start, conversationId: randomUUID(), isWorktree: true, worktreeBase, message: 'Fix it.' })
      .catch(() => undefined);
  const foreign = profiles.find(({ agent_kind: kind }) => kind === 'acp');
  assert.ok(foreign);
  const id = start.conversationId;
  await client.tagConversation(id, { agentworkspaceattempt: 'One' });
  const options = { limiter: noLimits, fetch: recording };
  const agent = createAgentClient({ baseUrl, origin: baseUrl, id }, sessionKey, release, options);
  const model = { model: 'demo/large', key: 'key', baseUrl: 'https://models.example.com' };
  const skill = { kind: 'skill', name: 'a' } as const;
  const plugin = { kind: 'plugin', name: 'a' } as const;
  const all: (() => Promise<unknown>)[] = [
    () => agent.sendMessage({ text: 'Hi', images: ['data:image/png;base64,AA'], run: false }),
    () => agent.accept(),
    () => agent.reject('No'),
    ...(['never', 'always', 'riskyMedium'] as const).map((policy) => () => agent.setPolicy(policy)),
    () => agent.switchModel('quick'),
    () => agent.startGoal('All tests pass', 3),
    () => agent.giveSecret('NPM_TOKEN', 'value'),
    () => agent.fork({ eventId: randomUUID(), title: 'Again' }),
    () => agent.navigate(randomUUID()),
    () => agent.ask('Why?'),
    () => client.renameConversation(id, 'Title'),
    () => client.saveSecret({ name: 'A', value: 'b', description: 'c' }),
    () => client.saveProfile('saved'),
    () => client.renameProfile('saved', 'renamed'),
    () => calls.saveModel('new', model),
    () => calls.checkModel({ ...model, key: '', baseUrl: '' }),
    () => calls.checkModelProfile('new'),
    () => calls.changeModelProfile('new', { member: 'model', was: model.model, to: 'demo/small' }),
    () => calls.renameAgentProfile(profile.name, 'renamed'),
    () => calls.addProvider({ name: 'work', provider: 'anthropic', key: 'key', baseUrl: '' }),
    () => calls.replaceProviderKey(randomUUID(), 'other'),
    () => calls.addWorkspace({ name: 'shop', path: '/workspace/shop' }),
    () => calls.readFolder('/workspace/shop'),
    () => calls.clone('https://github.com/a/b.git', '/workspace/b', giveUp),
    () => calls.listAgentModels(foreign),
    () => calls.beginWith(id, 'opus', true),
    () => calls.removeFile('/workspace/shop', 'a.txt'),
    () => calls.listSkills('/workspace/shop'),
    () => calls.listSkills(undefined),
    () => calls.readHooks('/workspace/shop'),
    () => calls.listSubAgents('/workspace/shop'),
    () => calls.listSubAgents(undefined),
    () => {
      const gone = { deviceCode: 'gone', userCode: '', page: undefined, intervalMs: 0, expiresAt: Infinity };
      return calls.subscriptionSignIn.finish(gone, giveUp.signal);
    },
    ...[skill, plugin].flatMap((one) => [
      () => calls.install(one.kind, { source: 'github:a/b', ref: 'v1', repoPath: 'plugins/a' }),
      () => calls.switchAddOn(one, false),
    ]),
    () =>
      calls.testServer({
        kind: 'stdio',
        server: { command: 'a', args: ['b'], env: { C: 'd' } },
        heldName: undefined,
      }),
    ...(['sse', 'shttp'] as const).map((kind) => () => {
      const server = { url: 'https://a.example/mcp', api_key: 'typed', timeout: 5, name: 'a' };
      return calls.testServer({ kind, server, heldName: undefined });
    }),
    () =>
      calls.testServer({
        kind: 'shttp',
        server: { url: 'https://a.example', api_key: '**********' },
        heldName: 'issues',
      }),
    () => calls.findPlugin({ source: 'github:a/b', ref: 'v1', repoPath: 'plugins/a' }),
    () => calls.startSignIn('issues'),
    () =>
      calls.returnSignIn(
        { name: 'issues', job: 'gone', address: undefined },
        'http://localhost:40123/callback?code=c',
      ),
    () => calls.keepSignIn('issues', { tokens: { access_token: 'gAAAAAdG9rZW4=' } }),
  ];
  for (const call of all) await call().catch(() => undefined);

  const form = await SettingsDocument.load(client, safeguards());
  const added = newServer({
    id: 'new-1',
    kind: 'stdio',
    name: 'added',
    command: 'uvx',
    env: [newEntry('T')],
  });
  form.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
  form.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'T' }, 'typed');
  const changed = withServer(form, 'search', () => ({ enabled: false, args: ['x'] }));
  await saveAs('saved', form, {
    values: {
      llm_model: 'demo/small',
      max_iterations: 7,
      confirmation_mode: true,
      security_analyzer: 'none',
    },
    secrets: { llm_api_key: 'replace' },
    mcpServers: [...changed, added],
    more: { 'agent_settings.llm.num_retries': 3 },
  });
}
