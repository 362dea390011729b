import assert from 'node:assert/strict';
import { exportServers } from '../../../src/settingsPanel/servers/exporting';
import { startService, type ReferenceService } from '../../service/service';
import { MemoryFile } from './serverPorts';
import { clientOf, Harness, noEdits } from './support';

describe('exporting MCP servers', () => {
  let service: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const run = () => exportServers(form.host);
  const secrets = () => {
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    const found = Object.values(config)
      .flat()
      .flatMap((server) => [server['api_key'], ...(Object.values(server['env'] ?? {}) as unknown[])])
      .filter((value): value is string => typeof value === 'string' && value !== '');
    assert.ok(found.length > 0);
    return found;
  };

  it('shows every server in a new document, secrets as inputs', async () => {
    form.servers.replies.push({}, { pick: 'New Document' });
    await run();
    const [text = ''] = form.servers.shown;
    for (const secret of secrets()) assert.ok(!text.includes(secret));
    assert.match(text, /\$\{input:/);
    const count = form.last('model').model.mcpServers.length;
    assert.match(
      form.servers.told[0] ?? '',
      new RegExp(`^${count} servers were exported\\. Secrets were left out`),
    );
    assert.match(form.servers.told[0] ?? '', /no place for the time-outs of: /);
  });

  it('exports the list as it stands in the form, and of it what is ticked', async () => {
    const [first] = form.last('model').model.mcpServers;
    assert.ok(first);
    const edits = {
      ...noEdits,
      mcpServers: [{ ...first, kind: 'sse' as const, url: 'https://edited.example' }],
    };
    await form.send({ type: 'edits', edits });
    form.servers.replies.push({}, { pick: 'New Document' });
    await run();
    assert.deepEqual(Object.keys((JSON.parse(form.servers.shown[0] ?? '') as { servers: object }).servers), [
      'edited-example',
    ]);
    form.servers.replies.push({ untick: ['https://edited.example'] });
    await run();
    assert.equal(form.servers.shown.length, 1);
  });

  it('adds to the workspace’s file and leaves what is there', async () => {
    const file = new MemoryFile(
      '.vscode/mcp.json of folder x',
      '{\n  // mine\n  "servers": { "own": { "command": "x" } }\n}\n',
    );
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(file.text ?? '', /\/\/ mine\n {2}"servers": \{\s+"own": \{\s+"command": "x"/);
    assert.match(file.text ?? '', /\$\{input:/);
  });

  it('makes the workspace’s file where there is none, and opens it when asked', async () => {
    const file = new MemoryFile('.vscode/mcp.json of folder x');
    form.servers.files.push(file);
    form.servers.action = 'Open File';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(file.text ?? '', /^\{\n {2}"servers"/);
    assert.deepEqual(file.opened, [null]);
  });

  it('asks before it replaces a server of the same name, and replaces nothing without a yes', async () => {
    const own = '{"servers":{"search-example-com":{"command":"mine"}}}';
    const [first] = form.last('model').model.mcpServers;
    assert.ok(first);
    await form.send({
      type: 'edits',
      edits: { ...noEdits, mcpServers: [{ ...first, kind: 'shttp', url: 'https://search.example.com/mcp' }] },
    });
    const file = new MemoryFile('.vscode/mcp.json of folder x', own, true);
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(
      form.servers.told[0] ?? '',
      /has other servers of these names: search-example-com\. Replace them\?/,
    );
    assert.equal(file.text, own);

    form.servers.action = 'Replace';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.doesNotMatch(file.text, /mine/);
    assert.match(form.servers.told.at(-1) ?? '', /unsaved changes, so saving it is left to you/);
  });

  it('leaves a broken file as it is, says where it is broken and opens it there', async () => {
    const file = new MemoryFile('.vscode/mcp.json of folder x', '{ "servers": [] }');
    form.servers.files.push(file);
    form.servers.action = 'Open File';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(form.servers.told[0] ?? '', /was left as it is.*Line 1, column 14/);
    assert.equal(file.text, '{ "servers": [] }');
    assert.deepEqual(file.opened, [{ line: 1, column: 14 }]);
  });

  it('writes to a file that the user names', async () => {
    form.servers.chosenFile = new MemoryFile('out.json');
    form.servers.replies.push({}, { pick: 'Save to File…' });
    await run();
    assert.match(form.servers.chosenFile.text ?? '', /"servers"/);
  });

  it('says so when there is nothing to export, and does not say that it did when it failed', async () => {
    await form.send({ type: 'edits', edits: { ...noEdits, mcpServers: [] } });
    await run();
    assert.match(form.servers.told[0] ?? '', /no MCP server to export/);
    await form.send({ type: 'edits', edits: noEdits });
    const file = new MemoryFile('.vscode/mcp.json of folder x');
    file.write = () => Promise.reject(new Error('The disk is full.'));
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await assert.rejects(run(), /The disk is full/);
    assert.equal(form.servers.told.length, 1);
  });
});
