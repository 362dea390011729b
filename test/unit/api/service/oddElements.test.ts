import assert from 'node:assert/strict';
import type { Generation } from '../../../../src/api/service/generation';
import { testClient } from '../support/client';
import { closeServers, serve } from '../support/servers';

type Client = ReturnType<typeof testClient>['client'];

/** JSON that nests far deeper than any answer. */
const deep = '['.repeat(5_000) + ']'.repeat(5_000);

/** Elements that can't be read, beside one that can. */
const odd = [
  'null',
  '7',
  '1e400',
  '"text"',
  '"\\ud800"',
  '[]',
  '{}',
  '{"__proto__":{"name":"x"},"constructor":1}',
  `{"deep":${deep}}`,
  deep,
];

const folder = '{"name":"A","path":"/a"}';
const profile = '{"id":"a","name":"A"}';

/** Each list of a service: its element, the answer around its elements, and what is read. */
const lists: Readonly<
  Record<
    string,
    [
      element: string,
      around: (all: readonly string[]) => string,
      read: (client: Client) => unknown,
      known?: Generation,
    ]
  >
> = {
  'agent profiles': [
    profile,
    (all) => `{"profiles":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listAgentProfiles())?.profiles.map(({ name }) => name),
  ],
  'model profiles of an agent server': [
    profile,
    (all) => `{"profiles":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listModelProfiles())?.profiles.map(({ name }) => name),
  ],
  'model profiles': [
    profile,
    (all) => `{"profiles":[${all.join()}]}`,
    async (client) => (await client.listProfiles()).profiles.map(({ name }) => name),
  ],
  secrets: [
    profile,
    (all) => `{"secrets":[${all.join()}]}`,
    async (client) => (await client.listSecrets()).map(({ name }) => name),
  ],
  'secrets of an agent profile': [
    profile,
    (all) => `{"secrets":[${all.join()}]}`,
    ({ agents }) => agents?.listSecretNames('a'),
  ],
  'models of another maker’s agent': [
    '{"model_id":"A"}',
    (all) => `{"available_models":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listModelsOf('a'))?.models.map(({ id }) => id),
  ],
  providers: [
    '{"id":"a","display_name":"A"}',
    (all) => `[${all.join()}]`,
    async ({ agents }) => (await agents?.listProviders())?.map(({ display_name: name }) => name),
  ],
  skills: [
    '{"name":"A","content":""}',
    (all) => `{"skills":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listSkills(undefined))?.map(({ name }) => name),
  ],
  'agents that can be given tasks': [
    '{"name":"A"}',
    (all) => `{"agents":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listSubAgents(undefined))?.map(({ name }) => name),
  ],
  'folders that hold projects': [
    folder,
    (all) => `{"workspaces":[],"workspaceParents":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listWorkspaceParents())?.map(({ name }) => name),
  ],
  'extensions of Agent Canvas': [
    '{"name":"A"}',
    (all) => `{"skills":[],"plugins":[],"canvas_extensions":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listAddOns())?.map(({ name }) => name),
  ],
  'skills and plugins that are installed': [
    profile,
    (all) => `{"skills":[${all.join()}],"plugins":[],"canvas_extensions":[]}`,
    async ({ agents }) => (await agents?.listAddOns())?.map(({ name }) => name),
  ],
  'saved folders': [
    folder,
    (all) => `{"workspaces":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listWorkspaces())?.map(({ name }) => name),
  ],
  folders: [
    folder,
    (all) => `{"items":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listFolders('/'))?.map(({ name }) => name),
  ],
  'repositories of a provider': [
    '{"full_name":"A"}',
    (all) => `{"items":[${all.join()}]}`,
    async ({ agents }) => (await agents?.listRepositories('a'))?.names,
  ],
  'models by provider': [
    '["A"]',
    (all) => `{"models":{${all.map((one, index) => `"p${index}":${one}`).join()}}}`,
    async (client) => (await client.listModels()).map((name) => name.replace(/^p\d+\//, '')),
  ],
  models: ['{"name":"A"}', (all) => `{"items":[${all.join()}]}`, (client) => client.listModels(), 'current'],
  'model profiles of a service': [
    profile,
    (all) => `{"profiles":[${all.join()}]}`,
    async (client) => (await client.listProfiles()).profiles.map(({ name }) => name),
    'current',
  ],
  'secrets of a service': [
    profile,
    (all) => `{"items":[${all.join()}]}`,
    async (client) => (await client.listSecrets()).map(({ name }) => name),
    'current',
  ],
  organizations: [
    profile,
    (all) => `{"items":[${all.join()}]}`,
    async (client) => (await client.listOrganizations()).map(({ name }) => name),
    'current',
  ],
};

describe('elements that can’t be read', () => {
  afterEach(closeServers);

  for (const [what, [element, around, read, known = 'agentServer']] of Object.entries(lists))
    it(`hide none of the other ${what}`, async () => {
      for (const one of odd) {
        const { origin } = await serve((_request, response) =>
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(around([one, element])),
        );
        const { client } = testClient(origin, { known, authentication: 'apiKey' });
        assert.deepEqual(await read(client), ['A'], one.slice(0, 50));
      }
    });
});

describe('lists of 200,000 elements', () => {
  afterEach(closeServers);

  for (const [what, [element, around, read, known = 'agentServer']] of Object.entries(lists))
    it(`are read: ${what}`, async () => {
      const many = around(Array.from({ length: 200_000 }, () => element));
      const { origin } = await serve((_request, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(many),
      );
      const told = await read(testClient(origin, { known, authentication: 'apiKey' }).client);
      assert.ok(Array.isArray(told) && told.length > 0);
    });
});
