import assert from 'node:assert/strict';
import type { ProbeOptions } from '../../../../src/api/mcp/probe';
import type { FormEdits, SecretTarget } from '../../../../src/features/settings/shared/form';
import type { McpServer } from '../../../../src/shared/mcp';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, settingsIn } from './support';

const good = 'https://good.example/mcp';
const evil = 'https://evil.example/mcp';
const canary = 'canary-kept-key';

describe('secrets sent to a new destination', () => {
  let service: ReferenceService;
  let form: Harness;
  let probed: Omit<ProbeOptions, 'fetch'>[];

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    assert.ok(service.state.settings);
    Object.assign(service.state.settings, {
      sandbox_api_key: null,
      llm_base_url: 'https://llm.example/v1',
      mcp_config: {
        sse_servers: [],
        stdio_servers: [{ name: 'tool', command: 'npx', args: ['-y', 'tool'], env: { TOKEN: canary } }],
        shttp_servers: [{ url: good, api_key: canary }, { url: 'https://open.example/mcp' }],
      },
    });
    form = new Harness(clientOf(service));
    probed = [];
    form.servers.test = (options) => {
      probed.push(options);
      return Promise.resolve({ ok: false, reason: 'notMcp', message: 'Nothing here.' });
    };
    await form.open();
    // Answers the question about the sandbox API key, which isn't tested here.
    await form.save({ values: { language: 'it' } });
    form.questions.length = 0;
    form.agrees = false;
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
  const model = () => form.last('form').model;
  const at = (label: string) => {
    const server = model().mcpServers.find(({ url, name }) => label === (url || name));
    assert.ok(server, label);
    return server;
  };
  const changed = (label: string, change: Partial<McpServer>): FormEdits => ({
    ...noEdits,
    mcpServers: model().mcpServers.map((one) => (one.id === at(label).id ? { ...one, ...change } : one)),
  });
  const edit = (edits: FormEdits) => form.send({ type: 'edits', edits });
  const test = (id: string) => form.send({ type: 'testServer', id });

  it('asks before a test sends a kept key to another origin, and names both', async () => {
    await edit(changed(good, { url: evil }));
    await test(at(good).id);
    assert.deepEqual(form.questions, [
      'Send a secret to https://evil.example? ' +
        `API key of ${evil}: used for https://good.example until now, for https://evil.example from now on. [Test]`,
    ]);
    assert.deepEqual(probed, []);
    form.agrees = true;
    await test(at(good).id);
    assert.deepEqual(
      probed.map(({ url, apiKey }) => [url, apiKey]),
      [[evil, canary]],
    );
  });

  it('asks once about a save that also may delete the sandbox API key', async () => {
    form.host.dispose();
    form = new Harness(clientOf(service));
    await form.open();
    form.agrees = false;
    const before = posts();
    const edits = { values: { llm_base_url: 'https://evil.example/v1' } };
    await form.save(edits);
    assert.equal(form.questions.length, 1);
    assert.match(
      form.questions[0] ?? '',
      /^Continue with these changes to secrets\? The model’s API key: used for https:\/\/llm\.example until now, for https:\/\/evil\.example from now on\.\nThis save may delete the sandbox API key\. .*\[Save\]$/,
    );
    assert.deepEqual([form.result, posts()], [{ kind: 'canceled' }, before]);
    form.agrees = true;
    await form.save(edits);
    assert.deepEqual([form.result.kind, form.questions.length], ['saved', 2]);
    assert.equal(settingsIn(service).llm_base_url, 'https://evil.example/v1');
  });

  describe('because somebody else changed an address while one was typed', () => {
    const typed = async (target: SecretTarget) => {
      form.secret = 'canary-typed';
      await form.send({ type: 'replaceSecret', target });
      form.questions.length = 0;
    };
    const save = () => form.save(form.host.open?.edits ?? noEdits);
    const held = () => JSON.stringify(settingsIn(service));

    it('asks before the model’s key goes to another address than it was typed for', async () => {
      await typed({ at: 'field', field: 'llm_api_key' });
      settingsIn(service).llm_base_url = 'https://evil.example/v1';
      const before = posts();
      await save();
      assert.deepEqual(form.questions, [
        'Send a secret to https://evil.example? The model’s API key: used for https://llm.example until now, ' +
          'for https://evil.example from now on. [Save]',
      ]);
      assert.deepEqual([form.result, posts()], [{ kind: 'canceled' }, before]);
      form.agrees = true;
      await save();
      assert.equal(form.result.kind, 'saved');
      assert.match(held(), /canary-typed/);
    });

    it('shows a conflict, and sends no variable to a command of somebody else', async () => {
      await typed({ at: 'mcpEnv', id: at('tool').id, name: 'TOKEN' });
      const [tool] = settingsIn(service).mcp_config?.stdio_servers ?? [];
      assert.ok(tool);
      tool.command = 'evil';
      await save();
      assert.ok(form.result.kind === 'conflict');
      const [{ key, ...words } = { key: '' }] = form.result.conflicts;
      assert.deepEqual(words, {
        label: 'tool',
        mine: 'env.TOKEN: Replaced',
        theirs: 'command: evil',
        previous: 'env.TOKEN: Set · command: npx',
      });
      const edits = form.host.open?.edits ?? noEdits;
      await form.save(edits, { [key]: 'theirs' });
      assert.equal(tool.command, 'evil');
      assert.doesNotMatch(held(), /canary-typed/);
      assert.deepEqual(form.questions, []);
    });

    it('shows a conflict where somebody else has another key by now, which goes to no address of the user', async () => {
      form.agrees = true;
      const edits = changed(good, { url: evil });
      const server = () =>
        settingsIn(service).mcp_config?.shttp_servers.find(({ url }) => url === good || url === evil);
      Object.assign(server() ?? {}, { api_key: 'canary-theirs' });
      await form.save(edits);
      assert.match(form.questions.join(), /^Send a secret to https:\/\/evil\.example\? API key of/);
      assert.ok(form.result.kind === 'conflict');
      const [{ key, mine, theirs } = { key: '', mine: '', theirs: '' }] = form.result.conflicts;
      assert.deepEqual([mine, theirs], [`url: ${evil}`, 'api_key: Changed']);
      await form.save(edits, { [key]: 'mine' });
      assert.deepEqual([server()?.url, server()?.api_key], [evil, canary]);
    });

    it('doesn’t ask where the address stands that the user gave', async () => {
      form.agrees = true;
      await edit({ ...noEdits, values: { llm_base_url: 'https://mine.example' } });
      await typed({ at: 'field', field: 'llm_api_key' });
      settingsIn(service).llm_base_url = 'https://evil.example/v1';
      await save();
      assert.equal(form.result.kind, 'conflict');
      await form.save(form.host.open?.edits ?? noEdits, { 'field:llm_base_url': 'mine' });
      assert.deepEqual([form.result.kind, form.questions], ['saved', []]);
    });
  });

  describe('because the model is of another provider, and no address is set', () => {
    const setModel = (llm_model: string) =>
      Object.assign(settingsIn(service), { llm_model, llm_base_url: null });
    const reopened = async () => {
      form.host.dispose();
      setModel('openai/gpt-5');
      form = new Harness(clientOf(service));
      await form.open();
      await form.save({ values: { language: 'fr' } });
      form.questions.length = 0;
      form.agrees = false;
    };
    beforeEach(reopened);

    it('asks before the kept key goes there', async () => {
      const before = posts();
      await form.save({ values: { llm_model: 'claude-sonnet-4-5' } });
      assert.deepEqual([form.questions.length, posts(), form.result], [1, before, { kind: 'canceled' }]);
      assert.match(
        form.questions[0] ?? '',
        /^Send a secret to anthropic\? .* used for openai until now, for anthropic from now on/,
      );
    });

    it('doesn’t ask about another model of the same provider', async () => {
      await form.save({ values: { llm_model: 'gpt-5-mini' } });
      await form.save({ values: { llm_model: 'OpenAI/gpt-5 ' } });
      assert.deepEqual([form.questions, form.result.kind], [[], 'saved']);
    });

    for (const [model, place] of [
      ['deepseek-chat', 'deepseek-chat'],
      ['mistral-large', 'mistral-large'],
      ['/gpt-5', '/gpt-5'],
      ['my-own-model', 'my-own-model'],
      ['gemini-2.5-pro', 'vertex_ai'],
      [null, 'the model provider’s own address'],
    ] as const)
      it(`asks before the kept key goes to who knows whom: ${model ?? 'the default'}`, async () => {
        const before = posts();
        await form.save({ values: { llm_model: model } });
        assert.match(
          form.questions.join(),
          new RegExp(`^Send a secret to ${place}\\? .* used for openai until`),
        );
        assert.deepEqual([posts(), form.result], [before, { kind: 'canceled' }]);
      });

    it('doesn’t ask about a key that is entered with the model', async () => {
      form.secret = 'canary-typed';
      await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
      form.questions.length = 0;
      const edits = form.host.open?.edits ?? noEdits;
      await form.save({ ...edits, values: { llm_model: 'anthropic/claude-sonnet-4-5' } });
      assert.deepEqual([form.questions, form.result.kind], [[], 'saved']);
    });

    it('asks about a typed key if somebody else has changed the provider since', async () => {
      form.secret = 'canary-typed';
      await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
      form.questions.length = 0;
      setModel('anthropic/claude-sonnet-4-5');
      const before = posts();
      await form.save(form.host.open?.edits ?? noEdits);
      assert.equal(form.result.kind, 'conflict');
      await form.save(form.host.open?.edits ?? noEdits, { 'field:llm_api_key': 'mine' });
      assert.match(form.questions.join(), /^Send a secret to anthropic\?/);
      assert.deepEqual([form.result, posts()], [{ kind: 'canceled' }, before]);
    });
  });

  it('doesn’t ask before a test to the same origin or without a key', async () => {
    await edit(changed(good, { url: 'https://good.example/other' }));
    await test(at(good).id);
    await edit(changed('https://open.example/mcp', { url: evil }));
    await test(at('https://open.example/mcp').id);
    await edit(changed(good, { url: evil, apiKey: { presence: 'set', intention: 'clear' } }));
    await test(at(good).id);
    assert.deepEqual([form.questions, probed.map(({ apiKey }) => apiKey)], [[], [canary, null, null]]);
  });

  for (const url of ['https://good.example\\@evil.example/', 'https://good.example\t.evil.example/'])
    it(`treats the ambiguous address ${JSON.stringify(url)} as a new destination`, async () => {
      await edit(changed(good, { url }));
      await test(at(good).id);
      assert.equal(form.questions.length, 1);
      assert.deepEqual(probed, []);
    });

  const saves: [what: string, edits: () => FormEdits, asked: RegExp][] = [
    [
      'the origin of a server whose key is kept',
      () => changed(good, { url: evil }),
      /API key of .*good\.example until now, for https:\/\/evil\.example/,
    ],
    [
      'the command of a server whose variables are kept',
      () => changed('tool', { command: 'sh' }),
      /TOKEN of tool: used for npx -y tool until now, for sh -y tool from now on/,
    ],
    [
      'the arguments of a server whose variables are kept',
      () => changed('tool', { args: ['-y', 'evil'] }),
      /used for npx -y tool until now, for npx -y evil from now on/,
    ],
    [
      'where the model is, while its key is kept',
      () => ({ ...noEdits, values: { llm_base_url: 'https://evil.example/v1' } }),
      /The model’s API key: used for https:\/\/llm\.example until now, for https:\/\/evil\.example/,
    ],
    [
      'where a copy of a server is, with its key',
      () => ({
        ...noEdits,
        mcpServers: [...model().mcpServers, { ...at(good), id: 'new-1', copiedFrom: at(good).id, url: evil }],
      }),
      /good\.example until now, for https:\/\/evil\.example/,
    ],
  ];
  for (const [what, edits, asked] of saves)
    it(`asks before a save changes ${what}`, async () => {
      const before = [JSON.stringify(service.state.settings), posts()];
      await form.save(edits());
      assert.equal(form.questions.length, 1);
      assert.match(form.questions[0] ?? '', asked);
      assert.equal(form.result.kind, 'canceled');
      assert.deepEqual([JSON.stringify(service.state.settings), posts()], before);
      form.agrees = true;
      await form.save(edits());
      assert.equal(form.result.kind, 'saved');
    });

  it('doesn’t ask if a save moves no secret', async () => {
    await form.save({
      ...changed(good, { url: 'https://good.example/v2' }),
      values: { llm_model: 'other/m' },
    });
    assert.deepEqual([form.questions, form.result.kind], [[], 'saved']);
  });

  it('stores nothing if the connection changes before the user agrees', async () => {
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    const before = posts();
    form.agrees = true;
    form.whileAsked = () => form.switchTo(clientOf(other));
    await form.save(changed(good, { url: evil }));
    assert.deepEqual([posts(), form.results.length], [before, 1]);
    await other.close();
  });

  it('sends no test if the connection changes before the user agrees', async () => {
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    await edit(changed(good, { url: evil }));
    form.agrees = true;
    form.whileAsked = () => form.switchTo(clientOf(other));
    await test(at(good).id);
    assert.deepEqual([form.questions.length, probed], [1, []]);
    await other.close();
  });

  it('asks once per destination', async () => {
    await edit(changed(good, { url: evil }));
    form.agrees = true;
    await test(at(good).id);
    await form.save(changed(good, { url: evil }));
    assert.deepEqual([form.questions.length, form.result.kind], [1, 'saved']);
    await form.save(changed(evil, { url: 'https://third.example/mcp' }));
    assert.equal(form.questions.length, 2);
  });

  it('splits many destinations across dialogs', async () => {
    form.agrees = true;
    const copies = Array.from({ length: 10 }, (_none, index) => ({
      ...at(good),
      id: `new-${index}`,
      copiedFrom: at(good).id,
      url: `https://evil-${index}.example/`,
    }));
    await form.save({ mcpServers: [...model().mcpServers, ...copies] });
    assert.deepEqual(
      form.questions.map((text) => text.split('\n').length),
      [8, 2],
    );
    assert.ok(copies.every(({ url }) => form.questions.join().includes(url)));
  });

  it('sends a typed secret only to the address named in its question', async () => {
    form.secret = 'typed-canary';
    const { id } = at(good);
    await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id } });
    assert.match(form.questions[0] ?? '', /For https:\/\/good\.example\./);
    const apiKey = { presence: 'set', intention: 'replace' } as const;
    await edit(changed(good, { apiKey }));
    await test(id);
    assert.deepEqual([form.questions.length, probed.length], [1, 1]);
    await edit(changed(good, { apiKey, url: evil }));
    await test(id);
    assert.match(form.questions[1] ?? '', /good\.example until now, for https:\/\/evil\.example/);
    assert.equal(probed.length, 1);
  });

  it('uses the address in the form when the question was asked', async () => {
    form.secret = 'typed-canary';
    const { id } = at(good);
    const apiKey = { presence: 'set', intention: 'replace' } as const;
    form.whileAsked = () => edit(changed(good, { apiKey, url: evil }));
    await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id } });
    form.whileAsked = () => Promise.resolve();
    await test(id);
    assert.match(form.questions[1] ?? '', /good\.example until now, for https:\/\/evil\.example/);
    assert.deepEqual(probed, []);
  });

  describe('git providers', () => {
    const setHost = (host: string | null) => form.send({ type: 'setProviderHost', name: 'github', host });

    it('asks before the host changes, and sends nothing without consent', async () => {
      const before = posts();
      await setHost('evil.example');
      assert.deepEqual(form.questions, [
        'Send a secret to evil.example? ' +
          'Token for GitHub: used for github.com until now, for evil.example from now on. [Change Host]',
      ]);
      assert.deepEqual([posts(), form.providerChanges], [before, []]);
      form.agrees = true;
      await setHost('evil.example');
      assert.equal(form.last('form').model.providers[0]?.host, 'evil.example');
      await setHost(null);
      assert.match(form.questions.at(-1) ?? '', /used for evil\.example until now, for github\.com/);
    });

    it('asks each time, and if the previous host is unknown', async () => {
      form.agrees = true;
      await setHost('a.example');
      await setHost(null);
      await setHost('a.example');
      assert.equal(form.questions.length, 3);
      form.agrees = false;
      await form.send({ type: 'setProviderHost', name: 'gitlab', host: null });
      assert.match(form.questions.at(-1) ?? '', /Token for GitLab: used for an unknown host/);
    });

    it('asks before a new token goes to another host', async () => {
      form.secret = 'ghp_new';
      const before = posts();
      await form.send({ type: 'replaceProviderToken', name: 'github', host: 'evil.example' });
      assert.equal(form.questions.length, 1);
      assert.match(form.questions[0] ?? '', /github\.com until now, for evil\.example from now on/);
      assert.equal(posts(), before);
    });
  });
});
