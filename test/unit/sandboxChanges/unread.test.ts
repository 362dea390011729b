import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { readRepositories } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { TestSandbox } from '../changes/support';

describe('what git can’t read in a sandbox', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => sandbox.dispose());

  const put = (name: string, content: string | Uint8Array) => sandbox.write(`work/shop/${name}`, content);
  const git = (...args: string[]) => sandbox.git('work/shop', ...args);
  const read = async () => {
    const place = { folder: sandbox.at('work'), branch: null, at: Date.now() - 3_600_000 };
    const [shop] = await readRepositories(sandbox.workspace, place, new ContentCache());
    const { files, unread, complete } = shop!.changes;
    return { files: files.map(({ kind, path }) => `${kind} ${path}`), unread: unread?.toSorted(), complete };
  };
  /** A filter whose program isn’t in the sandbox. */
  const filtered = (name = 'crypt') => {
    git('config', `filter.${name}.required`, 'true');
    git('config', `filter.${name}.clean`, 'no-such-program');
    git('config', `filter.${name}.smudge`, 'no-such-program');
  };

  it('is a file whose filter is missing; the others are listed', async () => {
    sandbox.clone({
      '.gitattributes': 'secret* filter=crypt\n',
      'secret 1': '1',
      'secret 2': '1',
      other: '1',
    });
    filtered();
    for (const name of ['secret 1', 'secret new', 'other', 'new']) put(name, 'changed');
    assert.deepEqual(await read(), {
      files: ['added new', 'modified other'],
      unread: ['secret 1', 'secret new'],
      complete: false,
    });
  });

  it('counts as a change, even if it’s the only one', async () => {
    sandbox.clone({ '.gitattributes': '* filter=git-crypt\n.gitattributes !filter\n', a: '1' });
    filtered('git-crypt');
    put('a', 'changed');
    assert.deepEqual(await read(), { files: [], unread: ['a'], complete: false });
  });

  it('is named among hundreds that can be read, and the other way round', async () => {
    sandbox.clone({ '.gitattributes': 'x/* filter=a b\n*.enc filter=crypt\n', first: '' });
    filtered();
    for (let number = 0; number < 700; number += 1)
      put(`file ${number}${number % 100 === 7 ? '.enc' : ''}`, '1');
    const some = await read();
    assert.equal(some.files.length, 693);
    assert.deepEqual(
      some.unread?.toSorted(),
      [7, 107, 207, 307, 407, 507, 607].map((number) => `file ${number}.enc`).toSorted(),
    );
  });

  it('is a name that git refuses', async () => {
    sandbox.clone({ a: '1' });
    put('git~1', 'x');
    put('a', '2');
    assert.deepEqual(await read(), { files: ['modified a'], unread: ['git~1'], complete: false });
  });

  it('is a file that isn’t in the encoding it should have', async () => {
    sandbox.clone({ '.gitattributes': '*.txt working-tree-encoding=UTF-16\n', b: '1' });
    put('bad.txt', Buffer.from([0x61, 0x62, 0x63]));
    put('good.txt', Buffer.from('\uFEFFgood', 'utf16le'));
    put('b', '2');
    assert.deepEqual(await read(), {
      files: ['modified b', 'added good.txt'],
      unread: ['bad.txt'],
      complete: false,
    });
  });

  it('isn’t what a sparse checkout leaves out, nor what is written there', async () => {
    sandbox.clone({ 'in/a': '1', 'out/b': '1' });
    git('sparse-checkout', 'set', 'in');
    assert.deepEqual(await read(), { files: [], unread: [], complete: true });
    put('out/b', '2');
    put('out/new', '1');
    put('in/new', '1');
    assert.deepEqual(await read(), {
      files: ['added in/new', 'modified out/b', 'added out/new'],
      unread: [],
      complete: true,
    });
  });

  it('isn’t a folder that became a link, a file that became a folder, or a conflict', async () => {
    sandbox.clone({ 'dir/x': 'x', 'target/x': 'other', file: 'file', both: '1' });
    git('checkout', '--quiet', '-b', 'other');
    put('both', 'theirs');
    sandbox.commit('work/shop', 'Theirs');
    git('checkout', '--quiet', 'main');
    put('both', 'ours');
    sandbox.commit('work/shop', 'Ours');
    assert.throws(() => git('merge', '--quiet', 'other'));
    rmSync(sandbox.at('work/shop/dir'), { recursive: true });
    renameSync(sandbox.at('work/shop/target'), sandbox.at('work/shop/moved'));
    sandbox.link('moved', 'work/shop/dir');
    rmSync(sandbox.at('work/shop/file'));
    mkdirSync(sandbox.at('work/shop/file'));
    put('file/inner', 'inner');
    const { files, unread, complete } = await read();
    assert.deepEqual([unread, complete], [[], true]);
    assert.deepEqual(files.filter((one) => !one.includes('moved')).toSorted(), [
      'added dir',
      'added file/inner',
      'deleted dir/x',
      'deleted file',
      'modified both',
    ]);
  });
});
