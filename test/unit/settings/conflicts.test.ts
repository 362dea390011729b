import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/shared/mcp';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { McpConfig, StoredSettings } from '../../service/records';
import { fakeService, type FakeService } from './fakeService';
import { keyMayGo, newEntry, newServer, saveAs, serverAt, withoutServer, withServer } from './support';

const url = (name: string) => `https://${name}.example.com/mcp`;

function config(): McpConfig {
  return {
    sse_servers: [],
    stdio_servers: [{ name: 'tool', command: 'npx', args: ['tool'], env: { A: 'a-value', B: 'b-value' } }],
    shttp_servers: ['one', 'two', 'three'].map((name) => ({
      url: url(name),
      api_key: `${name}-key`,
      timeout: 60,
    })),
  };
}

async function opened(settings: Partial<StoredSettings> = {}) {
  const service = fakeService('observed', {
    language: 'de',
    llm_api_key: 'llm-secret',
    mcp_config: config(),
    ...settings,
  });
  return {
    service,
    document: await SettingsDocument.load(service.client, service.safeguards),
    held: () => heldBy(service),
  };
}

function heldBy({ state }: FakeService): StoredSettings & { mcp_config: McpConfig } {
  assert.ok(state.settings?.mcp_config, 'no servers');
  return state.settings as StoredSettings & { mcp_config: McpConfig };
}

const labels = (service: FakeService) =>
  heldBy(service).mcp_config.shttp_servers.map((server) => new URL(server.url).hostname.split('.')[0]);

function theServer(service: FakeService, name: string) {
  const server = heldBy(service).mcp_config.shttp_servers.find((other) => other.url === url(name));
  assert.ok(server, name);
  return server;
}

