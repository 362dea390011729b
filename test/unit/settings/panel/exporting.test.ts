import assert from 'node:assert/strict';
import { exportServers } from '../../../../src/features/settings/panel/servers/exporting';
import type { ReferenceService } from '../../../service/service';
import { MemoryFile } from './serverPorts';
import { type Harness, noEdits, openForm } from './support';

describe('exporting MCP servers', () => {
  let service: ReferenceService;
  let form: Harness;

  openForm((opened, started) => {
    form = opened;
    service = started;
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

  it('shows every server in a new document, with secrets as inputs', async () => {
    form.servers.replies.push({}, { pick: 'New Document' });
    await run();
    const [text = ''] = form.servers.shown;
    for (const secret of secrets()) assert.ok(!text.includes(secret));
    assert.match(text, /\$\{input:/);
    const count = form.last('form').model.mcpServers.length;
    assert.match(
      form.servers.told[0] ?? '',
      new RegExp(`^${count} servers exported\\. Secrets were left out`),
    );
    assert.match(form.servers.told[0] ?? '', /support timeouts\. They were left out for: /);
  });

  it('names what the form has no field for', async () => {
    const config = service.state.settings?.mcp_config as unknown as Record<string, Record<string, unknown>[]>;
    const server = config['shttp_servers']?.[0];
    assert.ok(server);
    Object.assign(server, { timeout: 60, headers: { 'X-Team': 'canary' }, description: 'Harmless' });
    await form.send({ type: 'revert' });
    form.servers.replies.push({}, { pick: 'New Document' });
    await run();
    const words = form.servers.told[0] ?? '';
    assert.ok(words.endsWith(` Not exported: ${String(server['url'])}: headers.`), words);
    assert.ok(!JSON.stringify([form.servers.shown, words]).includes('canary'));
  });

  it('exports the selected servers as edited in the form', async () => {
    const [first] = form.last('form').model.mcpServers;
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

  it('adds to the workspace’s file and keeps its contents', async () => {
    const file = new MemoryFile(
      '.vscode/mcp.json in folder x',
      '{\n  // mine\n  "servers": { "own": { "command": "x" } }\n}\n',
    );
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(file.text ?? '', /\/\/ mine\n {2}"servers": \{\s+"own": \{\s+"command": "x"/);
    assert.match(file.text ?? '', /\$\{input:/);
  });

  it('creates the workspace’s file, and opens it on request', async () => {
    const file = new MemoryFile('.vscode/mcp.json in folder x');
    form.servers.files.push(file);
    form.servers.action = 'Open File';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(file.text ?? '', /^\{\n {2}"servers"/);
    assert.deepEqual(file.opened, [null]);
  });

  it('replaces a server of the same name only if the user agrees', async () => {
    const own = '{"servers":{"search-example-com":{"command":"mine"}}}';
    const [first] = form.last('form').model.mcpServers;
    assert.ok(first);
    await form.send({
      type: 'edits',
      edits: { ...noEdits, mcpServers: [{ ...first, kind: 'shttp', url: 'https://search.example.com/mcp' }] },
    });
    const file = new MemoryFile('.vscode/mcp.json in folder x', own, true);
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(
      form.servers.told[0] ?? '',
      /already has other servers with these names: search-example-com\. Replace them\?/,
    );
    assert.equal(file.text, own);

    form.servers.action = 'Replace';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.doesNotMatch(file.text, /mine/);
    assert.match(form.servers.told.at(-1) ?? '', /unsaved changes, so it wasn’t saved/);
  });

  it('leaves an invalid file unchanged, and opens it at the error', async () => {
    const file = new MemoryFile('.vscode/mcp.json in folder x', '{ "servers": [] }');
    form.servers.files.push(file);
    form.servers.action = 'Open File';
    form.servers.replies.push({}, { pick: file.label });
    await run();
    assert.match(form.servers.told[0] ?? '', /so it wasn’t changed.*Line 1, column 14/);
    assert.equal(file.text, '{ "servers": [] }');
    assert.deepEqual(file.opened, [{ line: 1, column: 14 }]);
  });

  it('writes to a file the user selects', async () => {
    form.servers.chosenFile = new MemoryFile('out.json');
    form.servers.replies.push({}, { pick: 'Save to File…' });
    await run();
    assert.match(form.servers.chosenFile.text ?? '', /"servers"/);
  });

  it('says so if that file had unsaved changes, and opens it on request', async () => {
    const file = new MemoryFile('out.json', '{}', true);
    form.servers.chosenFile = file;
    form.servers.action = 'Open File';
    form.servers.replies.push({}, { pick: 'Save to File…' });
    await run();
    assert.match(form.servers.told[0] ?? '', /unsaved changes, so it wasn’t saved/);
    assert.deepEqual(file.opened, [null]);
  });

  it('reports an empty list, and never reports success after a failure', async () => {
    await form.send({ type: 'edits', edits: { ...noEdits, mcpServers: [] } });
    await run();
    assert.match(form.servers.told[0] ?? '', /no MCP servers to export/);
    await form.send({ type: 'edits', edits: noEdits });
    const file = new MemoryFile('.vscode/mcp.json in folder x');
    file.write = () => Promise.reject(new Error('The disk is full.'));
    form.servers.files.push(file);
    form.servers.replies.push({}, { pick: file.label });
    await assert.rejects(run(), /The disk is full/);
    assert.equal(form.servers.told.length, 1);
  });
});
