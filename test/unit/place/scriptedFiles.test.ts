import assert from 'node:assert/strict';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import { exits } from '../../../src/features/place/model/fileScripts';
import { hashOf, SandboxFiles } from '../../../src/features/place/model/files';
import { settled } from '../../support/settled';
import { noTerminal } from '../changes/support';

const bytes = (text: string) => new TextEncoder().encode(text);
const lost = () => new ApiError('reset', 'POST', '/', { outcomeUnknown: true });
const failure = (status: number, reason: ApiError['reason'] = 'unexpectedStatus') =>
  new ApiError(reason, 'GET', '/', { status });

/** A listing as GNU’s find prints it, of entries such as `f 644 3 a`. */
const listing = (...entries: string[]) =>
  `//\nG${entries.map((one) => one.replace(/^(\w \d+ \d+) /, '$1 1 7 ') + '\0').join('')}`;

/** Output, the name of an exit code, or that itself; or no answer. */
type Reply = string | Error | Promise<never> | { code: number; output: string };

/** Files of a sandbox that answers as a test says. */
class Scripted {
  now = 0;
  isAsleep = false;
  reached = 0;
  /** Whether each command was about a tree, a folder, or something else. */
  readonly asked: string[] = [];
  readonly downloads: string[] = [];
  readonly uploads: string[] = [];
  readonly isReachable: boolean[] = [];
  root = '/w';
  reply: (script: string) => Reply = () => listing('f 644 3 a', 'd 755 1 dir', 'f 600 3 secret');
  content: (file: string) => Uint8Array | Error = () => bytes('old');
  upload: () => Promise<void> = () => Promise.resolve();
  reach: () => Promise<void> = () => Promise.resolve();

  private readonly workspace: SandboxWorkspace = {
    terminal: noTerminal,
    execute: async ({ command }) => {
      const isTree = command.includes('-prune');
      this.asked.push(isTree ? 'tree' : command.includes('-mindepth 1 -maxdepth 1') ? 'folder' : 'other');
      const reply = await this.reply(command);
      if (reply instanceof Error) throw reply;
      const isName = typeof reply === 'string' && reply in exits;
      const code = isName ? exits[reply as keyof typeof exits] : 0;
      const of = typeof reply === 'string' ? { code, output: isName ? '' : reply } : reply;
      const answer = `${of.output} ${of.code}`;
      return { exitCode: 0, stdout: `=${Buffer.from(answer).toString('base64')}=`, stderr: '' };
    },
    download: (file) => this.got(file),
    downloadPiece: async (file, { from, length }) => {
      const whole = await this.got(file);
      return { bytes: whole.subarray(from, from + length), from, size: whole.length, tag: '"1"' };
    },
    upload: (file) => {
      this.uploads.push(file.replace(/[0-9a-f]{16}/, '…'));
      return this.upload();
    },
  };

  readonly files = new SandboxFiles(
    async () => {
      this.reached += 1;
      await this.reach();
      return { workspace: this.workspace, workingDir: this.root };
    },
    () => this.now,
    (isReachable) => void this.isReachable.push(isReachable),
    () => this.isAsleep,
  );

  async names(folder = this.root): Promise<string[]> {
    return [...(await this.files.list(folder)).keys()];
  }

  private got(file: string): Promise<Uint8Array> {
    this.downloads.push(file);
    const content = this.content(file);
    return content instanceof Error ? Promise.reject(content) : Promise.resolve(content);
  }
}

const refuses = (work: Promise<unknown>, reason: FileRefusal['reason']) =>
  assert.rejects(work, (error) => error instanceof FileRefusal && error.reason === reason);

