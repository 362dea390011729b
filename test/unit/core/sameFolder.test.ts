import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isSameFolder } from '../../../src/core/sameFolder';

type Server = Parameters<typeof isSameFolder>[0];

describe('whether a folder is the same on the server', () => {
  let root: string;
  let removed: string[];
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-same-')));
    mkdirSync(path.join(root, 'here'));
    removed = [];
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const here = () => path.join(root, 'here');
  /** A server that has a folder in place of the one here. */
  const serverWith = (there: string, more: Partial<Server> = {}): Server => {
    const place = (asked: string) => asked.replace(here(), there);
    return {
      listFolders: (asked) => {
        try {
          return Promise.resolve(readdirSync(place(asked)).map((name) => ({ name, path: name })));
        } catch {
          return Promise.resolve(undefined);
        }
      },
      writeFile: (file, content) => {
        writeFileSync(place(file), content);
        return Promise.resolve();
      },
      removeFile: (folder, name) => {
        removed.push(name);
        rmSync(path.join(place(folder), name));
        return Promise.resolve();
      },
      ...more,
    };
  };
  const content = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('agent-workspace'),
    );

  for (const isRepository of [true, false])
    it(`is proven by what the server writes there, ${isRepository ? 'unseen by git' : 'without a repository'}`, async () => {
      if (isRepository) execFileSync('git', ['init', '--quiet', here()]);
      let seen = '';
      const server = serverWith(here());
      const write: Server['writeFile'] = async (file, bytes) => {
        await server.writeFile(file, bytes);
        if (isRepository)
          seen = execFileSync('git', ['-C', here(), 'status', '--short'], { encoding: 'utf8' });
      };
      assert.equal(await isSameFolder({ ...server, writeFile: write }, here()), true);
      assert.deepEqual([seen, content(), removed], ['', [], []]);
    });

  it('is denied for another folder at the same path, where nothing stays either', async () => {
    mkdirSync(path.join(root, 'there'));
    assert.equal(await isSameFolder(serverWith(path.join(root, 'there')), here()), false);
    assert.deepEqual([content(), removed.length], [[], 1]);
  });

  it('is denied without a trace where the server has no such folder', async () => {
    const write = () => assert.fail('nothing may be written');
    const server = serverWith(path.join(root, 'none'), { writeFile: write });
    assert.equal(await isSameFolder(server, here()), false);
    assert.deepEqual(content(), []);
  });

  it('is denied where a link, or other words, are in place of the file', async () => {
    for (const write of [
      (file: string, bytes: Uint8Array) => {
        writeFileSync(path.join(root, 'target'), bytes);
        symlinkSync(path.join(root, 'target'), file);
      },
      (file: string) => writeFileSync(file, 'something else'),
    ]) {
      const writeFile: Server['writeFile'] = (file, bytes) => {
        write(file, bytes);
        return Promise.resolve();
      };
      assert.equal(await isSameFolder(serverWith(here(), { writeFile }), here()), false);
    }
    assert.deepEqual(content(), []);
  });

  it('is denied where the server refuses', async () => {
    const writeFile = () => Promise.reject(new Error('refused'));
    assert.equal(await isSameFolder(serverWith(here(), { writeFile }), here()), false);
  });
});
