import assert from 'node:assert/strict';
import { createClient, type ApiClient } from '../../src/api/service/client';
import { commandIds } from '../../src/ids';
import { hostMessageSchema, webviewMessageSchema } from '../../src/shared/messages';
import { plainFields, secretFields } from '../../src/shared/settings';
import { startService } from '../service/service';
import {
  lackingOfCommand,
  lackingOfEndpoint,
  lackingOfField,
  lackingOfMessage,
  readFacts,
  type Facts,
} from '../support/recipes';

type Calls = Omit<ApiClient, 'baseUrl' | 'origin' | 'generation' | 'conversationPageUrl'>;

/** A call of each method, to find its endpoints; the compiler reports missing methods. */
const calls: { [Method in keyof Calls]: (client: ApiClient) => Promise<unknown> } = {
  getSettings: (client) => client.getSettings(),
  postSettings: (client) => client.postSettings({}),
  addGitProviders: (client) => client.addGitProviders({ provider_tokens: {} }),
  unsetProviderTokens: (client) => client.unsetProviderTokens(),
  searchSandboxes: (client) => client.searchSandboxes(),
  startSandbox: (client) => client.startSandbox(),
  pauseSandbox: (client) => client.pauseSandbox('a'),
  resumeSandbox: (client) => client.resumeSandbox('a'),
  deleteSandbox: (client) => client.deleteSandbox('a'),
  searchSandboxSpecs: (client) => client.searchSandboxSpecs(),
  listConversations: (client) => client.listConversations(),
  getConversation: (client) => client.getConversation('a'),
  searchEvents: (client) => client.searchEvents('00000000000000000000000000000001'),
  getStoredEvent: (client) =>
    client.getStoredEvent('00000000000000000000000000000001', '00000000000000000000000000000002'),
  createConversation: (client) => client.createConversation({}),
  renameConversation: (client) => client.renameConversation('a', 'A title'),
  listProfiles: (client) => client.listProfiles(),
  saveProfile: (client) => client.saveProfile('a'),
  activateProfile: (client) => client.activateProfile('a'),
  renameProfile: (client) => client.renameProfile('a', 'b'),
  deleteProfile: (client) => client.deleteProfile('a'),
  listSecrets: (client) => client.listSecrets(),
  saveSecret: (client) => client.saveSecret({ name: 'A', value: 'b', description: '' }),
  describeSecret: (client) => client.describeSecret('A', 'b'),
  deleteSecret: (client) => client.deleteSecret('A'),
  searchRepositories: (client) => client.searchRepositories('github'),
  searchBranches: (client) => client.searchBranches('github', 'a/b'),
  deleteConversation: (client) => client.deleteConversation('a', true),
  getStartTask: (client) => client.getStartTask('a'),
  recognizeAgentServer: (client) => client.recognizeAgentServer(),
  getRelease: (client) => client.getRelease(),
  describeFields: (client) => client.describeFields('openhands'),
  listModels: (client) => client.listModels(),
  listAgents: (client) => client.listAgents(),
  listSecurityAnalyzers: (client) => client.listSecurityAnalyzers(),
};

/** The endpoints that a method asks for: of the first generation or, where that has none, of the current one. */
async function endpointsOf(call: (client: ApiClient) => Promise<unknown>): Promise<string[]> {
  const asked = await askedOf('first', call);
  return asked.length > 0 ? asked : askedOf('current', call);
}

async function askedOf(
  generation: 'first' | 'current',
  call: (client: ApiClient) => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: 'http://service.invalid',
    sessionKey: 'key',
    generations: { get: () => generation, set: () => undefined },
    limiter: { enter: () => Promise.resolve(() => undefined) },
    fetch: () => Promise.resolve(new Response('{}', { status: 418 })),
    log: ({ method, route }) => asked.push(`${method} ${route}`),
  });
  await call(client).catch(() => undefined);
  return asked;
}

