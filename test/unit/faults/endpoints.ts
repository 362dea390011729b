import type { FlatClient } from '../../support/builders/client';
import { testClient } from '../api/support/client';
import { ownMemory } from '../../../src/api/service/generation';

/** One method of the client, and what its answers are taken for. */
export interface Endpoint {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path at the service, `*` for an id. */
  path: string;
  /** `list` and `record` are read; of an `action` only whether it was accepted. */
  answer: 'list' | 'record' | 'strings' | 'action';
  call: (client: FlatClient, signal?: AbortSignal, ids?: Ids) => Promise<unknown>;
  /** For what only services of the current generation are asked. */
  ofCurrent?: true;
}

/** A client that makes the request: it has seen which generation the service is of. */
export function clientFor(
  { ofCurrent }: Endpoint,
  baseUrl: string,
  options: Parameters<typeof testClient>[1] = {},
): ReturnType<typeof testClient> {
  const generations = { ...ownMemory(), get: () => 'current' as const };
  return testClient(baseUrl, { ...options, ...(ofCurrent && { generations }) });
}

/** What the endpoints with an id are asked about; made up where it does not matter. */
export interface Ids {
  sandbox: string;
  task: string;
  /** A sandbox and a conversation to delete, which are there again each time. */
  doomedSandbox: string;
  doomed: string;
}
const madeUp: Ids = { sandbox: 'sb', task: 'task', doomedSandbox: 'sb', doomed: 'c' };

const settings = { language: 'en', llm_api_key: 'canary-llm-key' };
const providers = { provider_tokens: { github: { token: 'canary-git-token', user_id: null, host: null } } };
const get = (name: string, path: string, answer: Endpoint['answer'], call: Endpoint['call']): Endpoint => ({
  name,
  method: 'GET',
  path,
  answer,
  call,
});
const post = (name: string, path: string, answer: Endpoint['answer'], call: Endpoint['call']): Endpoint => ({
  name,
  method: 'POST',
  path,
  answer,
  call,
});
const remove = (
  name: string,
  path: string,
  answer: Endpoint['answer'],
  call: Endpoint['call'],
): Endpoint => ({
  name,
  method: 'DELETE',
  path,
  answer,
  call,
});

/** Every request that the client can make. */
export const endpoints: readonly Endpoint[] = [
  get('settings', '/api/settings', 'record', (client, signal) => client.getSettings(signal)),
  get('sandboxes', '/api/v1/sandboxes/search', 'list', (client, signal) =>
    client.searchSandboxes({}, signal),
  ),
  get('specs', '/api/v1/sandbox-specs/search', 'list', (client, signal) =>
    client.searchSandboxSpecs({}, signal),
  ),
  get('conversations', '/api/v1/app-conversations*', 'list', (client, signal) =>
    client.listConversations({}, signal),
  ),
  get('start task', '/api/v1/app-conversations/start-tasks', 'list', (client, signal, ids = madeUp) =>
    client.getStartTask(ids.task, signal),
  ),
  get('models', '/api/options/models', 'strings', (client, signal) => client.listModels(signal)),
  get('agents', '/api/options/agents', 'strings', (client, signal) => client.listAgents(signal)),
  get('analyzers', '/api/options/security-analyzers', 'strings', (client, signal) =>
    client.listSecurityAnalyzers(signal),
  ),
  post('save', '/api/settings', 'action', (client, signal) => client.postSettings(settings, [], signal)),
  post('providers', '/api/add-git-providers', 'action', (client, signal) =>
    client.addGitProviders(providers, signal),
  ),
  post('unset providers', '/api/unset-provider-tokens', 'action', (client, signal) =>
    client.unsetProviderTokens(signal),
  ),
  post('start sandbox', '/api/v1/sandboxes', 'record', (client, signal) =>
    client.startSandbox(undefined, signal),
  ),
  post('pause', '/api/v1/sandboxes/*/pause', 'action', (client, signal, ids = madeUp) =>
    client.pauseSandbox(ids.sandbox, signal),
  ),
  post('resume', '/api/v1/sandboxes/*/resume', 'action', (client, signal, ids = madeUp) =>
    client.resumeSandbox(ids.sandbox, signal),
  ),
  post('create conversation', '/api/v1/app-conversations', 'record', (client, signal) =>
    client.createConversation({ title: 'x' }, signal),
  ),
  remove('delete conversation', '/api/conversations/*', 'record', (client, signal, ids = madeUp) =>
    client.deleteConversation(ids.doomed, true, signal),
  ),
  remove('delete sandbox', '/api/v1/sandboxes/*', 'action', (client, signal, ids = madeUp) =>
    client.deleteSandbox(ids.doomedSandbox, signal),
  ),
  ...[
    get('fields', '/api/v1/settings/*-schema', 'record', (client, signal) =>
      client.describeFields('openhands', signal),
    ),
    get('profiles', '/api/v1/settings/profiles', 'record', (client, signal) => client.listProfiles(signal)),
    get('secrets', '/api/v1/secrets/search', 'list', (client, signal) => client.listSecrets(signal)),
    get('repositories', '/api/v1/git/repositories/search', 'list', (client, signal) =>
      client.searchRepositories('github', signal),
    ),
    post('current save', '/api/v1/settings', 'action', (client, signal) =>
      client.postSettings(settings, undefined, signal),
    ),
    post('current providers', '/api/v1/secrets/git-providers', 'action', (client, signal) =>
      client.addGitProviders(providers, signal),
    ),
    post('use profile', '/api/v1/settings/profiles/*/activate', 'action', (client, signal) =>
      client.activateProfile('work', signal),
    ),
    post('save secret', '/api/v1/secrets', 'action', (client, signal) =>
      client.saveSecret({ name: 'TOKEN', value: 'canary-custom-secret', description: '' }, signal),
    ),
    remove('delete secret', '/api/v1/secrets/*', 'action', (client, signal) =>
      client.deleteSecret('TOKEN', signal),
    ),
  ].map((endpoint): Endpoint => ({ ...endpoint, ofCurrent: true })),
];