describe('settings: simultaneous changes by several clients', () => {
  describe('a field', () => {
    it('is a conflict with all three values if changed differently, and isn’t posted', async () => {
      const { service, document, held } = await opened();
      held().language = 'fr';
      const { conflicts, document: same } = await saveAs('conflict', document, {
        values: { language: 'it' },
      });
      assert.deepEqual(conflicts, [
        {
          key: 'field:language',
          target: { at: 'field', field: 'language' },
          label: 'language',
          mine: 'it',
          theirs: 'fr',
          previous: 'de',
        },
      ]);
      assert.equal(service.counts.postSettings, 0);
      assert.equal(same, document);
    });

    it('is no conflict if both changed it to the same value', async () => {
      const { document, held } = await opened();
      held().language = 'it';
      await saveAs('saved', document, { values: { language: 'it' } });
    });

    for (const [choice, expected] of [
      ['mine', 'it'],
      ['theirs', 'fr'],
    ] as const) {
      it(`is settled as ${choice}`, async () => {
        const { document, held } = await opened();
        held().language = 'fr';
        const change = { values: { language: 'it', agent: 'Mine' } };
        await saveAs('conflict', document, change);
        await saveAs('saved', document, change, {
          resolution: { 'field:language': choice },
          confirmed: [{ about: 'sandboxApiKey' }],
        });
        assert.equal(held().language, expected);
        assert.equal(held().agent, 'Mine');
      });
    }

    it('is a conflict again if it changes after the user’s choice', async () => {
      const { document, held } = await opened();
      held().language = 'fr';
      const change = { values: { language: 'it' } };
      await saveAs('conflict', document, change);
      held().language = 'tr';
      const { conflicts } = await saveAs('conflict', document, change, {
        resolution: { 'field:language': 'mine' },
        confirmed: [{ about: 'sandboxApiKey' }],
      });
      assert.equal(conflicts[0]?.theirs, 'tr');
      assert.equal(held().language, 'tr');
    });

    it('isn’t settled by a choice for a conflict never shown', async () => {
      const { document, held } = await opened();
      held().language = 'fr';
      await saveAs(
        'conflict',
        document,
        { values: { language: 'it' } },
        { resolution: { 'field:language': 'mine' } },
      );
      assert.equal(held().language, 'fr');
    });
  });

  describe('a secret', () => {
    it('is a conflict, described in words, if replaced here and cleared elsewhere', async () => {
      const { document, held } = await opened();
      held().llm_api_key = null;
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'mine-secret');
      const { conflicts } = await saveAs('conflict', document, { secrets: { llm_api_key: 'replace' } });
      assert.deepEqual(
        [conflicts[0]?.mine, conflicts[0]?.theirs, conflicts[0]?.previous],
        ['Replaced', 'Not set', 'Set'],
      );
      assert.doesNotMatch(JSON.stringify(conflicts), /secret"/);
    });

    it('is a conflict if set in both places, and “theirs” keeps theirs', async () => {
      const { document, held } = await opened({ llm_api_key: null });
      held().llm_api_key = 'their-secret';
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'mine-secret');
      const change = { secrets: { llm_api_key: 'replace' as const }, values: { language: 'it' } };
      await saveAs('conflict', document, change);
      await saveAs('saved', document, change, {
        resolution: { 'field:llm_api_key': 'theirs' },
        confirmed: [{ about: 'sandboxApiKey' }],
      });
      assert.equal(held().llm_api_key, 'their-secret');
      assert.equal(held().language, 'it');
    });

    it('is no conflict if the service doesn’t show it before or after', async () => {
      for (const told of [true, false]) {
        const { service, held } = await opened();
        let hides = !told;
        service.rewrite = (answer) => {
          const { llm_api_key_set: _told, ...body } = (answer.body ?? {}) as Record<string, unknown>;
          return hides ? { ...answer, body } : answer;
        };
        const document = await SettingsDocument.load(service.client, service.safeguards);
        hides = told;
        document.setSecret({ at: 'field', field: 'llm_api_key' }, 'mine-secret');
        await saveAs('saved', document, { secrets: { llm_api_key: 'replace' } });
        assert.equal(held().llm_api_key, 'mine-secret');
      }
    });

    it('is a conflict if it was meant for another model or address than the service has now', async () => {
      const change = (intention: 'replace' | 'clear') => ({ secrets: { llm_api_key: intention } });
      for (const [intention, elsewhere, isConflict] of [
        ['replace', { llm_model: 'other/model' }, true],
        ['clear', { llm_model: 'other/model' }, true],
        ['clear', { llm_base_url: 'https://other.example' }, true],
        ['clear', { language: 'fr' }, false],
        ['replace', { language: 'fr' }, false],
      ] as const) {
        const { document, held } = await opened({ llm_model: 'shown/model' });
        document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
        Object.assign(held(), elsewhere);
        if (!isConflict) {
          await saveAs('saved', document, change(intention));
          continue;
        }
        const { conflicts } = await saveAs('conflict', document, change(intention));
        assert.deepEqual(
          conflicts.map(({ key }) => key),
          ['field:llm_api_key'],
          JSON.stringify(elsewhere),
        );
        assert.equal(held().llm_api_key, 'llm-secret');
        await saveAs('saved', document, change(intention), { resolution: { 'field:llm_api_key': 'theirs' } });
        assert.equal(held().llm_api_key, 'llm-secret');
      }
    });

    it('is none if the model is edited too, and is asked about once the other model is kept', async () => {
      const { document, held } = await opened({ llm_model: 'shown/model' });
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
      held().llm_model = 'other/model';
      const change = { values: { llm_model: 'my/model' }, secrets: { llm_api_key: 'replace' } } as const;
      const keys = async (resolution: Record<string, 'mine' | 'theirs'>) =>
        (await saveAs('conflict', document, change, { resolution })).conflicts.map(({ key }) => key);
      assert.deepEqual(await keys({}), ['field:llm_model']);
      assert.deepEqual(await keys({ 'field:llm_model': 'theirs' }), ['field:llm_api_key']);
      await saveAs('saved', document, change, {
        resolution: { 'field:llm_model': 'mine' },
        confirmed: [{ about: 'sandboxApiKey' }],
      });
      assert.deepEqual([held().llm_model, held().llm_api_key], ['my/model', 'typed']);
    });

    it('is no conflict if cleared by both', async () => {
      const { document, held } = await opened();
      held().llm_api_key = null;
      await saveAs('saved', document, { secrets: { llm_api_key: 'clear' }, values: { language: 'it' } });
    });
  });

  describe('an MCP server', () => {
    it('keeps its identity and edits when others reorder servers', async () => {
      const { service, document, held } = await opened();
      held().mcp_config.shttp_servers.reverse();
      await saveAs('saved', document, {
        mcpServers: withServer(document, url('one'), () => ({ timeout: 5 })),
      });
      assert.deepEqual(theServer(service, 'one'), { url: url('one'), api_key: 'one-key', timeout: 5 });
      assert.equal(theServer(service, 'three').timeout, 60);
      assert.deepEqual(labels(service), ['three', 'two', 'one']);
    });

    it('is in no other place among the servers of its kind if only others are moved past it', async () => {
      const { service, document } = await opened();
      const [tool, ...rest] = document.model.mcpServers;
      await saveAs('saved', document, { mcpServers: [...rest, tool!] });
      assert.deepEqual(service.posts, []);
    });

    it('gets text without the spaces around it, and keeps spaces that were there', async () => {
      const { service, held } = await opened();
      held().mcp_config.stdio_servers[0]!.command = ' npx ';
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const mcpServers = withServer(document, url('one'), () => ({ url: ` ${url('new')} ` }));
      await saveAs('saved', document, {
        mcpServers: mcpServers.map((server) => (server.name === 'tool' ? { ...server, args: [] } : server)),
      });
      // The service itself drops them.
      const [posted] = service.posts;
      const { stdio_servers: tools, shttp_servers: remotes } = posted?.mcp_config ?? {};
      assert.deepEqual([tools?.[0]?.command, tools?.[0]?.args], [' npx ', []]);
      assert.equal(remotes?.[0]?.url, url('new'));
    });

    it('keeps its edit when others add a server before it', async () => {
      const { service, document, held } = await opened();
      held().mcp_config.shttp_servers.unshift({ url: url('zero'), api_key: 'zero-key', timeout: 1 });
      await saveAs('saved', document, { mcpServers: withoutServer(document, url('one')) });
      assert.deepEqual(labels(service), ['zero', 'two', 'three']);
    });

    it('is one conflict if edited differently by both, whatever each of them changed', async () => {
      for (const choice of ['mine', 'theirs'] as const) {
        const { service, document, held } = await opened();
        theServer(service, 'one').timeout = 7;
        held().mcp_config.stdio_servers[0]!.args = ['tool', '--theirs'];
        held().mcp_config.stdio_servers[0]!.env = { A: 'their-value', B: 'b-value' };
        const theirs = structuredClone(held().mcp_config);
        document.setSecret({ at: 'mcpApiKey', id: serverAt(document, url('one')).id }, 'mine-key');
        const mcpServers = withServer(document, url('one'), ({ apiKey }) => ({
          apiKey: { ...apiKey, intention: 'replace' },
        })).map((server) => (server.name === 'tool' ? { ...server, command: 'uvx' } : server));
        const { conflicts } = await saveAs('conflict', document, { mcpServers });
        assert.deepEqual(
          conflicts.map(({ label, mine, theirs, previous }) => [label, mine, theirs, previous]),
          [
            [
              'tool',
              'command: uvx',
              'args: tool --theirs · env.A: Changed',
              'command: npx · args: tool · env.A: Set',
            ],
            [url('one'), 'api_key: Replaced', 'timeout: 7', 'api_key: Set · timeout: 60'],
          ],
        );
        assert.deepEqual(service.posts, []);
        const resolution = Object.fromEntries(conflicts.map(({ key }) => [key, choice]));
        await saveAs('saved', document, { mcpServers }, { ...keyMayGo, resolution });
        if (choice === 'theirs') assert.deepEqual(held().mcp_config, theirs);
        else {
          assert.deepEqual(theServer(service, 'one'), { url: url('one'), api_key: 'mine-key', timeout: 60 });
          assert.deepEqual(held().mcp_config.stdio_servers[0], {
            name: 'tool',
            command: 'uvx',
            args: ['tool'],
            env: { A: 'a-value', B: 'b-value' },
          });
        }
      }
    });

    const collisions: {
      name: string;
      theirs: (service: FakeService) => void;
      mine: (document: SettingsDocument) => McpServer[];
      words: [mine: string, theirs: string, previous: string];
      afterMine: (service: FakeService) => unknown;
      afterTheirs: (service: FakeService) => unknown;
    }[] = [
      {
        name: 'the same member changed by both',
        theirs: (service) => (theServer(service, 'one').timeout = 7),
        mine: (document) => withServer(document, url('one'), () => ({ timeout: 8 })),
        words: ['timeout: 8', 'timeout: 7', 'timeout: 60'],
        afterMine: (service) => theServer(service, 'one').timeout === 8,
        afterTheirs: (service) => theServer(service, 'one').timeout === 7,
      },
      {
        name: 'deleted here, changed there',
        theirs: (service) => (theServer(service, 'one').api_key = 'their-key'),
        mine: (document) => withoutServer(document, url('one')),
        words: ['Deleted', 'api_key: Changed', 'api_key: Set'],
        afterMine: (service) => !labels(service).includes('one'),
        afterTheirs: (service) => theServer(service, 'one').api_key === 'their-key',
      },
      {
        name: 'changed here, deleted there',
        theirs: (service) => heldBy(service).mcp_config.shttp_servers.shift(),
        mine: (document) => withServer(document, url('one'), () => ({ timeout: 8 })),
        words: ['timeout: 8', 'Deleted', 'timeout: 60'],
        afterMine: (service) =>
          theServer(service, 'one').timeout === 8 && theServer(service, 'one').api_key === 'one-key',
        afterTheirs: (service) => !labels(service).includes('one'),
      },
      {
        name: 'the same URL added by both with different values',
        theirs: (service) =>
          heldBy(service).mcp_config.shttp_servers.push({
            url: url('new'),
            api_key: 'their-key',
            timeout: 60,
          }),
        mine: (document) => [
          ...document.model.mcpServers,
          newServer({ id: 'new-1', url: url('new'), timeout: 3 }),
        ],
        words: ['api_key: Not set · timeout: 3', 'api_key: Set · timeout: 60', 'None'],
        afterMine: (service) => theServer(service, 'new').timeout === 3 && labels(service).length === 4,
        afterTheirs: (service) =>
          theServer(service, 'new').api_key === 'their-key' && labels(service).length === 4,
      },
      {
        name: 'a new kind here that drops a member changed there',
        theirs: (service) => (theServer(service, 'one').timeout = 7),
        mine: (document) => withServer(document, url('one'), () => ({ kind: 'sse' })),
        words: ['kind: SSE', 'timeout: 7', 'kind: HTTP · timeout: 60'],
        afterMine: (service) =>
          heldBy(service).mcp_config.sse_servers[0]?.api_key === 'one-key' &&
          !labels(service).includes('one'),
        afterTheirs: (service) => theServer(service, 'one').timeout === 7,
      },
      {
        name: 'a member changed here that a new kind there drops',
        theirs: (service) => {
          const [server] = heldBy(service).mcp_config.shttp_servers.splice(0, 1);
          heldBy(service).mcp_config.sse_servers.push({ url: server!.url, api_key: server!.api_key });
        },
        mine: (document) => withServer(document, url('one'), () => ({ timeout: 9 })),
        words: ['timeout: 9', 'kind: SSE', 'timeout: 60 · kind: HTTP'],
        afterMine: (service) =>
          theServer(service, 'one').timeout === 9 && theServer(service, 'one').api_key === 'one-key',
        afterTheirs: (service) => heldBy(service).mcp_config.sse_servers.length === 1,
      },
      {
        name: 'a variable deleted here, changed there',
        theirs: (service) =>
          (heldBy(service).mcp_config.stdio_servers[0]!.env = { A: 'their-value', B: 'b-value' }),
        mine: (document) => withServer(document, 'tool', ({ env }) => ({ env: env.slice(1) })),
        words: ['env.A: Deleted', 'env.A: Changed', 'env.A: Set'],
        afterMine: (service) => !('A' in heldBy(service).mcp_config.stdio_servers[0]!.env!),
        afterTheirs: (service) => heldBy(service).mcp_config.stdio_servers[0]!.env?.['A'] === 'their-value',
      },
      {
        name: 'a variable renamed here, deleted there',
        theirs: (service) => (heldBy(service).mcp_config.stdio_servers[0]!.env = { B: 'b-value' }),
        mine: (document) =>
          withServer(document, 'tool', ({ env }) => ({
            env: env.map((entry) =>
              entry.name === 'A' ? { ...entry, name: 'A2', originalName: 'A' } : entry,
            ),
          })),
        words: ['env.A2: Renamed', 'env.A: Deleted', 'env.A: Set · env.A2: None'],
        afterMine: (service) => heldBy(service).mcp_config.stdio_servers[0]!.env?.['A2'] === 'a-value',
        afterTheirs: (service) => !('A2' in heldBy(service).mcp_config.stdio_servers[0]!.env!),
      },
      {
        name: 'the same variable added by both',
        theirs: (service) => (heldBy(service).mcp_config.stdio_servers[0]!.env!['C'] = 'their-value'),
        mine: (document) => {
          document.setSecret({ at: 'mcpEnv', id: serverAt(document, 'tool').id, name: 'C' }, 'my-value');
          return withServer(document, 'tool', ({ env }) => ({ env: [...env, newEntry('C')] }));
        },
        words: ['env.C: Added', 'env.C: Added', 'env.C: None'],
        afterMine: (service) => heldBy(service).mcp_config.stdio_servers[0]!.env?.['C'] === 'my-value',
        afterTheirs: (service) => heldBy(service).mcp_config.stdio_servers[0]!.env?.['C'] === 'their-value',
      },
    ];
    for (const collision of collisions) {
      for (const choice of ['mine', 'theirs'] as const) {
        it(`is a conflict, settled as ${choice}: ${collision.name}`, async () => {
          const { service, document } = await opened();
          collision.theirs(service);
          const change = { mcpServers: collision.mine(document) };
          const { conflicts } = await saveAs('conflict', document, change);
          assert.deepEqual(
            conflicts.map(({ target, mine, theirs, previous }) => [
              target.at === 'mcp' && target.member,
              [mine, theirs, previous],
            ]),
            [['server', collision.words]],
          );
          assert.doesNotMatch(JSON.stringify(conflicts), /-value|-key/);
          const resolution = Object.fromEntries(conflicts.map(({ key }) => [key, choice]));
          await saveAs('saved', document, change, { resolution, confirmed: [{ about: 'sandboxApiKey' }] });
          assert.ok(
            (choice === 'mine' ? collision.afterMine : collision.afterTheirs)(service),
            JSON.stringify(service.state.settings),
          );
          assert.deepEqual(
            ['two', 'three'].filter((name) => !labels(service).includes(name)),
            [],
          );
        });
      }
    }

    it('is no conflict if both added or renamed a variable identically', async () => {
      const { document, held } = await opened();
      held().mcp_config.stdio_servers[0]!.env = { A: 'a-value', A2: 'a-value', B: 'b-value', C: 'c-value' };
      document.setSecret({ at: 'mcpEnv', id: serverAt(document, 'tool').id, name: 'C' }, 'c-value');
      await saveAs('saved', document, {
        mcpServers: withServer(document, 'tool', ({ env }) => ({
          env: [
            ...env.map((entry) =>
              entry.name === 'A' ? { ...entry, name: ' A2 ', originalName: 'A' } : entry,
            ),
            newEntry('C'),
          ],
        })),
      });
      assert.deepEqual(held().mcp_config.stdio_servers[0]?.env, {
        A2: 'a-value',
        B: 'b-value',
        C: 'c-value',
      });
    });

    it('is no conflict if both deleted it or added it identically', async () => {
      const { service, document, held } = await opened();
      held().mcp_config.shttp_servers.shift();
      held().mcp_config.shttp_servers.push({ url: url('new'), api_key: null, timeout: 60 });
      await saveAs('saved', document, {
        mcpServers: [...withoutServer(document, url('one')), newServer({ id: 'new-1', url: url('new') })],
      });
      assert.deepEqual(labels(service), ['two', 'three', 'new']);
    });

    it('stays deleted if deleted elsewhere and not edited here', async () => {
      const { service, document, held } = await opened();
      held().mcp_config.shttp_servers.shift();
      await saveAs('saved', document, {
        mcpServers: withServer(document, url('two'), () => ({ timeout: 5 })),
      });
      assert.deepEqual(labels(service), ['two', 'three']);
    });

    for (const choice of ['mine', 'theirs'] as const) {
      it(`is a conflict if renamed elsewhere and edited here, settled as ${choice}`, async () => {
        const { service, document } = await opened();
        theServer(service, 'one').url = 'https://one.example.com/other';
        const change = { mcpServers: withServer(document, url('one'), () => ({ timeout: 5 })) };
        const { conflicts } = await saveAs('conflict', document, change);
        assert.deepEqual(
          conflicts.map(({ mine, theirs, previous }) => [mine, theirs, previous]),
          [['timeout: 5', 'url: https://one.example.com/other', `timeout: 60 · url: ${url('one')}`]],
        );
        const resolution = Object.fromEntries(conflicts.map(({ key }) => [key, choice]));
        await saveAs('saved', document, change, { resolution, confirmed: [{ about: 'sandboxApiKey' }] });
        assert.deepEqual(heldBy(service).mcp_config.shttp_servers[0], {
          url: choice === 'mine' ? url('one') : 'https://one.example.com/other',
          api_key: 'one-key',
          timeout: choice === 'mine' ? 5 : 60,
        });
      });
    }

    for (const choice of ['mine', 'theirs'] as const) {
      it(`is a conflict if renamed elsewhere and deleted here, settled as ${choice}`, async () => {
        const { service, document } = await opened();
        theServer(service, 'one').url = 'https://one.example.com/other';
        const change = { mcpServers: withoutServer(document, url('one')) };
        const { conflicts } = await saveAs('conflict', document, change);
        assert.deepEqual(
          conflicts.map(({ label, mine, theirs, previous }) => [label, mine, theirs, previous]),
          [[url('one'), 'Deleted', 'url: https://one.example.com/other', `url: ${url('one')}`]],
        );
        const resolution = Object.fromEntries(conflicts.map(({ key }) => [key, choice]));
        await saveAs('saved', document, change, { resolution, confirmed: [{ about: 'sandboxApiKey' }] });
        assert.deepEqual(labels(service), choice === 'mine' ? ['two', 'three'] : ['one', 'two', 'three']);
      });
    }

    it('keeps the new name if renamed elsewhere and not edited here', async () => {
      const { service, document } = await opened();
      theServer(service, 'one').url = 'https://one.example.com/other';
      await saveAs('saved', document, {
        mcpServers: withServer(document, url('two'), () => ({ timeout: 5 })),
      });
      assert.equal(heldBy(service).mcp_config.shttp_servers[0]?.url, 'https://one.example.com/other');
    });

    for (const [what, key] of [
      ['replaced', 'newer'],
      ['cleared', null],
    ] as const)
      it(`is a conflict if copied here while its key was ${what} elsewhere`, async () => {
        for (const choice of ['mine', 'theirs'] as const) {
          const { service, document } = await opened();
          const { id, ...one } = serverAt(document, url('one'));
          const copy = { ...one, id: 'new-1', copiedFrom: id, url: `${url('one')}/copy` };
          const mcpServers = [...document.model.mcpServers, copy];
          theServer(service, 'one').api_key = key;
          const { conflicts } = await saveAs('conflict', document, { mcpServers });
          assert.deepEqual(conflicts, [
            {
              key: 'mcp:new-1:server',
              target: { at: 'mcp', id: 'new-1', member: 'server' },
              label: copy.url,
              mine: 'api_key: Set',
              theirs: key === null ? 'api_key: Cleared' : 'api_key: Changed',
              previous: 'api_key: Set',
            },
          ]);
          assert.doesNotMatch(JSON.stringify(conflicts), /newer|one-key/);
          const resolution = { 'mcp:new-1:server': choice };
          await saveAs('saved', document, { mcpServers }, { ...keyMayGo, resolution });
          const copied = heldBy(service).mcp_config.shttp_servers.find((server) => server.url === copy.url);
          assert.equal(copied?.api_key ?? null, choice === 'mine' ? 'one-key' : key);
          assert.equal(theServer(service, 'one').api_key ?? null, key);
        }
      });

    it('is a conflict if copied here while a variable changed elsewhere, and none if it is replaced here', async () => {
      const { service, document, held } = await opened();
      const { id, ...tool } = serverAt(document, 'tool');
      const copyWith = (intention: 'keep' | 'replace') => {
        const env = tool.env.map((entry) => (entry.name === 'A' ? { ...entry, intention } : entry));
        return [...document.model.mcpServers, { ...tool, id: 'new-1', copiedFrom: id, name: 'copy', env }];
      };
      document.setSecret({ at: 'mcpEnv', id: 'new-1', name: 'A' }, 'typed');
      Object.assign(held().mcp_config.stdio_servers[0]?.env ?? {}, { A: 'newer' });
      const { conflicts } = await saveAs('conflict', document, { mcpServers: copyWith('keep') });
      assert.deepEqual(
        conflicts.map(({ key, label, theirs }) => [key, label, theirs]),
        [['mcp:new-1:server', 'copy', 'env.A: Changed']],
      );
      await saveAs('saved', document, { mcpServers: copyWith('replace') });
      const copied = held().mcp_config.stdio_servers.find(({ name }) => name === 'copy');
      assert.deepEqual(copied?.env, { A: 'typed', B: 'b-value' });
      assert.equal(service.posts.length, 1);
    });

    it('never passes its key to a replacement on another host', async () => {
      const { service, document } = await opened();
      Object.assign(theServer(service, 'one'), {
        url: 'https://elsewhere.example.org/mcp',
        api_key: 'other-key',
      });
      document.setSecret({ at: 'mcpApiKey', id: serverAt(document, url('one')).id }, 'mine-key');
      const mcpServers = withServer(document, url('one'), ({ apiKey }) => ({
        apiKey: { ...apiKey, intention: 'replace' },
      }));
      const { conflicts } = await saveAs('conflict', document, { mcpServers });
      assert.deepEqual([conflicts[0]?.mine, conflicts[0]?.theirs], ['api_key: Replaced', 'Deleted']);
    });

    it('stays moved, and a server added by others stays next to its neighbor', async () => {
      const { service, document, held } = await opened();
      held().mcp_config.shttp_servers.splice(1, 0, { url: url('new'), api_key: null, timeout: 60 });
      const [one, two, three] = ['one', 'two', 'three'].map((name) => serverAt(document, url(name)));
      await saveAs('saved', document, { mcpServers: [serverAt(document, 'tool'), three!, one!, two!] });
      assert.deepEqual(labels(service), ['three', 'one', 'new', 'two']);
    });
  });

  it('requires a choice for every conflict, by its own key', async () => {
    const { document, held } = await opened();
    held().language = 'fr';
    held().agent = 'Theirs';
    const change = { values: { language: 'it', agent: 'Mine' } };
    await saveAs('conflict', document, change);
    const { conflicts } = await saveAs('conflict', document, change, {
      resolution: { 'field:agent': 'mine' },
      confirmed: [{ about: 'sandboxApiKey' }],
    });
    assert.deepEqual(
      conflicts.map(({ key }) => key),
      ['field:language'],
    );
    await saveAs('saved', document, change, {
      resolution: { 'field:agent': 'mine', 'field:language': 'theirs' },
      confirmed: [{ about: 'sandboxApiKey' }],
    });
    assert.deepEqual([held().language, held().agent], ['fr', 'Mine']);
  });
});
