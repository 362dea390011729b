import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filePlace } from '../../../../src/features/context/model/filePlace';
import { Harness } from './support';

const outside = 'Attach files from outside the workspace to “Fix the slug of umlauts”?';
const secret = 'Attach files that may contain secrets to “Fix the slug of umlauts”?';

describe('files that a page names', () => {
  let top: string;
  let test: Harness;
  let read: string[];
  const at = (name: string) => path.join(top, ...name.split('/'));
  const attached = () => test.stored.attachments.map(({ label }) => path.relative(top, label));
  const name = (...names: string[]) => test.send({ type: 'attachFiles', uris: names.map(at) });
  /** The question and the names of files in each. */
  const asked = () =>
    test.done.map((one) =>
      one
        .replaceAll(top + path.sep, '')
        .replaceAll(path.sep, '/')
        .split('\n'),
    );
  const ends = ['', 'The agent will be able to read them. [Attach]'];

  before(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-test-')));
    mkdirSync(at('work/src'), { recursive: true });
    mkdirSync(at('home/.ssh'), { recursive: true });
    const texts = {
      'work/a.ts': 'plain',
      'work/.env': 'NAME=value',
      'work/src/notes.txt': 'PuTTY-User-Key-File-2: ssh-rsa',
      'home/b.ts': 'plain',
      'home/.ssh/id_rsa': 'key',
    };
    for (const [file, text] of Object.entries(texts)) writeFileSync(at(file), text);
    symlinkSync(at('home'), at('work/linked'), 'junction');
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  beforeEach(async () => {
    read = [];
    test = await new Harness().open();
    const address = (file: string) => ({
      scheme: 'file',
      authority: '',
      path: file,
      query: '',
      fsPath: file,
    });
    test.files = {
      pickFiles: () => Promise.resolve([at('home/b.ts')]),
      locateFile: async (uri) => {
        if (uri.endsWith('no-uri')) return undefined;
        const place = await filePlace(address(uri), [address(at('work'))], () => Promise.resolve(false));
        return { uri, name: place.paths.join(' → '), ...place };
      },
      readFile: async (uri) => {
        read.push(path.relative(top, uri));
        const text = await readFile(uri, 'utf8').catch(() => undefined);
        return text === undefined ? undefined : { quote: { text, label: uri }, text };
      },
    };
  });

  it('are attached without a question in the workspace', async () => {
    await name('work/a.ts');
    assert.deepEqual(attached(), [path.join('work', 'a.ts')]);
    assert.deepEqual(test.done, []);
  });

  it('are asked about outside of it before they are read, and left out silently', async () => {
    for (const [given, shown] of [
      ['home/b.ts', 'home/b.ts'],
      ['work/../home/b.ts', 'home/b.ts'],
      ['work/linked/b.ts', 'work/linked/b.ts → home/b.ts'],
      ['home/.ssh/id_rsa', 'home/.ssh/id_rsa'],
      ['work/none.ts', 'work/none.ts'],
    ] as const) {
      test.done.length = 0;
      test.agrees = false;
      await name(given);
      assert.deepEqual(asked(), [[`asked ${outside} ${shown}`, ...ends]], given);
    }
    assert.deepEqual(read, []);
    assert.deepEqual(attached(), []);
    assert.deepEqual(test.take('notice'), []);
    assert.deepEqual(test.logged, []);
    await test.send({ type: 'send', text: 'Hello', revision: 1 });
    assert.deepEqual(test.model.calls, ['send Hello']);
  });

  it('are asked about if their name or content is that of a secret', async () => {
    test.agrees = false;
    await name('work/a.ts', 'work/.env', 'work/src/notes.txt');
    assert.deepEqual(asked(), [[`asked ${secret} work/.env`, 'work/src/notes.txt', ...ends]]);
    assert.deepEqual(attached(), [path.join('work', 'a.ts')]);
    assert.deepEqual(test.take('notice'), []);
  });

  it('are attached once the user agrees, to both questions if there are two', async () => {
    await name('work/a.ts', 'home/b.ts', 'work/linked/.ssh/id_rsa');
    assert.deepEqual(asked(), [
      [`asked ${outside} home/b.ts`, 'work/linked/.ssh/id_rsa → home/.ssh/id_rsa', ...ends],
      [`asked ${secret} work/linked/.ssh/id_rsa → home/.ssh/id_rsa`, ...ends],
    ]);
    assert.equal(attached().length, 3);
  });

  it('aren’t sent along while the question is open', async () => {
    test.host.ports.confirm = async () => {
      await test.send({ type: 'send', text: 'Hello', revision: 1 });
      return true;
    };
    await name('home/b.ts');
    assert.deepEqual(test.model.calls, ['send Hello']);
    assert.deepEqual(attached(), [path.join('home', 'b.ts')]);
  });

  it('are all named, on one line each, however many and whatever they are called', async () => {
    test.agrees = false;
    await name(...Array.from({ length: 49 }, (_, number) => `home/${number}.ts`), 'home/x\u202e\n\nfine.ts');
    const [lines = []] = asked();
    assert.equal(lines.length, 50 + ends.length);
    assert.equal(lines[49], 'home/x fine.ts');
  });

  it('are asked about only if they may hold secrets, where the user chose them in the editor’s dialog', async () => {
    await test.send({ type: 'addContext' });
    assert.deepEqual(test.done, []);
    assert.deepEqual(attached(), [path.join('home', 'b.ts')]);
    test.files.pickFiles = () =>
      Promise.resolve(['home/.ssh/id_rsa', 'work/src/notes.txt', 'home/b.ts'].map(at));
    test.agrees = false;
    await test.send({ type: 'addContext' });
    assert.deepEqual(asked(), [[`asked ${secret} home/.ssh/id_rsa`, 'work/src/notes.txt', ...ends]]);
    assert.equal(attached().length, 2);
  });

  it('are counted as unreadable only if they were allowed', async () => {
    await name('work/no-uri');
    assert.equal(test.take('notice').length, 1);
    await name('work/none.ts');
    assert.equal(test.take('notice').length, 1);
    test.agrees = false;
    await name('work/none.ts');
    assert.deepEqual(test.take('notice'), []);
  });
});
