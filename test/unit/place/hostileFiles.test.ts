import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import { hashOf, largestFile, SandboxFiles } from '../../../src/features/place/model/files';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

const bytes = (text: string) => new TextEncoder().encode(text);
/** Names that mean something to shells, find, terminals, or the scripts themselves. */
const names = [
  ...['-', '--', '-exec', '-delete', '!', '(', '{}', ';', '~', '$HOME', '%s', '\\n', '\\0', '=', '?'],
  ...[
    '\n',
    '\n\n',
    ' ',
    ' a ',
    'a\r',
    '\x01',
    '\x1b[2J',
    '\x7f',
    '\u202etxt.exe',
    '\ufeff',
    '\u00e9',
    'e\u0301',
  ],
  ...['G', 'S', '0', 'work', 'answer', 'errors', 'content', 'CON', 'a:b', 'a|b', '...', '.gitignore', '100%'],
];

const { shells, dispose } = otherShells();
for (const [name, shell] of [['GNU', undefined] as const, ...shells]) {
  describe(`hostile files of a sandbox (${name})`, function () {
    this.timeout(120_000);
    let sandbox: TestSandbox;
    let files: SandboxFiles;
    /** What the agent does between the upload of a save and its end. */
    let duringUpload: (() => void) | undefined;
    const at = (...parts: string[]) => sandbox.at('work', ...parts);
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      duringUpload = undefined;
      const upload: SandboxWorkspace['upload'] = async (file, content) => {
        await sandbox.workspace.upload(file, content);
        duringUpload?.();
      };
      files = new SandboxFiles(
        () => Promise.resolve({ workspace: { ...sandbox.workspace, upload }, workingDir: at() }),
        () => 0,
      );
    });
    afterEach(() => sandbox.dispose());
    const refuses = (work: Promise<unknown>, ...reasons: FileRefusal['reason'][]) =>
      assert.rejects(work, (error) => error instanceof FileRefusal && reasons.includes(error.reason));
    const text = (...parts: string[]) => readFileSync(at(...parts), 'utf8');

    it('have names that mean something elsewhere, as files and as folders', async () => {
      for (const one of names) sandbox.write(`work/${one}/in`, one);
      assert.deepEqual([...(await files.list(at())).keys()].toSorted(), names.toSorted());
      for (const one of names) {
        assert.equal(Buffer.from(await files.read(at(one, 'in'))).toString(), one);
        await files.write(at(one, 'in'), bytes('2'), hashOf(bytes(one)));
        await files.rename(at(one), at(`${one}2`), false);
        assert.equal(text(`${one}2`, 'in'), '2');
      }
      for (const one of await files.refresh(at())) assert.fail(JSON.stringify(one));
      for (const one of names) await files.delete(at(`${one}2`), true);
      assert.deepEqual(readdirSync(at()), []);
    });

    it('are below paths longer than the system opens', async () => {
      const deep = 'import os, sys\nfor n in range(30): os.mkdir(sys.argv[1]); os.chdir(sys.argv[1])';
      execFileSync('python3', ['-c', deep, 'd'.repeat(200)], { cwd: at() });
      sandbox.write('work/near', '1');
      assert.deepEqual([...(await files.list(at())).keys()].toSorted(), ['d'.repeat(200), 'near']);
      await files.delete(at('d'.repeat(200)), true);
      assert.deepEqual(readdirSync(at()), ['near']);
    });

    it('are links to the folder that they’re in', async () => {
      sandbox.write('work/dir/file', '1');
      symlinkSync('.', at('self'));
      symlinkSync('..', at('dir/up'));
      assert.equal((await files.list(at('self/self'))).get('dir')?.kind, 'folder');
      await files.write(at('self/dir/up/dir/file'), bytes('2'), hashOf(bytes('1')));
      assert.equal(text('dir/file'), '2');
      await refuses(files.rename(at('dir'), at('self/dir/up/dir/in itself'), true), 'exists');
      await refuses(files.rename(at('dir/file'), at('self/dir/file'), true), 'exists');
      await refuses(files.rename(at('dir/file'), at('self/dir'), true), 'exists');
      await refuses(files.rename(at('self/dir/file'), at('dir'), true), 'exists');
      assert.equal(text('dir/file'), '2');
      await files.delete(at('dir/up'), true);
      await files.delete(at('self'), true);
      assert.equal(text('dir/file'), '2');
    });

    it('are links to links without an end, or with one after too many', async () => {
      sandbox.write('work/link-0', '1');
      for (let n = 1; n <= 60; n += 1) symlinkSync(`link-${n - 1}`, at(`link-${n}`));
      symlinkSync('ping', at('pong'));
      symlinkSync('pong', at('ping'));
      for (const one of ['link-60', 'ping']) {
        await refuses(files.read(at(one)), 'noFile');
        await refuses(files.write(at(one), bytes('2'), hashOf(bytes('1'))), 'missing');
        await refuses(files.write(at(one), bytes('2'), null), 'exists');
        await files.delete(at(one), false);
      }
      await files.write(at('link-30'), bytes('2'), hashOf(bytes('1')));
      assert.equal(text('link-0'), '2');
    });

    it('become links out of the folder while they’re saved', async () => {
      for (const one of ['elsewhere/file', 'work/dir/file']) sandbox.write(one, '1');
      const before = sandbox.snapshot('elsewhere');
      duringUpload = () => {
        renameSync(at('dir'), at('old'));
        symlinkSync('../elsewhere', at('dir'));
      };
      await refuses(files.write(at('dir/file'), bytes('2'), hashOf(bytes('1'))), 'outside');
      duringUpload = () => {
        rmSync(at('old/file'));
        symlinkSync('../../elsewhere/file', at('old/file'));
      };
      await refuses(files.write(at('old/file'), bytes('2'), hashOf(bytes('1'))), 'outside');
      duringUpload = () => symlinkSync('../../elsewhere/new', at('old/new'));
      await refuses(files.write(at('old/new'), bytes('2'), null), 'exists');
      assert.deepEqual(sandbox.snapshot('elsewhere'), before);
    });

    it('become folders, pipes and sockets while they’re saved', async () => {
      const turns: [string, FileRefusal['reason']][] = [
        ['mkdir "$0"', 'isFolder'],
        ['mkfifo "$0"', 'noFile'],
        [`python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$0"`, 'noFile'],
      ];
      for (const [turn, reason] of turns) {
        sandbox.write('work/f', '1');
        files.forget();
        await files.list(at());
        duringUpload = () => {
          rmSync(at('f'));
          execFileSync('/bin/sh', ['-c', turn, at('f')]);
        };
        await refuses(files.write(at('f'), bytes('2'), hashOf(bytes('1'))), reason);
        files.forget();
        await refuses(files.read(at('f')), reason);
        assert.ok(!lstatSync(at('f')).isFile());
        rmSync(at('f'), { recursive: true });
      }
    });

    it('have a repository’s folder that leads elsewhere, or is a file', async () => {
      mkdirSync(sandbox.at('elsewhere'));
      for (const make of [
        () => symlinkSync('../elsewhere', at('.git')),
        () => writeFileSync(at('.git'), 'gitdir: x'),
      ]) {
        rmSync(at('.git'), { force: true });
        make();
        files.forget();
        await files.list(at());
        await files.write(at('new'), bytes('1'), null);
        assert.ok(sandbox.uploads.at(-1)?.startsWith(at('.agent-workspace-answer-')));
        await files.delete(at('new'), false);
      }
      assert.deepEqual(readdirSync(sandbox.at('elsewhere')), []);
      assert.deepEqual(readdirSync(at()), ['.git']);
    });

    it('become folders and pipes before they’re read, can’t be read, or lead where the server doesn’t go', async () => {
      const reached: boolean[] = [];
      /** Of a server that has the same word for everything but a missing file. */
      const download: SandboxWorkspace['download'] = (file, limits) => {
        const isAnswer = file.endsWith('/answer');
        return isAnswer || answers === undefined
          ? sandbox.workspace.download(file, limits)
          : Promise.reject(
              new ApiError('unexpectedStatus', 'GET', '/api/file/download', { status: answers }),
            );
      };
      let answers: number | undefined;
      files = new SandboxFiles(
        () => Promise.resolve({ workspace: { ...sandbox.workspace, download }, workingDir: at() }),
        () => 0,
        (isReachable) => reached.push(isReachable),
      );
      sandbox.write('work/file', '1');
      sandbox.write('elsewhere/file', 'else');
      symlinkSync('../elsewhere/file', at('out'));
      await files.list(at());
      assert.equal(Buffer.from(await files.read(at('file'))).toString(), '1');
      for (const status of [400, 422, 500]) {
        answers = status;
        assert.equal(Buffer.from(await files.read(at('out'))).toString(), 'else');
        rmSync(at('file'), { recursive: true });
        mkdirSync(at('file'));
        await refuses(files.read(at('file')), 'isFolder');
        rmSync(at('file'), { recursive: true });
        execFileSync('mkfifo', [at('file')]);
        await refuses(files.read(at('file')), 'noFile');
      }
      for (const status of [401, 503]) {
        answers = status;
        assert.equal(Buffer.from(await files.read(at('out'))).toString(), 'else');
      }
      assert.deepEqual(reached, [false]);
    });

    it('have names that are too long, of characters that take several bytes', async () => {
      sandbox.write('work/file', '1');
      sandbox.write('work/dir/in', '1');
      const long = '漢'.repeat(100);
      await refuses(files.write(at(long), bytes('2'), null), 'tooLong');
      await refuses(files.write(at(long, 'in'), bytes('2'), null), 'tooLong');
      await refuses(files.createFolder(at(long)), 'tooLong');
      for (const from of ['file', 'dir'])
        for (const isOver of [true, false])
          await refuses(files.rename(at(from), at(long), isOver), 'tooLong');
      await refuses(files.rename(at('file'), at(long, 'in'), false), 'tooLong');
      await refuses(files.delete(at(long), true), 'missing');
      assert.deepEqual(readdirSync(at()).toSorted(), ['dir', 'file']);
    });

    if (name === 'GNU') {
      const PATH = process.env['PATH'] ?? '';
      /** @param isAlways also for what the scripts keep for themselves */
      const fails = (program: string, script: string, isAlways = false) => {
        const own = `case "$*" in *agent-workspace-answer-*) PATH='${PATH}' exec ${program} "$@" ;; esac`;
        sandbox.write(`bin/${program}`, `#!/bin/sh\n${isAlways ? '' : own}\n${script}\n`);
        chmodSync(sandbox.at('bin', program), 0o755);
        sandbox.environmentFor({ PATH: `${sandbox.at('bin')}:${PATH}` });
      };
      const refusesWith = (words: string) => `echo "$0: can’t do “$1”: ${words}" >&2; exit 1`;

      /** By what systems and their C libraries say; undefined where they’re quoted. */
      const reasons: [words: string, reason: FileRefusal['reason'] | undefined][] = [
        ['File name too long', 'tooLong'],
        ['Filename too long', 'tooLong'],
        ['No space left on device', 'noSpace'],
        ['Disk quota exceeded', 'noSpace'],
        ['Disc quota exceeded', 'noSpace'],
        ['Quota exceeded', 'noSpace'],
        ['Read-only file system', 'readOnly'],
        ['Directory not empty', 'notEmpty'],
        ['Permission denied', 'noRight'],
        ['Operation not permitted', 'noRight'],
        ...[
          'Too many links',
          'Invalid cross-device link',
          'Too many levels of symbolic links',
          'Is a directory',
          'Not a directory',
          'Device or resource busy',
          'Text file busy',
          'Input/output error',
          'Invalid argument',
          'File too large',
          'Stale file handle',
          'Permission denied by whom',
        ].map((words): [string, undefined] => [words, undefined]),
      ];
      for (const [words, reason] of reasons)
        it(`can’t be changed, for the reason that programs give: ${words}`, async () => {
          sandbox.write('work/file', '1');
          sandbox.write('work/other', '1');
          linkSync(at('file'), at('hard link'));
          mkdirSync(at('dir'));
          const before = sandbox.snapshot('work');
          const hash = hashOf(bytes('1'));
          const works: [programs: string[], () => Promise<void>][] = [
            [['ln', 'cat'], () => files.write(at('new'), bytes('2'), null)],
            [['mkdir'], () => files.write(at('new/in'), bytes('2'), null)],
            [['mkdir'], () => files.createFolder(at('new'))],
            [['cat'], () => files.write(at('file'), bytes('2'), hash)],
            [['mkdir'], () => files.rename(at('file'), at('new/in'), false)],
            [['mv'], () => files.rename(at('file'), at('new'), false)],
            [['mv'], () => files.rename(at('dir'), at('new'), true)],
            [['rm'], () => files.rename(at('file'), at('other'), true)],
            [['rm'], () => files.delete(at('file'), false)],
            [['rm'], () => files.delete(at('dir'), true)],
            [['rmdir'], () => files.delete(at('dir'), false)],
          ];
          for (const [programs, work] of works) {
            for (const program of programs) fails(program, refusesWith(words), program === 'ln');
            await assert.rejects(work(), (error) =>
              reason === undefined
                ? error instanceof Refusal && error.message.includes(`: ${words}. `)
                : error instanceof FileRefusal && error.reason === reason,
            );
            rmSync(sandbox.at('bin'), { recursive: true });
          }
          assert.deepEqual(sandbox.snapshot('work'), before);
        });

      it('can’t be created by programs that fail, which leaves nothing half done', async () => {
        // No hard links, as on some file systems, and a full disk.
        fails('ln', 'exit 1', true);
        fails('cat', `head -c 1; ${refusesWith('No space left on device')}`);
        await refuses(files.write(at('new'), bytes('new'), null), 'noSpace');
        assert.ok(!existsSync(at('new')));
        sandbox.write('work/full/file', '1');
        await refuses(files.write(at('full/file'), bytes('2'), null), 'exists');
        await refuses(files.delete(at('full'), false), 'notEmpty');
        assert.equal(text('full', 'file'), '1');
      });

      it('are deleted folder by folder where their paths are too long for the program', async () => {
        for (const one of ['a/b/c/d/e', 'a/.b/c/d/e', 'a/-f/c/d/e', 'a/f', 'kept/f'])
          sandbox.write(`work/${one}`, '1');
        symlinkSync(at('kept'), at('a/b/link'));
        const isDeep = 'for last; do :; done; [ -d "$last" ] && [ -n "$(find "$last" -mindepth 3)" ]';
        fails(
          'rm',
          `if ${isDeep}; then ${refusesWith('File name too long')}; fi; PATH='${PATH}' exec rm "$@"`,
        );
        await files.delete(at('a'), true);
        assert.deepEqual(readdirSync(at(), { recursive: true }), ['kept', 'kept/f']);
      });

      describe('where the disk for temporary files is full', () => {
        const noSpace = refusesWith('No space left on device');
        /** A folder whose files can’t be written. */
        const filled = (...names: string[]) =>
          `folder=$(PATH='${PATH}' mktemp "$@") || exit\nfor n in ${names.join(' ')}; do ln -s /dev/full "$folder/$n"; done\nprintf %s "$folder"`;
        const full: [about: string, program: string, script: string][] = [
          ['no folder can be made', 'mktemp', noSpace],
          ['the user has no more of it', 'mktemp', refusesWith('Disk quota exceeded')],
          ['only one folder can be made', 'mkdir', noSpace],
          ['only folders can be made', 'mktemp', filled('before')],
          ['it’s full before the end', 'mktemp', filled('answer', 'after')],
        ];
        for (const [about, program, script] of full)
          for (const isBound of [false, true])
            it(`they say so, and what to do: ${about}${isBound ? ', in the agent’s folder' : ''}`, async () => {
              files = new SandboxFiles(
                () => Promise.resolve({ workspace: { ...sandbox.workspace, isBound }, workingDir: at() }),
                () => 0,
              );
              fails(program, script, true);
              const place = isBound ? at() : sandbox.at('tmp');
              const works = [() => files.list(at()), () => files.delete(at('none'), true)];
              for (const work of works)
                await assert.rejects(
                  work(),
                  (error) =>
                    error instanceof Refusal &&
                    error.message.startsWith(
                      `The computer that the agent works on has no space left in ${place}. Ask the agent to delete`,
                    ),
                );
              assert.deepEqual([...readdirSync(sandbox.at('tmp')), ...readdirSync(at())], []);
            });

        it('they say so if it’s the agent’s that the server can’t write to, and else what the server says', async () => {
          const error = new ApiError('serverError', 'POST', '/api/file/upload', { status: 500 });
          const upload = () => Promise.reject(error);
          files = new SandboxFiles(
            () => Promise.resolve({ workspace: { ...sandbox.workspace, upload }, workingDir: at() }),
            () => 0,
          );
          sandbox.write('work/secret', '1');
          chmodSync(at('secret'), 0o600);
          await files.list(at());
          const works = [
            () => files.write(at('new'), bytes('2'), null),
            () => files.write(at('secret'), bytes('2'), hashOf(bytes('1'))),
          ];
          for (const work of works) await assert.rejects(work(), error);
          fails('cat', noSpace);
          for (const work of works) await refuses(work(), 'noSpace');
          assert.deepEqual(readdirSync(at()), ['secret']);
        });
      });
    }

    it('are larger than they may be, without a byte on the disk', async () => {
      sandbox.write('work/hole', '');
      truncateSync(at('hole'), largestFile + 1);
      await refuses(files.read(at('hole')), 'tooLarge');
      assert.deepEqual(sandbox.downloads, []);
    });

    it('have special bits, which a save keeps', async () => {
      sandbox.write('work/tool', '1');
      execFileSync('chmod', ['4755', at('tool')]);
      await files.write(at('tool'), bytes('2'), hashOf(bytes('1')));
      assert.deepEqual([statSync(at('tool')).mode & 0o7777, text('tool')], [0o4755, '2']);
    });

    it('are spelled in ways that aren’t theirs', async () => {
      sandbox.write('work/a/b', '1');
      const odd = [
        `${at('a')}/`,
        `${at()}//a/b`,
        `${at()}/./a/b`,
        `${at('a')}/..`,
        `${at('a/b')}\0`,
        'a/b',
        '',
      ];
      for (const one of odd) {
        await refuses(files.write(one, bytes('2'), null), 'outside');
        await refuses(files.delete(one, true), 'outside');
        await refuses(files.rename(one, at('c'), true), 'outside');
        await refuses(files.rename(at('a/b'), one, true), 'outside');
      }
      assert.equal(text('a/b'), '1');
      assert.ok(!existsSync(at('c')));
    });
  });
}
after(dispose);
