import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { checkOutWith } from '../../../src/features/changes/commands/folder/checkedOut';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { type ApplyPlan, planChanges } from '../../../src/features/changes/model/planning';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { TestSandbox } from './support';
import { apply, read } from './trees';

const pointerTo = (content: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${Buffer.byteLength(content)}\n`;

describe('changes of files that aren’t in a folder as git holds them', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => sandbox.dispose());

  /** A repository in the sandbox and its clone here; the sandbox may not know all that this computer does. */
  const begin = (files: Record<string, string | Buffer>, here: readonly string[] = []) => {
    sandbox.clone(files);
    sandbox.git('', ...here, 'clone', '--quiet', 'origin', 'here');
  };
  const agent = (name: string, content: string | Buffer) => sandbox.write(`work/shop/${name}`, content);
  const mine = (name: string, content: string | Buffer) => sandbox.write(`here/${name}`, content);
  const local = (name: string, encoding: BufferEncoding = 'latin1') =>
    readFileSync(sandbox.at('here', name), encoding);
  const latin = (text: string) => Buffer.from(text, 'latin1');

  /** Applies what the agent did; resolves to why not, by path. */
  async function take(folder = 'here'): Promise<Record<string, string> & { conflicts?: number }> {
    const place = { root: sandbox.at('work/shop'), folder: sandbox.at('work'), branch: null, at: null };
    const source = new SandboxChanges(sandbox.workspace, place, new ContentCache());
    const ofGit = () => [...sandbox.snapshot('here')].filter(([name]) => name.startsWith('.git/'));
    const before = ofGit();
    const target = {
      read: (at: string) => Promise.resolve(read(sandbox.at(folder), at)),
      windows: false,
      checkOut: checkOutWith('git', sandbox.at(folder)),
    };
    const plan: ApplyPlan = await planChanges(
      await source.list(),
      source.content.bind(source),
      target,
      () => undefined,
    );
    assert.deepEqual(ofGit(), before);
    for (const one of plan.changes.toSorted((a) => (a.after === null ? -1 : 1)))
      await apply(sandbox.at(folder), one);
    const conflicts = plan.changes
      .filter((one) => one.conflicts > 0)
      .map(({ path }) => [path, 'conflict'] as const);
    return Object.fromEntries([...plan.refused.map(({ path, why }) => [path, why] as const), ...conflicts]);
  }
  const isClean = () => sandbox.git('here', 'status', '--porcelain', '--untracked-files=no');

  it('keep their encoding: edited, edited on both sides, new, and moved', async () => {
    const attributes = '*.txt working-tree-encoding=ISO-8859-1\n*.u16 working-tree-encoding=UTF-16LE\n';
    const body = Array.from({ length: 20 }, (_, line) => `Zeile ${line} ä\n`).join('');
    begin({
      '.gitattributes': attributes,
      'a.txt': latin('é\nb\nc\n'),
      'both.txt': latin(body),
      'w.u16': Buffer.from('ü\n', 'utf16le'),
      'old.txt': latin(`${body}x`),
    });
    agent('a.txt', latin('é\nb\nc\nü\n'));
    agent('both.txt', latin(body.replace('Zeile 3 ä', 'Zeile drei ö')));
    mine('both.txt', latin(body.replace('Zeile 17 ä', 'siebzehn ß')));
    agent('w.u16', Buffer.from('ü\nmore ü\n', 'utf16le'));
    agent('new.txt', latin('neu ß\n'));
    agent('new.u16', Buffer.from('neu ß\n', 'utf16le'));
    sandbox.git('work/shop', 'mv', 'old.txt', 'moved.txt');
    assert.deepEqual(await take(), {});
    assert.equal(local('a.txt'), 'é\nb\nc\nü\n');
    assert.equal(
      local('both.txt'),
      body.replace('Zeile 3 ä', 'Zeile drei ö').replace('Zeile 17 ä', 'siebzehn ß'),
    );
    assert.equal(local('w.u16', 'utf16le'), 'ü\nmore ü\n');
    assert.equal(local('new.txt'), 'neu ß\n');
    assert.equal(local('new.u16', 'utf16le'), 'neu ß\n');
    assert.equal(local('moved.txt'), `${body}x`);
  });

  it('have the line ends that git gives them here', async () => {
    begin(
      { '.gitattributes': '*.bat text eol=crlf\n*.sh text eol=lf\n', 'old.bat': '1\r\n2\r\n', a: '1\n' },
      ['-c', 'core.autocrlf=true'],
    );
    sandbox.git('here', 'config', 'core.autocrlf', 'true');
    agent('old.bat', '1\r\n2\r\n3\r\n');
    agent('run.bat', 'echo\n');
    agent('sub dir/run.sh', 'echo\n');
    agent('a', '1\n2\n');
    agent('new', '1\n');
    agent('data.bin', Buffer.from([0, 10, 13, 10]));
    assert.deepEqual(await take(), {});
    assert.equal(local('old.bat'), '1\r\n2\r\n3\r\n');
    assert.equal(local('run.bat'), 'echo\r\n');
    assert.equal(local('sub dir/run.sh'), 'echo\n');
    assert.equal(local('a'), '1\r\n2\r\n');
    assert.equal(local('new'), '1\r\n');
    assert.equal(local('data.bin'), '\0\n\r\n');
  });

  it('have the attributes that the agent gave them', async () => {
    begin({ a: '1\n' });
    agent('.gitattributes', '*.bat text eol=crlf\n');
    agent('sub/.gitattributes', '*.txt working-tree-encoding=ISO-8859-1\n');
    agent('run.bat', 'echo\r\n');
    agent('sub/ü.txt', latin('ß\n'));
    assert.deepEqual(await take(), {});
    assert.equal(local('run.bat'), 'echo\r\n');
    assert.equal(local('sub/ü.txt'), 'ß\n');
  });

  it('have git’s marks in them, which aren’t changes', async () => {
    begin({ '.gitattributes': '*.c ident\n', 'a.c': '/* $Id$ */\nint a;\nint b;\n' });
    rmSync(sandbox.at('here/a.c'));
    sandbox.git('here', 'checkout', '--quiet', 'a.c');
    assert.match(local('a.c'), /\$Id: [0-9a-f]{40} \$/);
    agent('a.c', '/* $Id$ */\nint two;\nint b;\n');
    assert.deepEqual(await take(), {});
    assert.match(local('a.c'), /\$Id: [0-9a-f]{40} \$ \*\/\nint two;\nint b;\n$/);
  });

  it('go through the filters of this computer, or are named where one fails', async () => {
    begin({
      '.gitattributes': '*.up filter=up\n*.no filter=no\n',
      'a.up': 'one\n',
      'a.no': 'one\n',
      'b.no': 'one\n',
      'z.up': 'z\n',
    });
    sandbox.git('here', 'config', 'filter.up.smudge', 'tr a-z A-Z');
    sandbox.git('here', 'config', 'filter.up.clean', 'tr A-Z a-z');
    for (const name of ['a.up', 'z.up']) rmSync(sandbox.at('here', name));
    sandbox.git('here', 'checkout', '--quiet', '.');
    sandbox.git('here', 'config', 'filter.no.required', 'true');
    sandbox.git('here', 'config', 'filter.no.smudge', 'no-such-program');
    for (const name of ['a.up', 'z.up', 'new.up']) agent(name, `${name} two\n`);
    for (const name of ['a.no', 'b.no', 'new.no']) agent(name, 'two\n');
    mine('b.no', 'as it was when the filter was there\n');
    assert.equal(local('a.up'), 'ONE\n');
    assert.deepEqual(await take(), { 'b.no': 'filter', 'new.no': 'filter' });
    // As git holds it, here, too.
    assert.equal(local('a.no'), 'two\n');
    for (const name of ['a.up', 'z.up', 'new.up']) assert.equal(local(name), `${name} two\n`.toUpperCase());
  });

  it('stay as they are, and are named, where a filter fails with one side only', async () => {
    begin({ '.gitattributes': '*.x filter=x\n', 'a.x': 'bad\n', 'b.x': 'good\n', 'c.x': 'good\n' });
    sandbox.git('here', 'config', 'filter.x.required', 'true');
    sandbox.git(
      'here',
      'config',
      'filter.x.smudge',
      `sh -c 'text=$(cat); [ "$text" != bad ] && echo "$text."'`,
    );
    for (const [name, here, content] of [
      ['a.x', 'mine\n', 'good now\n'],
      ['b.x', 'good.\n', 'bad\n'],
      ['c.x', 'good.\n', 'better\n'],
    ] as const) {
      mine(name, here);
      agent(name, content);
    }
    assert.deepEqual(await take(), { 'a.x': 'filter', 'b.x': 'filter' });
    assert.deepEqual([local('a.x'), local('b.x'), local('c.x')], ['mine\n', 'good.\n', 'better.\n']);
  });

  describe('because they are in Git LFS', () => {
    const [old, now] = ['old content\n', 'new content\n'];
    beforeEach(() => {
      begin({
        '.gitattributes': '*.psd filter=lfs -text\n',
        'a.psd': pointerTo(old),
        'b.psd': pointerTo(old),
        'c.psd': pointerTo(old),
        'early.psd': pointerTo(old).replace('git-lfs', 'hawser'),
        'crlf.psd': pointerTo(old).replaceAll('\n', '\r\n'),
      });
      for (const name of ['a.psd', 'b.psd', 'c.psd', 'early.psd', 'crlf.psd']) mine(name, old);
    });

    it('are taken where the agent has the content, and the file here is untouched', async () => {
      agent('a.psd', now);
      agent('b.psd', Buffer.from([0, 1, 2]));
      rmSync(sandbox.at('work/shop/c.psd'));
      assert.deepEqual(await take(), {});
      assert.deepEqual([local('a.psd'), local('b.psd')], [now, '\0\x01\x02']);
      assert.throws(() => local('c.psd'));
    });

    it('are named where the agent has a pointer only, or the file was changed here', async () => {
      agent('a.psd', pointerTo(now));
      agent('new.psd', pointerTo(now));
      agent('b.psd', now);
      mine('b.psd', 'mine');
      assert.deepEqual(await take(), { 'a.psd': 'lfs', 'b.psd': 'lfs', 'new.psd': 'lfs' });
      assert.deepEqual([local('a.psd'), local('b.psd')], [old, 'mine']);
      assert.throws(() => local('new.psd'));
    });

    it('are known by pointers of early releases, and with any ends of lines', async () => {
      for (const name of ['early.psd', 'crlf.psd']) agent(name, now);
      assert.deepEqual(await take(), {});
      assert.deepEqual([local('early.psd'), local('crlf.psd')], [now, now]);
    });

    it('move with their content', async () => {
      sandbox.git('work/shop', 'mv', 'a.psd', 'moved.psd');
      const why = await take();
      assert.deepEqual(why, {});
      assert.equal(local('moved.psd'), old);
    });

    it('are pointers here, too, without Git LFS', async () => {
      mine('a.psd', pointerTo(old));
      agent('a.psd', pointerTo(now));
      assert.deepEqual(await take(), {});
      assert.equal(local('a.psd'), pointerTo(now));
    });
  });

  it('keep the form that they have here where that isn’t git’s', async () => {
    begin({ 'a.txt': '1\n2\n3\n', 'u.txt': 'ü\n' });
    mine('.gitattributes', '*.txt text eol=crlf working-tree-encoding=UTF-16\n');
    agent('a.txt', '1\n2\nthree\n');
    agent('u.txt', 'ü\nß\n');
    assert.deepEqual(await take(), {});
    assert.deepEqual([local('a.txt'), local('u.txt', 'utf8')], ['1\n2\nthree\n', 'ü\nß\n']);
  });

  it('arrive in a folder that isn’t a repository, and in one that is only a part of one', async () => {
    begin({ '.gitattributes': '*.bat text eol=crlf\n', 'a.bat': '1\r\n' });
    agent('run.bat', 'echo\n');
    sandbox.write('plain/a.bat', '1\r\n');
    assert.deepEqual(await take('plain'), {});
    assert.equal(readFileSync(sandbox.at('plain/run.bat'), 'latin1'), 'echo\n');
    sandbox.create('whole', { '.gitattributes': 'part/*.bat text eol=crlf\n', 'part/a.bat': '1\r\n' });
    assert.deepEqual(await take('whole/part'), {});
    assert.equal(readFileSync(sandbox.at('whole/part/run.bat'), 'latin1'), 'echo\r\n');
    assert.equal(isClean(), '');
  });
});
