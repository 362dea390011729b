import assert from 'node:assert/strict';
import { noLimits } from '../support/client';
import { flatClient, type FlatClient } from '../../../support/builders/client';
import { startService } from '../../../service/service';
import { everyCase } from '../../../support/everyCase';
import { ownMemory } from '../../../../src/api/service/generation';

/** Without the calls for tags and organizations, which ask only other kinds of services. */
type Calls = Omit<
  FlatClient,
  | 'baseUrl'
  | 'origin'
  | 'abilities'
  | 'listOrganizations'
  | 'conversationPageUrl'
  | 'tagConversation'
  | 'settleTags'
  | 'sparesOthers'
>;

/** A call of each method, to find its endpoints; the compiler reports missing methods. */
const calls: { [Method in keyof Calls]: (client: FlatClient) => Promise<unknown> } = {
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
async function endpointsOf(call: (client: FlatClient) => Promise<unknown>): Promise<string[]> {
  const asked = await askedOf('first', call);
  return asked.length > 0 ? asked : askedOf('current', call);
}

async function askedOf(
  generation: 'first' | 'current',
  call: (client: FlatClient) => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const client = flatClient({
    baseUrl: 'http://service.invalid',
    sessionKey: 'key',
    generations: { ...ownMemory(), get: () => generation, set: () => undefined },
    limiter: noLimits,
    fetch: () => Promise.resolve(new Response('{}', { status: 418 })),
    log: ({ method, route }) => asked.push(`${method} ${route}`),
  });
  // Of a group that isn’t there, a method can’t be called.
  await (async () => call(client))().catch(() => undefined);
  return asked;
}

describe('methods of the client', () => {
  it('ask only for endpoints that the reference service has', async () => {
    const served = new Set(['GET /server_info']);
    for (const profile of ['observed', 'documented', 'current'] as const) {
      const service = await startService({ profile });
      for (const endpoint of service.endpoints) served.add(endpoint);
      await service.close();
    }
    await everyCase(
      Object.entries(calls),
      ([method]) => method,
      async ([, call]) => {
        const asked = await endpointsOf(call);
        assert.ok(asked.length > 0, 'asks for nothing');
        assert.deepEqual(
          asked.filter((endpoint) => !served.has(endpoint)),
          [],
        );
      },
    );
  });
});
