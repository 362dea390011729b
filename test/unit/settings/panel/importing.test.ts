import assert from 'node:assert/strict';
import { back } from '../../../../src/editor/flow';
import type { ChoiceQuestion, TextQuestion } from '../../../../src/features/settings/panel/ports';
import { importServers } from '../../../../src/features/settings/panel/servers/importing';
import { startService, type ReferenceService } from '../../../service/service';
import type { Reply } from './serverPorts';
import { clientOf, type Harness, noEdits, openForm } from './support';

const file = JSON.stringify({
  servers: {
    weather: {
      type: 'http',
      url: 'https://weather.example.com/mcp',
      headers: { Authorization: 'Bearer ${input:weather-key}', 'X-Team': 'blue' },
    },
    build: {
      command: 'npx',
      args: ['-y', 'build-mcp', '${input:branch}'],
      env: { BUILD_TOKEN: '${env:CI_TOKEN}', BUILD_MODE: 'canary-mode' },
    },
  },
  inputs: [
    { type: 'promptString', id: 'weather-key', description: 'Key of the weather service', password: true },
    { type: 'promptString', id: 'branch', default: 'main' },
  ],
});

describe('importing MCP servers', () => {
  let service: ReferenceService;
  let form: Harness;

  openForm((opened, started) => {
    form = opened;
    service = started;
  });
  beforeEach(() => {
    form.servers.offer('mcp.json', file);
  });

  const run = () => importServers(form.host);
  /** The servers that came into the form, and what it says about them. */
  const added = () => {
    const { model, edits, serverNotices } = form.last('form');
    const servers = (edits.mcpServers ?? []).filter(({ id }) =>
      model.mcpServers.every((held) => held.id !== id),
    );
    return { servers, notices: serverNotices.words };
  };
  const choices = (index: number) => (form.servers.asked[index] as ChoiceQuestion<unknown>).choices;
  const text = (index: number) => form.servers.asked[index] as TextQuestion;
  const answers: Reply[] = [
    { pick: 'mcp.json' },
    {},
    { type: 'canary-key' },
    { type: 'dev' },
    { pick: 'Leave empty' },
  ];

  it('parks disabled servers with their secrets, and adds the others to the list', async () => {
    const headers = { Authorization: 'Bearer canary-off' };
    const off = { type: 'http', url: 'https://off.example.com/mcp', headers, disabled: true };
    form.servers.clipboardText = JSON.stringify({ servers: { off, on: { command: 'uvx' } } });
    form.servers.replies.push({ pick: 'Paste JSON' }, {});
    const posts = service.requests.length;
    await run();
    assert.match(String(choices(1)[0]?.detail), /Disabled in the file: will be parked/);
    const { servers, notices } = added();
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['on'],
    );
    assert.match(notices.join('\n'), /^1 server imported.*\noff is disabled in the file, so it was parked/);
    const [parked, ...more] = form.parked.list(service.url);
    assert.deepEqual([parked?.url, parked?.hasApiKey, more], ['https://off.example.com/mcp', true, []]);
    assert.match([...form.parked.secrets.values()].join(), /canary-off/);
    assert.equal(service.requests.length, posts);
    assert.doesNotMatch(JSON.stringify([form.posted, form.logged, [...form.drafts]]), /canary/);
  });

  it('skips a disabled server that can’t be parked, and says so', async () => {
    form.servers.clipboardText = JSON.stringify({ servers: { off: { command: 'uvx', disabled: true } } });
    form.servers.replies.push({ pick: 'Paste JSON' }, {});
    form.parked.fails = 'park';
    await run();
    assert.deepEqual(added(), {
      servers: [],
      notices: [
        'off is disabled in the file and couldn’t be parked, so it wasn’t imported. park does not work',
      ],
    });
    assert.deepEqual(form.host.open?.edits, noEdits);
  });

  it('asks for a variable of each server, and gives no server the answer for another', async () => {
    const server = (name: string, text: string) => ({
      command: name,
      args: ['--key', text],
      env: { E: text },
    });
    form.servers.clipboardText = JSON.stringify({
      inputs: [{ type: 'promptString', id: 'shared' }],
      servers: Object.fromEntries(
        ['${KEY}', '{env:KEY}', '${input:shared}'].flatMap((text, index) =>
          ['a', 'b'].map((name) => [`${name}${index}`, server(`${name}${index}`, text)]),
        ),
      ),
    });
    const typed = (value: string): Reply[] => [{ pick: 'Enter a value…' }, { type: value }];
    form.servers.replies.push(
      { pick: 'Paste JSON' },
      {},
      ...['a0', 'b0', 'a1', 'b1'].flatMap((name) => typed(`canary-${name}`)),
      { type: 'canary-shared' },
    );
    await run();
    assert.deepEqual(
      added().servers.map(({ name, args }) => [name, args[1]]),
      ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'].map((name, index) => [
        name,
        index < 4 ? `canary-${name}` : 'canary-shared',
      ]),
    );
    const questions = form.servers.asked.slice(2).map((_, index) => text(index + 2));
    assert.ok(questions.every(({ password }) => password !== false));
    assert.match(questions.at(-1)?.prompt ?? '', /^a2, b2: shared, for /);
  });

  it('leaves variables to the server that sets them itself', async () => {
    const server = (key: string) => ({
      command: 'npx',
      args: ['-y', 'mcp-remote', 'https://e.example', '--header', 'Authorization:${AUTH_HEADER}'],
      env: { AUTH_HEADER: `Bearer ${key}` },
    });
    form.servers.clipboardText = JSON.stringify({
      mcpServers: { a: server('canary-a'), b: server('canary-b') },
    });
    form.servers.replies.push({ pick: 'Paste JSON' }, {});
    await run();
    assert.equal(form.servers.asked.length, 2);
    const { servers, notices } = added();
    assert.deepEqual(
      servers.map(({ args }) => args.at(-1)),
      ['Authorization:${AUTH_HEADER}', 'Authorization:${AUTH_HEADER}'],
    );
    assert.doesNotMatch(JSON.stringify([servers, notices]), /canary|No value/);
  });

  it('adds servers unsaved, with their secrets only in memory', async () => {
    form.servers.environment = { CI_TOKEN: 'canary-token' };
    form.servers.replies.push(...answers.slice(0, 4), {
      pick: 'Use CI_TOKEN from this computer’s environment',
    });
    const posts = service.requests.length;
    await run();
    const { servers, notices } = added();
    assert.deepEqual(
      servers.map(({ kind, url, name, args }) => ({ kind, url, name, args })),
      [
        { kind: 'shttp', url: 'https://weather.example.com/mcp', name: '', args: [] },
        { kind: 'stdio', url: '', name: 'build', args: ['-y', 'build-mcp', 'dev'] },
      ],
    );
    assert.match(notices.join('\n'), /2 servers imported.*aren’t saved yet/);
    assert.match(notices.join('\n'), /weather: not imported: .*X-Team/);
    assert.match(notices.join('\n'), /build: Your value for “branch”/);
    assert.equal(service.requests.length, posts);
    const told = JSON.stringify([form.posted, form.logged, [...form.drafts], form.servers.told]);
    assert.doesNotMatch(told, /canary/);

    form.secret = 'sandbox';
    const list = [...form.last('form').model.mcpServers, ...servers];
    await form.save({ mcpServers: list });
    assert.equal(form.result.kind, 'saved', JSON.stringify(form.result));
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    assert.equal(config['shttp_servers']?.at(-1)?.['api_key'], 'canary-key');
    assert.deepEqual(config['stdio_servers']?.at(-1)?.['env'], {
      BUILD_TOKEN: 'canary-token',
      BUILD_MODE: 'canary-mode',
    });
  });

  it('previews each server, its inputs, and its losses, without secrets', async () => {
    form.servers.replies.push(...answers);
    await run();
    const [weather, build] = choices(1);
    assert.equal(weather?.label, 'weather');
    assert.equal(weather.description, 'HTTP · https://weather.example.com/mcp');
    assert.match(weather.detail ?? '', /Not imported: .*X-Team/);
    assert.match(weather.detail ?? '', /Will ask for: weather-key/);
    assert.match(build?.detail ?? '', /Variables: BUILD_TOKEN, BUILD_MODE/);
    assert.doesNotMatch(JSON.stringify([weather, build]), /canary/);
  });

  it('marks and skips servers already in the list', async () => {
    const { mcpServers } = form.last('form').model;
    const held = mcpServers.find(({ kind }) => kind !== 'stdio');
    assert.ok(held);
    form.servers.sources.length = 0;
    form.servers.offer(
      'dup.json',
      JSON.stringify({ servers: { again: { url: held.url }, fresh: { url: 'https://f.example' } } }),
    );
    form.servers.replies.push({ pick: 'dup.json' }, {});
    await run();
    assert.match(choices(1)[0]?.detail ?? '', /^Duplicate: .* is already in your list/);
    assert.deepEqual(
      choices(1).map(({ picked }) => picked),
      [false, true],
    );
    assert.deepEqual(
      added().servers.map(({ url }) => url),
      ['https://f.example'],
    );
  });

  it('hides typed secrets, and suggests defaults for other inputs', async () => {
    form.servers.replies.push(...answers);
    await run();
    assert.equal(text(2).password, true);
    assert.match(text(2).prompt, /weather-key: Key of the weather service\. For the API key\. Leave empty/);
    assert.equal(text(3).password, false);
    assert.equal(text(3).value, 'main');
    assert.match(text(3).prompt, /doesn’t treat this as a secret/);
    assert.deepEqual([text(2).step, text(2).totalSteps], [1, 3]);
  });

  it('never offers a variable’s value or an undefined variable', async () => {
    form.servers.environment = { OTHER: 'canary' };
    form.servers.replies.push(...answers);
    await run();
    assert.deepEqual(
      choices(4).map(({ label }) => label),
      ['Enter a value…', 'Leave empty'],
    );
    const { servers } = added();
    const [token, mode] = servers[1]?.env ?? [];
    assert.deepEqual(token, { name: 'BUILD_TOKEN', presence: 'notSet', intention: 'keep' });
    assert.deepEqual(mode, { name: 'BUILD_MODE', presence: 'notSet', intention: 'replace' });
    assert.match(added().notices.join('\n'), /build: No value for \$\{env:CI_TOKEN\}/);
  });

  it('goes back from each question to the previous one', async () => {
    form.servers.replies.push(
      { pick: 'mcp.json' },
      { untick: ['build'] },
      { answer: back },
      { answer: back },
      { pick: 'mcp.json' },
      { untick: ['weather'] },
      { type: 'old' },
      { answer: back },
      { type: 'new' },
      { pick: 'Enter a value…' },
      { answer: back },
      { pick: 'Enter a value…' },
      { type: 'canary-typed' },
    );
    await run();
    assert.deepEqual(
      added().servers.map(({ args }) => args[2]),
      ['new'],
    );
    assert.equal(form.servers.replies.length, 0);
  });

  it('imports nothing if any question is canceled', async () => {
    for (const count of [0, 1, 2, 3, 4]) {
      form.servers.replies.push(...answers.slice(0, count), { answer: undefined });
      await run();
      assert.equal(form.servers.replies.length, 0);
    }
    form.servers.replies.push({ pick: 'mcp.json' }, { untick: ['weather', 'build'] });
    await run();
    assert.deepEqual(added(), { servers: [], notices: [] });
    assert.deepEqual(form.host.open?.edits, noEdits);
  });

  it('opens an invalid file at the error', async () => {
    form.servers.sources.length = 0;
    form.servers.offer('bad.json', '{\n  "servers": {\n    "a": { "url": }\n  }\n}');
    form.servers.action = 'Open File';
    form.servers.replies.push({ pick: 'bad.json' });
    await run();
    assert.match(form.servers.told[0] ?? '', /^Couldn’t import from bad\.json\. Line 3, column 19: /);
    assert.deepEqual(form.servers.opened, [{ line: 3, column: 19 }]);
  });

  it('reads the clipboard on request, and reports its errors', async () => {
    form.servers.clipboardText = '{"command":"uvx","args":["memory"]}';
    form.servers.replies.push({ pick: 'Paste JSON' }, {});
    await run();
    assert.equal(added().servers[0]?.command, 'uvx');
    form.servers.clipboardText = 'canary password';
    form.servers.replies.push({ pick: 'Paste JSON' });
    await run();
    assert.match(form.servers.told[0] ?? '', /^Couldn’t import from the clipboard\./);
    assert.doesNotMatch(form.servers.told.join(), /canary/);
  });

  it('lists entries that aren’t servers', async () => {
    form.servers.sources.length = 0;
    form.servers.offer('odd.json', '{"servers":{"ok":{"url":"https://o.example"},"bad":7}}');
    form.servers.replies.push({ pick: 'odd.json' }, {});
    await run();
    assert.match(added().notices.join('\n'), /bad wasn’t imported: /);
  });

  it('keeps other unsaved edits, including the latest', async () => {
    await form.send({ type: 'edits', edits: { ...noEdits, values: { git_user_name: 'Grace' } } });
    form.servers.replies.push(...answers);
    await run();
    assert.equal(form.host.open?.edits.values.git_user_name, 'Grace');
    assert.equal(form.host.open.edits.mcpServers?.length, 6);
  });

  it('shows the servers in a form that was hidden during the import', async () => {
    const { document } = form.last('form');
    form.host.hidden();
    form.servers.replies.push(...answers);
    await run();
    const kept = { document, steps: 0, edits: { ...noEdits, values: { git_user_name: 'Grace' } } };
    await form.send({ type: 'ready', kept });
    const { edits, serverNotices, steps } = form.last('form');
    assert.equal(edits.mcpServers?.length, 6);
    assert.equal(edits.values.git_user_name, 'Grace');
    assert.match(serverNotices.words.join('\n'), /2 servers imported/);
    await form.send({ type: 'ready', kept: { document, steps, edits: noEdits } });
    assert.equal(form.last('form').edits.mcpServers, null);
  });

  it('says that nothing was imported when a save began in the meantime, which has its edits already', async () => {
    const stalled = service.fail({
      method: 'POST',
      path: '/api/settings',
      effect: { kind: 'stallBeforeHeaders' },
    });
    let saving: Promise<void> | undefined;
    form.servers.sources.length = 0;
    form.servers.sources.push({
      label: 'slow.json',
      place: '',
      read: async () => {
        const posted = service.waitForRequest(({ method }) => method === 'POST', { phase: 'arrived' });
        saving = form.save({ values: { git_user_name: 'Grace' } });
        await posted;
        return { ok: true, text: '{"command":"uvx","name":"memory"}' };
      },
    });
    form.servers.replies.push({ pick: 'slow.json' }, {});
    await run();
    stalled.release();
    await saving;
    assert.match(form.servers.told.join(), /your last action wasn’t applied/);
    assert.deepEqual(added(), { servers: [], notices: [] });
  });

  describe('while disabled ones are being parked', () => {
    /** Imports an enabled and a disabled server; `meanwhile` happens before the disabled one is parked. */
    const runWith = async (meanwhile: () => Promise<void>) => {
      form.servers.clipboardText = JSON.stringify({
        servers: { off: { command: 'uvx', disabled: true }, on: { command: 'uvx' } },
      });
      form.servers.replies.push({ pick: 'Paste JSON' }, {});
      const park = form.parked.park.bind(form.parked);
      form.parked.park = async (...given) => {
        await meanwhile();
        return park(...given);
      };
      await run();
      assert.deepEqual(
        form.parked.list(service.url).map(({ name }) => name),
        ['off'],
      );
    };
    const wasParked = /^off is disabled in the file, so it was parked\. Restore it to use it\.$/;

    it('are in the form already, and are saved with it', async () => {
      await runWith(() => form.save(form.last('form').edits));
      assert.equal(form.result.kind, 'saved');
      const { model, serverNotices } = form.last('form');
      assert.ok(model.mcpServers.some(({ name }) => name === 'on'));
      assert.match(serverNotices.words.join('\n'), wasParked);
      assert.deepEqual(form.servers.told, []);
    });

    it('says what was parked after the connection changed', async () => {
      const other = await startService({ profile: 'observed', seed: 'lifelike' });
      await runWith(() => form.switchTo(clientOf(other)));
      assert.match(form.servers.told.join('\n'), wasParked);
      assert.deepEqual(form.last('form').serverNotices.words, []);
      assert.match(form.notices, /Your unsaved changes for .* are kept/);
      await other.close();
    });

    it('says what was parked when a save has begun', async () => {
      const stalled = service.fail({
        method: 'POST',
        path: '/api/settings',
        effect: { kind: 'stallBeforeHeaders' },
      });
      let saving: Promise<void> | undefined;
      await runWith(async () => {
        const posted = service.waitForRequest(({ method }) => method === 'POST', { phase: 'arrived' });
        saving = form.save({ ...form.last('form').edits, values: { git_user_name: 'Grace' } });
        await posted;
      });
      stalled.release();
      await saving;
      assert.match(form.servers.told.join('\n'), wasParked);
      assert.ok(form.last('form').model.mcpServers.some(({ name }) => name === 'on'));
    });
  });

  it('imports nothing into another connection', async () => {
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    form.servers.sources.length = 0;
    form.servers.sources.push({
      label: 'slow.json',
      place: '',
      read: async () => {
        form.client = clientOf(other);
        await form.host.sessionChanged(true);
        return { ok: true, text: '{"command":"uvx","name":"memory"}' };
      },
    });
    form.servers.replies.push({ pick: 'slow.json' }, {});
    await run();
    assert.match(form.servers.told[0] ?? '', /Nothing was done/);
    assert.deepEqual(form.host.open?.edits, noEdits);
    await other.close();
  });
});
