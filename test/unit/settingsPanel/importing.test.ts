import assert from 'node:assert/strict';
import { back } from '../../../src/platform/flow';
import type { ChoiceQuestion, TextQuestion } from '../../../src/settingsPanel/servers/ports';
import { importServers } from '../../../src/settingsPanel/servers/importing';
import { startService, type ReferenceService } from '../../service/service';
import type { Reply } from './serverPorts';
import { clientOf, Harness, noEdits } from './support';

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

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    await form.open();
    form.servers.offer('mcp.json', file);
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const run = () => importServers(form.host);
  const arrivals = () => form.all('servers').flatMap(({ event }) => (event.kind === 'added' ? [event] : []));
  const added = () => {
    const event = arrivals().at(-1);
    assert.ok(event);
    return event;
  };
  const choices = (index: number) => (form.servers.asked[index] as ChoiceQuestion<unknown>).choices;
  const text = (index: number) => form.servers.asked[index] as TextQuestion;
  const answers: Reply[] = [
    { pick: 'mcp.json' },
    {},
    { type: 'canary-key' },
    { type: 'dev' },
    { pick: 'Leave it open' },
  ];

  it('brings the servers into the list unsaved, their secrets into memory alone', async () => {
    form.servers.environment = { CI_TOKEN: 'canary-token' };
    form.servers.replies.push(...answers.slice(0, 4), {
      pick: 'Use CI_TOKEN of this computer’s environment',
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
    assert.match(notices.join('\n'), /2 servers were imported.*not saved yet/);
    assert.match(notices.join('\n'), /weather: not carried over: .*X-Team/);
    assert.match(notices.join('\n'), /build: What you enter for “branch”/);
    assert.equal(service.requests.length, posts);
    const told = JSON.stringify([form.posted, form.logged, [...form.drafts], form.servers.told]);
    assert.doesNotMatch(told, /canary/);

    form.secret = 'sandbox';
    const list = [...form.last('model').model.mcpServers, ...servers];
    await form.save({ mcpServers: list });
    assert.equal(form.result.kind, 'saved', JSON.stringify(form.result));
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    assert.equal(config['shttp_servers']?.at(-1)?.['api_key'], 'canary-key');
    assert.deepEqual(config['stdio_servers']?.at(-1)?.['env'], {
      BUILD_TOKEN: 'canary-token',
      BUILD_MODE: 'canary-mode',
    });
  });

  it('shows in the preview what each server is, asks for and loses, without its secrets', async () => {
    form.servers.replies.push(...answers);
    await run();
    const [weather, build] = choices(1);
    assert.equal(weather?.label, 'weather');
    assert.equal(weather.description, 'HTTP · https://weather.example.com/mcp');
    assert.match(weather.detail ?? '', /Cannot be carried: .*X-Team/);
    assert.match(weather.detail ?? '', /Will ask for: weather-key/);
    assert.match(build?.detail ?? '', /Variables: BUILD_TOKEN, BUILD_MODE/);
    assert.doesNotMatch(JSON.stringify([weather, build]), /canary/);
  });

  it('marks and leaves out what is in the list already', async () => {
    const { mcpServers } = form.last('model').model;
    const held = mcpServers.find(({ kind }) => kind !== 'stdio');
    assert.ok(held);
    form.servers.sources.length = 0;
    form.servers.offer(
      'dup.json',
      JSON.stringify({ servers: { again: { url: held.url }, fresh: { url: 'https://f.example' } } }),
    );
    form.servers.replies.push({ pick: 'dup.json' }, {});
    await run();
    assert.match(choices(1)[0]?.detail ?? '', /^Duplicate: .* is in your list already/);
    assert.deepEqual(
      choices(1).map(({ picked }) => picked),
      [false, true],
    );
    assert.deepEqual(
      added().servers.map(({ url }) => url),
      ['https://f.example'],
    );
  });

  it('hides what is typed for secrets, and proposes the default of what is none', async () => {
    form.servers.replies.push(...answers);
    await run();
    assert.equal(text(2).password, true);
    assert.match(text(2).prompt, /weather-key: Key of the weather service For the API key\. Leave it empty/);
    assert.equal(text(3).password, false);
    assert.equal(text(3).value, 'main');
    assert.match(text(3).prompt, /not treat this as a secret/);
    assert.deepEqual([text(2).step, text(2).totalSteps], [1, 3]);
  });

  it('never offers the value of a variable, nor one that this computer does not have', async () => {
    form.servers.environment = { OTHER: 'canary' };
    form.servers.replies.push(...answers);
    await run();
    assert.deepEqual(
      choices(4).map(({ label }) => label),
      ['Enter a value…', 'Leave it open'],
    );
    const { servers } = added();
    const [token, mode] = servers[1]?.env ?? [];
    assert.deepEqual(token, { name: 'BUILD_TOKEN', presence: 'notSet', intention: 'keep' });
    assert.deepEqual(mode, { name: 'BUILD_MODE', presence: 'notSet', intention: 'replace' });
    assert.match(added().notices.join('\n'), /build: There is no value for \$\{env:CI_TOKEN\}/);
  });

  it('goes back from each question to the one before', async () => {
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

  it('brings nothing when it is left at any question', async () => {
    for (const count of [0, 1, 2, 3, 4]) {
      form.servers.replies.push(...answers.slice(0, count), { answer: undefined });
      await run();
      assert.equal(form.servers.replies.length, 0);
    }
    form.servers.replies.push({ pick: 'mcp.json' }, { untick: ['weather', 'build'] });
    await run();
    assert.equal(arrivals().length, 0);
    assert.deepEqual(form.host.open?.edits, noEdits);
  });

  it('says where a broken file is broken, and opens it there', async () => {
    form.servers.sources.length = 0;
    form.servers.offer('bad.json', '{\n  "servers": {\n    "a": { "url": }\n  }\n}');
    form.servers.action = 'Open File';
    form.servers.replies.push({ pick: 'bad.json' });
    await run();
    assert.match(form.servers.told[0] ?? '', /^bad\.json could not be imported\. Line 3, column 19: /);
    assert.deepEqual(form.servers.opened, [{ line: 3, column: 19 }]);
  });

  it('reads the clipboard when told to, and says what is wrong with it', async () => {
    form.servers.clipboardText = '{"command":"uvx","args":["memory"]}';
    form.servers.replies.push({ pick: 'Paste JSON' }, {});
    await run();
    assert.equal(added().servers[0]?.command, 'uvx');
    form.servers.clipboardText = 'canary password';
    form.servers.replies.push({ pick: 'Paste JSON' });
    await run();
    assert.match(form.servers.told[0] ?? '', /^The clipboard could not be imported\./);
    assert.doesNotMatch(form.servers.told.join(), /canary/);
  });

  it('names the entries that are no servers', async () => {
    form.servers.sources.length = 0;
    form.servers.offer('odd.json', '{"servers":{"ok":{"url":"https://o.example"},"bad":7}}');
    form.servers.replies.push({ pick: 'odd.json' }, {});
    await run();
    assert.match(added().notices.join('\n'), /Left out: bad: /);
  });

  it('keeps other unsaved edits, those of the moment before included', async () => {
    await form.send({ type: 'edits', edits: { ...noEdits, values: { git_user_name: 'Grace' } } });
    form.servers.replies.push(...answers);
    await run();
    assert.equal(form.host.open?.edits.values.git_user_name, 'Grace');
    assert.equal(form.host.open.edits.mcpServers?.length, 6);
  });

  it('shows the servers in a form that was hidden meanwhile', async () => {
    const { document } = form.last('model');
    form.host.hidden();
    form.servers.replies.push(...answers);
    await run();
    assert.equal(arrivals().length, 0);
    const kept = { document, edits: { ...noEdits, values: { git_user_name: 'Grace' } } };
    await form.send({ type: 'ready', kept });
    const { edits, notices } = form.last('model');
    assert.equal(edits.mcpServers?.length, 6);
    assert.equal(edits.values.git_user_name, 'Grace');
    assert.match(notices.join('\n'), /2 servers were imported/);
    await form.send({ type: 'ready', kept: { document, edits: noEdits } });
    assert.equal(form.last('model').edits.mcpServers, null);
  });

  it('brings nothing into another connection', async () => {
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
    assert.match(form.servers.told[0] ?? '', /Nothing was imported/);
    assert.deepEqual(form.host.open?.edits, noEdits);
    await other.close();
  });
});
