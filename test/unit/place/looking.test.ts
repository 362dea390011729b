import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { Refusal } from '../../../src/core/basics/refusal';
import { hashOf, SandboxFiles } from '../../../src/features/place/model/files';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

const bytes = (text: string) => new TextEncoder().encode(text);

const { shells, dispose } = otherShells();
after(dispose);
for (const [name, shell] of [['GNU', undefined] as const, ...shells]) {
  describe(`looking for what changed in a sandbox (${name})`, function () {
    this.timeout(120_000);
    let sandbox: TestSandbox;
    let files: SandboxFiles;
    let now: number;
    /** Characters that commands printed. */
    let answered: number;
    const at = (...names: string[]) => sandbox.at('work', ...names);
    const execute: SandboxWorkspace['execute'] = async (call) => {
      const answer = await sandbox.workspace.execute(call);
      answered += answer.stdout.length;
      return answer;
    };
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      now = 0;
      answered = 0;
      const place = { workspace: { ...sandbox.workspace, execute }, workingDir: at() };
      files = new SandboxFiles(
        () => Promise.resolve(place),
        () => now,
      );
    });
    afterEach(() => sandbox.dispose());

    it('looks with one command and a short answer however much is shown, and misses nothing', async () => {
      const folders = Array.from({ length: 9 }, (_, n) => `folder ${n}`);
      for (const folder of folders)
        for (let n = 0; n < 99; n += 1) sandbox.write(`work/${folder}/${n}${'x'.repeat(240)}`, '1');
      for (const folder of ['', ...folders]) await files.list(at(folder));
      await files.refresh(at());
      const before = [sandbox.commands.length, sandbox.downloads.length];
      answered = 0;
      const looked = async () => (await files.refresh(at())).map(({ kind, path }) => [kind, path.slice(-9)]);
      assert.deepEqual(await looked(), []);
      const short = answered;
      sandbox.write('work/folder 7/1', 'agent');
      assert.deepEqual(await looked(), [['created', 'folder 7/1'.slice(-9)]]);
      // What was there before is there again, after a change from here.
      await files.write(at('folder 8/2'), bytes('mine'), null);
      rmSync(at('folder 8/2'));
      assert.deepEqual(await looked(), [['deleted', 'folder 8/2'.slice(-9)]]);
      await files.delete(at('folder 7/1'), false);
      sandbox.write('work/folder 7/1', 'agent');
      assert.deepEqual(await looked(), [['created', 'folder 7/1'.slice(-9)]]);
      assert.deepEqual(await looked(), []);
      assert.equal((await files.stat(at('folder 7/1'))).size, 5);
      const [commands = 0, downloads] = before;
      assert.deepEqual([sandbox.commands.length, sandbox.downloads.length], [commands + 7, downloads]);
      assert.ok(short < 4_000, `${short} characters for nothing new`);
    });

    if (name === 'GNU')
      it('looks for what changed without a program for checksums, too', async () => {
        for (const one of ['cksum', 'sha256sum', 'shasum']) {
          sandbox.write(`bin/${one}`, '#!/bin/sh\nexit 1\n');
          chmodSync(sandbox.at('bin', one), 0o755);
        }
        sandbox.environmentFor({ PATH: `${sandbox.at('bin')}:${process.env['PATH'] ?? ''}` });
        sandbox.write('work/a', '1');
        await files.list(at());
        for (const size of [2, 3, 4]) {
          sandbox.write('work/a', 'a'.repeat(size));
          assert.equal((await files.refresh(at())).length, 1);
        }
      });

    it('asks again where a sandbox is that is known to be paused, not one that doesn’t answer', async () => {
      let isAsleep = false;
      const reached: boolean[] = [];
      // A paused sandbox takes requests and answers none.
      const silent: SandboxWorkspace['execute'] = (call) =>
        isAsleep ? new Promise(() => undefined) : execute(call);
      const place = { workspace: { ...sandbox.workspace, execute: silent }, workingDir: at() };
      files = new SandboxFiles(
        () => (isAsleep ? Promise.reject(new Refusal('It’s paused.')) : Promise.resolve(place)),
        () => now,
        (isReachable) => reached.push(isReachable),
        () => isAsleep,
      );
      sandbox.write('work/file', '1');
      await files.list(at());
      [isAsleep, now] = [true, 60_000];
      assert.deepEqual([...(await files.list(at())).keys()], ['file']);
      await assert.rejects(files.write(at('file'), bytes('2'), hashOf(bytes('1'))), Refusal);
      isAsleep = false;
      await files.write(at('file'), bytes('2'), hashOf(bytes('1')));
      assert.equal((await files.list(at())).get('file')?.size, 1);
      assert.deepEqual(reached, [false, true]);
    });
  });
}
