import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import { isThisComputer } from '../../../src/features/place/model/here';
import { InsideFiles } from '../../../src/features/place/model/insideFiles';
import { TestSandbox } from '../changes/support';

const { signal } = new AbortController();

describe('the files of an agent’s folder, and no others', () => {
  let sandbox: TestSandbox;
  let inside: InsideFiles;
  beforeEach(() => {
    sandbox = new TestSandbox();
    inside = new InsideFiles({ workspace: sandbox.workspace, workingDir: sandbox.at('work') });
  });
  afterEach(() => sandbox.dispose());
  const refuses = (work: Promise<unknown>, reason: FileRefusal['reason']) =>
    assert.rejects(work, (error) => error instanceof FileRefusal && error.reason === reason);

  it('are read from a line on, up to a number of bytes', async () => {
    sandbox.write('work/dir/a', 'one\ntwo\nthree');
    const read = async (path: string, line: number, most: number) => {
      const { size, bytes, isCut } = await inside.read(path, line, most, signal);
      return [size, Buffer.from(bytes).toString(), isCut];
    };
    assert.deepEqual(await read('dir/a', 2, 100), [13, 'two\nthree', false]);
    assert.deepEqual(await read(sandbox.at('work/dir/a'), 2, 9), [13, 'two\nthree', true]);
    assert.deepEqual(await read('dir/../dir/a', 3, 2), [13, 'th', true]);
  });

  it('are listed, and found by name or content, by their paths in the folder', async () => {
    sandbox.write('work/dir/Übersicht', 'The Word\n');
    sandbox.write('work/word', 'other');
    sandbox.write('work/.agent-workspace/t/word', 'word');
    assert.deepEqual([...(await inside.list('', signal)).keys()].toSorted(), ['dir', 'word']);
    const mask = (line: string) => line.replace('The', '…');
    assert.deepEqual(await inside.findLines('dir', 'word', mask, signal), [
      { path: 'dir/Übersicht', line: 1, text: '… Word' },
    ]);
    assert.deepEqual(await inside.findNames('.', 'WORD', signal), ['word']);
    assert.deepEqual(await inside.findNames('dir', 'ü', signal), ['dir/Übersicht']);
  });

  it('are refused before anything is sent where the path leads out, or to what is ours', async () => {
    for (const path of ['..', '../work2', `${sandbox.at('work')}2`, '/etc/hostname', 'a\0', 'a/../..'])
      await refuses(inside.read(path, 1, 1, signal), 'outside');
    for (const path of ['.agent-workspace', '.agent-workspace/t', 'dir/.agent-workspace-answer-1/content'])
      await refuses(inside.list(path, signal), 'missing');
    assert.deepEqual(sandbox.commands, []);
    const all = new InsideFiles({ workspace: sandbox.workspace, workingDir: '/' });
    await refuses(all.read('nowhere/at all', 1, 1, signal), 'missing');
    assert.equal(sandbox.commands.length, 1);
  });
});

describe('a sandbox on this computer', () => {
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => sandbox.dispose());

  it('is known by a file in the same folder, which is removed', async () => {
    const { workspace } = sandbox;
    assert.equal(await isThisComputer({ workspace, workingDir: sandbox.at('work') }), true);
    assert.deepEqual([sandbox.uploads.length, [...sandbox.snapshot('work')]], [1, []]);
  });

  it('is another one if anything about it differs, or it can’t be asked', async () => {
    const { terminal } = sandbox.workspace;
    mkdirSync(sandbox.at('other'));
    const asked = (change: Partial<typeof terminal>, workingDir = sandbox.at('work')) =>
      isThisComputer({ workspace: { terminal: { ...terminal, ...change } }, workingDir });
    const execute = terminal.execute;
    const elsewhere = (call: Parameters<typeof execute>[0]) => execute({ ...call, cwd: sandbox.at('other') });
    assert.equal(await asked({ execute: elsewhere }), false);
    const failing = async (call: Parameters<typeof execute>[0]) => ({
      ...(await execute(call)),
      exitCode: 1,
    });
    assert.equal(await asked({ execute: failing }), false);
    assert.equal(await asked({ execute: () => Promise.reject(new Error('gone')) }), false);
    assert.equal(await asked({}, sandbox.at('none')), false);
    assert.deepEqual(sandbox.uploads, []);
    // Its file arrives somewhere else, and is removed from there.
    const removed: string[] = [];
    const there = {
      execute: (call: Parameters<typeof execute>[0]) => {
        if (call.command.startsWith('rm ')) removed.push(call.command);
        return execute(call);
      },
      upload: () => Promise.resolve(),
    };
    assert.equal(await asked(there), false);
    assert.match(
      removed.join(),
      new RegExp(`^rm -f '?${sandbox.at('work')}/\\.agent-workspace-here-[0-9a-f]+'?$`),
    );
  });
});
