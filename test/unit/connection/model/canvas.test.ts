import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../../../src/api/service/client';
import { findLocalCanvas, keyFileFor, readCanvasKey } from '../../../../src/features/connection/model/canvas';
import type { Connection } from '../../../../src/shared/connection';
import { startAgentServer } from '../../../service/agent/byItself';
import { tempFolder, type TempFolder } from '../../../support/lifetime';

describe('Agent Canvas on this computer', () => {
  let home: TempFolder;
  const usual = { HOME: process.env['HOME'], USERPROFILE: process.env['USERPROFILE'] };
  const write = (content: string | Buffer) => {
    const file = path.join(home.path, '.openhands', 'agent-canvas', 'api-key.txt');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const client = ({ baseUrl }: Connection) => createClient({ baseUrl, sessionKey: 'no-key' });

  beforeEach(async () => {
    home = await tempFolder();
    process.env['HOME'] = process.env['USERPROFILE'] = home.path;
  });
  afterEach(async () => {
    for (const [name, value] of Object.entries(usual))
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    await home.remove();
  });

  it('has a key file only if this user started it, and only at an address of this computer', () => {
    assert.equal(keyFileFor('http://localhost:8000'), undefined);
    const file = write('key');
    assert.equal(keyFileFor('http://localhost:8000'), file);
    assert.equal(keyFileFor('http://127.0.0.1:9000'), file);
    for (const other of [
      'http://10.0.0.5:8000',
      'https://canvas.example.com',
      'http://localhost.example.com',
    ])
      assert.equal(keyFileFor(other), undefined, other);
  });

  it('is found if it answers, and asked nothing if it was never started here', async () => {
    const server = await startAgentServer({ release: '1.49.1', automations: true });
    assert.equal(await findLocalCanvas(client, server.url), undefined);
    assert.equal(server.asked.length, 0);
    const keyFile = write('key');
    const found = await findLocalCanvas(client, server.url);
    assert.equal(found?.keyFile, keyFile);
    assert.equal(found.connection.baseUrl, server.url);
    assert.ok(server.asked.every((asked) => !asked.includes('/api/')));
    await server.close();
    assert.equal(await findLocalCanvas(client, server.url), undefined);
  });

  it('isn’t what any other agent server is', async () => {
    write('key');
    const server = await startAgentServer({ release: '1.58.0' });
    assert.equal(await findLocalCanvas(client, server.url), undefined);
    await server.close();
  });

  it('has its key read as a line of text', async () => {
    assert.equal(await readCanvasKey(write(`${'0f'.repeat(32)}\n`)), '0f'.repeat(32));
    assert.equal(await readCanvasKey(write('\ufeffkey\r\n')), 'key');
  });

  for (const [what, content] of Object.entries({
    'an empty file': '',
    blanks: ' \n',
    'two lines': 'one\ntwo\n',
    'a key that no header can carry': 'schlüssel',
    'control characters': 'a\0b',
    'bytes that are no text': Buffer.from([0xff, 0xfe, 0x41]),
    'a file that is too long': 'k'.repeat(2_000),
  }))
    it(`has no key in ${what}`, async () => {
      assert.equal(await readCanvasKey(write(content)), undefined);
    });

  it('has no key in a folder, a pipe, a dangling link, or nothing', async () => {
    const at = (name: string) => path.join(home.path, name);
    mkdirSync(at('folder'));
    symlinkSync(at('missing'), at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const name of ['folder', 'pipe', 'link', 'missing'])
      assert.equal(await readCanvasKey(at(name)), undefined, name);
  });
});