function assertWhole(what: string, lacking: readonly string[]): void {
  if (lacking.length > 0) assert.fail(`${what} lacks ${lacking.join('; ')} (CONTRIBUTING.md)`);
}

describe('recipes in CONTRIBUTING.md', () => {
  let facts: Facts;
  before(async () => {
    const served: string[] = [];
    for (const profile of ['observed', 'documented', 'current'] as const) {
      const service = await startService({ profile });
      served.push(...service.endpoints);
      await service.close();
    }
    served.push('GET /server_info');
    facts = readFacts(served);
  });

  it('cover every command', () => {
    for (const [name, id] of Object.entries(commandIds)) {
      assertWhole(`The command ${id}`, lackingOfCommand(name, id, facts));
    }
  });

  it('cover every settings field', () => {
    for (const field of [...plainFields, ...secretFields]) {
      assertWhole(`The field ${field}`, lackingOfField(field, facts));
    }
  });

  it('cover every endpoint', async () => {
    for (const [method, call] of Object.entries(calls)) {
      assertWhole(`The endpoint ${method}`, lackingOfEndpoint(method, await endpointsOf(call), facts));
    }
  });

  it('cover every message', () => {
    const types = (schema: typeof hostMessageSchema | typeof webviewMessageSchema) =>
      schema.def.options.map(({ shape }) => [...shape.type.def.values][0] ?? '');
    const messages = [
      ...types(hostMessageSchema).map((type) => [type, 'extension'] as const),
      ...types(webviewMessageSchema).map((type) => [type, 'form'] as const),
    ];
    assert.ok(messages.length > 20);
    for (const [type, from] of messages) {
      assertWhole(`The message ${type} of the ${from}`, lackingOfMessage(type, from, facts));
    }
  });

  it('name the missing part when they fail', () => {
    const lacking = lackingOfCommand('madeUp', 'agentWorkspace.made.up', facts);
    assert.throws(
      () => assertWhole('The command agentWorkspace.made.up', lacking),
      /^AssertionError.*: The command agentWorkspace\.made\.up lacks an entry in contributes\.commands of package\.json; a handler /,
    );
  });

  it('list the missing parts of an incomplete command', () => {
    const id = 'agentWorkspace.made.up';
    assert.deepEqual(lackingOfCommand('madeUp', id, facts), [
      'an entry in contributes.commands of package.json',
      'a handler in src/commands/index.ts',
      'a test in test/unit, test/host or test/ui',
    ]);
    const commands = new Map([...facts.commands, [id, { title: '%command.made.up.title%' }]]);
    assert.deepEqual(lackingOfCommand('madeUp', id, { ...facts, commands }).slice(0, 4), [
      'a title in package.nls.json',
      'the category of the others',
      'a handler in src/commands/index.ts',
      'an enablement in package.json, or a place in worksUnconnected of src/compose/commandRunner.ts',
    ]);
  });

  it('list the missing parts of an incomplete field, endpoint, and message', () => {
    assert.deepEqual(lackingOfField('made_up', facts), [
      'a row in fieldTable or secretTable of src/shared/fields.ts',
      'a rule in test/service/settingsFields.ts',
      'a default in test/service/records.ts',
      'a place in the list of the specification in test/unit/shared/fields.test.ts',
      'a test of what is sent for it',
    ]);
    assert.deepEqual(lackingOfEndpoint('madeUp', ['GET /api/made-up'], facts), [
      'a method in src/api/service',
      'a route in test/service/routes for GET /api/made-up',
      'a test in test/unit',
    ]);
    const sample = 'a sample in test/unit/shared/messages.test.ts';
    assert.deepEqual(lackingOfMessage('madeUp', 'form', facts), [
      'a handler in src/panels/settings/handlers.ts',
      sample,
    ]);
    assert.deepEqual(lackingOfMessage('madeUp', 'extension', facts), [
      'a case in src/webview/settings/app.ts',
      sample,
    ]);
  });
});