describe('files of a sandbox, as it’s asked for them', () => {
  let of: Scripted;
  beforeEach(() => (of = new Scripted()));

  it('are listed as a tree, but folder by folder in heavy ones and where there are too many', async () => {
    await of.names('/w/node_modules');
    await of.names('/w/x/.git/refs');
    assert.deepEqual(of.asked, ['folder', 'folder']);
    of.reply = (script) =>
      script.includes('-prune') ? listing(`f 644 3 ${'x'.repeat(4_000_000 - 17)}`) : listing('f 644 1 b');
    assert.deepEqual([await of.names('/w'), of.asked.slice(2)], [['b'], ['tree', 'folder']]);
    // One byte less is all of it.
    of.reply = () => listing(`f 644 3 ${'x'.repeat(4_000_000 - 21)}`);
    await of.names('/w/y');
    assert.deepEqual(of.asked.slice(4), ['tree']);
  });

  it('are known by their folder alone, which says nothing of the folders in it', async () => {
    assert.equal((await of.files.stat('/w/a')).size, 3);
    await refuses(of.files.stat('/w/none'), 'missing');
    assert.deepEqual(of.asked, ['folder']);
    assert.equal(of.files.knownFolder('/w/dir')?.kind, 'folder');
    assert.deepEqual([of.files.knownFolder('/w/a'), of.files.knownFolder('/w/none')], [undefined, undefined]);
    await of.names();
    await of.names('/w/dir');
    await of.files.stat('/w/a');
    assert.deepEqual(of.asked, ['folder', 'tree']);
    const { kind, isLink } = await of.files.stat('/w');
    assert.deepEqual([kind, isLink, of.asked.length, await of.files.folder()], ['folder', false, 2, '/w']);
  });

  it('are asked for again where the sandbox may be by now, then as they were known last', async () => {
    await of.names();
    let failures = 1;
    const { reply } = of;
    of.reply = (script) => ((failures -= 1) >= 0 ? lost() : reply(script));
    of.files.forget();
    await of.names();
    assert.deepEqual([of.reached, of.asked.length, of.isReachable], [2, 3, []]);
    for (const error of [lost(), new Refusal('It’s starting.')]) {
      of = new Scripted();
      await of.names();
      await of.files.read('/w/a');
      of.now = 60_000;
      of.reply = () => error;
      of.content = () => error;
      assert.deepEqual(await of.names(), ['a', 'dir', 'secret']);
      assert.equal((await of.files.stat('/w/a')).size, 3);
      assert.equal(Buffer.from(await of.files.read('/w/a')).toString(), 'old');
      await assert.rejects(of.files.read('/w/secret'), error);
      await assert.rejects(of.names('/w/other'), error);
      await assert.rejects(of.files.refresh('/w'), error);
      assert.deepEqual([of.isReachable, of.files.isReachable], [[false], false]);
      of.reply = reply;
      await of.names();
      assert.deepEqual([of.isReachable, of.files.isReachable], [[false, true], true]);
    }
    // A refusal isn’t for want of a sandbox, and neither is a mistake here.
    of.now += 60_000;
    const { reached } = of;
    of.reply = () => 'noRight';
    await refuses(of.files.list('/w'), 'noRight');
    of.reply = () => new TypeError('oops');
    await assert.rejects(of.files.list('/w'), TypeError);
    assert.deepEqual([of.isReachable, of.reached], [[false, true], reached]);
  });

  it('are waited for until the sandbox is known to be paused', async () => {
    await of.names();
    of.now = 60_000;
    of.reply = () => new Promise<never>(() => undefined);
    const listing = of.names();
    const writing = assert.rejects(of.files.write('/w/a', bytes('2'), hashOf(bytes('1'))), /paused/);
    await settled();
    of.files.giveUp();
    assert.deepEqual(await listing, ['a', 'dir', 'secret']);
    await settled();
    of.files.giveUp();
    await writing;
    // Where it is then is asked each time.
    const { reached } = of;
    of.isAsleep = true;
    of.reach = () => Promise.reject(new Refusal('It’s paused.'));
    for (let n = 1; n < 3; n += 1) {
      assert.deepEqual(await of.names(), ['a', 'dir', 'secret']);
      assert.equal(of.reached, reached + n);
    }
  });

  it('are read by the server’s route, or by the shell where the route can’t', async () => {
    const line = '/w/a\nb';
    of.reply = (script) =>
      script.includes('mindepth') ? listing('f 644 3 a', 'f 644 3 a\nb', 'p 644 0 p') : 'shell';
    const read = async (file: string) => Buffer.from(await of.files.read(file)).toString();
    assert.deepEqual([await read('/w/a'), await read(line), of.downloads], ['old', 'shell', ['/w/a']]);
    for (const status of [400, 422, 500]) {
      of.content = () => failure(status);
      assert.equal(await read('/w/a'), 'shell');
    }
    of.content = () => failure(404);
    await refuses(of.files.read('/w/a'), 'missing');
    of.content = () => new ApiError('tooLarge', 'GET', '/');
    await refuses(of.files.read('/w/a'), 'tooLarge');
    of.reply = () =>
      listing('d 755 1 a', `f 644 ${100 * 1024 * 1024 + 1} b`, `f 644 ${100 * 1024 * 1024} c`, 'p 644 0 p');
    of.files.forget();
    await refuses(of.files.read('/w/a'), 'isFolder');
    await refuses(of.files.read('/w/b'), 'tooLarge');
    await refuses(of.files.read('/w/p'), 'noFile');
    of.content = () => bytes('c');
    assert.equal(await read('/w/c'), 'c');
  });

  it('are read in pieces without a look at them first', async () => {
    const piece = async (file: string) => of.files.piece(file, { from: 1, length: 1 });
    const { bytes: got, ...facts } = await piece('/w/a');
    assert.deepEqual([Buffer.from(got).toString(), facts], ['l', { from: 1, size: 3, tag: '"1"' }]);
    of.reply = () => 'shell';
    const whole = await piece('/w/a\nb');
    assert.deepEqual([whole.from, whole.size, whole.tag], [0, 5, undefined]);
    await refuses(piece('/elsewhere'), 'outside');
    for (const [error, isRefusal, again] of [
      [failure(404), true, 0],
      [new ApiError('tooLarge', 'GET', '/'), true, 0],
      [failure(400), false, 0],
      [failure(401), false, 1],
    ] as const) {
      const { reached } = of;
      of.content = () => error;
      await assert.rejects(piece('/w/a'), (thrown) =>
        isRefusal ? thrown instanceof FileRefusal : thrown === error,
      );
      of.content = () => bytes('old');
      await piece('/w/a');
      assert.equal(of.reached - reached, again);
    }
  });

  it('are uploaded beside their place, and where others can’t see them if they’re private', async () => {
    of.reply = (script) =>
      script.includes('mindepth')
        ? listing('f 644 3 a', 'f 600 3 secret', 'f 640 1 group', 'd 755 1 .git')
        : '0 644 5 2.0004';
    const save = async (name: string, isNew = false) => {
      of.uploads.length = 0;
      await of.files
        .write(`/w/${name}`, bytes('saved'), isNew ? null : hashOf(bytes('old')))
        .catch(() => undefined);
      return of.uploads[0];
    };
    assert.equal(await save('a', true), '/w/.agent-workspace-answer-…/content');
    // What isn’t known may be private.
    assert.equal(await save('a'), undefined);
    await of.names();
    for (const name of ['a', 'group'])
      assert.equal(await save(name), '/w/.git/agent-workspace-answer-…/content');
    const { size, mode, modifiedAt } = await of.files.stat('/w/a');
    assert.deepEqual([size, mode, modifiedAt], [5, 0o644, 2_000]);
    assert.equal(await save('secret'), undefined);
    assert.equal(await save('secret', true), '/w/.git/agent-workspace-answer-…/content');
  });

  it('are known as they were saved, each for a while, although their folder was listed long ago', async () => {
    await of.names();
    of.now = 60_000;
    of.reply = () => '1 644 5 2';
    await of.files.write('/w/a', bytes('saved'), hashOf(bytes('old')));
    await of.files.write('/w/new', bytes('saved'), null);
    await of.files.write('/w/dir/elsewhere', bytes('saved'), null);
    assert.deepEqual(of.asked, ['tree', 'other', 'other', 'other']);
    of.reply = () => listing('f 644 3 a');
    for (const [name, size] of [
      ['a', 5],
      ['new', 5],
      ['dir/elsewhere', 5],
    ] as const)
      assert.equal((await of.files.stat(`/w/${name}`)).size, size);
    assert.deepEqual([(await of.files.stat('/w/a')).isLink, of.asked.length], [true, 4]);
    of.now = 62_000;
    await refuses(of.files.stat('/w/new'), 'missing');
    assert.equal((await of.files.stat('/w/a')).size, 3);
    assert.equal(of.asked.length, 5);
  });

  it('aren’t what was known anymore after a change that failed', async () => {
    for (const [error, again] of [
      ['changed', 0],
      [lost(), 1],
      [new Refusal('no'), 1],
    ] as const) {
      of = new Scripted();
      const { reply } = of;
      await of.names();
      of.reply = () => error;
      await assert.rejects(of.files.delete('/w/a', false));
      of.reply = reply;
      await of.names();
      assert.deepEqual([of.asked, of.reached], [['tree', 'other', 'tree'], 1 + again], String(error));
    }
    const works = [
      () => of.files.delete('/w', true),
      () => of.files.createFolder('/x'),
      () => of.files.rename('/w/a', '/x', true),
      () => of.files.findLines('/', 'x'),
      () => of.files.findNames('/ww', 'x'),
    ];
    const { length } = of.asked;
    for (const work of works) await refuses(work(), 'outside');
    assert.equal(of.asked.length, length);
  });

  it('say what a program said why they couldn’t be changed, or else how it ended', async () => {
    for (const [code, output, words] of [
      [5, 'mv: odd', 'The sandbox’s shell failed: mv: odd. Check the file before trying again.'],
      [5, '', 'The sandbox’s shell failed: 5. Check the file before trying again.'],
      [99, 'what it printed', 'The sandbox’s shell failed: 99. Check the file before trying again.'],
      [exits.notEmpty, 'x', 'The folder isn’t empty.'],
    ] as const) {
      of.reply = () => ({ code, output });
      await assert.rejects(
        of.files.delete('/w/a', false),
        (error) => error instanceof Refusal && error.message === words,
        words,
      );
    }
  });

  it('say why they couldn’t be uploaded only if the sandbox knows', async () => {
    const save = () => of.files.write('/w/a', bytes('2'), null);
    of.upload = () => Promise.reject(failure(500, 'serverError'));
    of.reply = () => 'noSpace';
    await refuses(save(), 'noSpace');
    of.reply = () => '';
    await assert.rejects(save(), failure(500, 'serverError'));
    assert.equal(of.asked.length, 2);
    of.upload = () => Promise.reject(lost());
    await assert.rejects(save(), lost());
    assert.equal(of.asked.length, 2);
  });

  it('are looked at again one by one, up to a number of folders, and then as a tree', async () => {
    assert.deepEqual([await of.files.refresh('/w'), of.asked], [[], []]);
    const folders = Array.from({ length: 201 }, (_, n) => `/w/${n}`);
    of.reply = () => listing();
    for (const one of folders.slice(0, 200)) await of.names(one);
    of.asked.length = 0;
    of.reply = (script) => {
      assert.ok(script.includes('/w/199'));
      return '';
    };
    await of.files.refresh('/w');
    assert.deepEqual(of.asked, ['folder']);
    // Those that aren’t there anymore aren’t shown by anybody.
    assert.deepEqual([await of.files.refresh('/w'), of.asked.length], [[], 1]);
    of.reply = () => listing();
    for (const one of folders) await of.names(one);
    of.asked.length = 0;
    await of.files.refresh('/w');
    assert.deepEqual(of.asked, ['tree']);
    of.reply = () => lost();
    assert.deepEqual([await of.files.refresh('/w'), of.isReachable], [[], [false]]);
  });

  it('are looked at again where only one of them was asked for', async () => {
    await of.files.stat('/w/dir/a');
    const answer = listing('f 644 4 a', 'd 755 1 dir', 'f 600 3 secret');
    of.reply = () => `0 ${answer.length} 12 3\n${answer}`;
    assert.deepEqual(await of.files.refresh('/w'), [{ path: '/w/dir/a', kind: 'changed' }]);
  });

  it('are all in the sandbox’s own root, if that’s the agent’s folder', async () => {
    of.root = '/';
    assert.deepEqual(await of.names('/'), ['a', 'dir', 'secret']);
    assert.equal((await of.files.stat('/a')).size, 3);
    await refuses(of.files.list('a'), 'outside');
    await refuses(of.files.list('/a/../b'), 'outside');
    of.now = 60_000;
    of.reply = () => {
      const answer = listing('f 644 4 a', 'd 755 1 dir');
      return `0 ${answer.length} 12 3\n${answer}`;
    };
    assert.deepEqual(await of.files.refresh('/'), [
      { path: '/a', kind: 'changed' },
      { path: '/secret', kind: 'deleted' },
    ]);
  });
});
