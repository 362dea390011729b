import assert from 'node:assert/strict';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { Refusal } from '../../../src/core/basics/refusal';
import { ContentBatch } from '../../../src/features/sandboxChanges/model/contentBatch';
import { askSandbox, withUpload } from '../../../src/features/sandboxChanges/model/sandboxAnswer';
import { noTerminal } from '../changes/support';

type Executed = Awaited<ReturnType<SandboxWorkspace['execute']>>;
type Call = Parameters<SandboxWorkspace['execute']>[0];

/** A shell that answers so; notes what was asked. */
function workspace(answer: (command: string) => Partial<Executed> | Promise<Partial<Executed>>) {
  const commands: string[] = [];
  const calls: Omit<Call, 'command'>[] = [];
  const downloads: { file: string; maxBytes: number }[] = [];
  const shell: SandboxWorkspace = {
    execute: async ({ command, ...call }) => {
      commands.push(command);
      calls.push(call);
      return { exitCode: 0, stdout: '', stderr: '', ...(await answer(command)) };
    },
    download: (file, { maxBytes }) => {
      downloads.push({ file, maxBytes });
      return Promise.resolve(Buffer.from('downloaded'));
    },
    downloadPiece: () => assert.fail('nothing is read in pieces'),
    upload: () => Promise.resolve(),
    terminal: noTerminal,
  };
  return { commands, calls, downloads, shell };
}
const printed = (content: string | Buffer) => `=${Buffer.from(content as string).toString('base64')}=`;

describe('asking a sandbox', () => {
  const ask = (answer: Partial<Executed>) => {
    const { shell, ...noted } = workspace((command) => (command.startsWith('rm ') ? {} : answer));
    const asked = askSandbox(shell, 'true', { folder: '/work', maxBytes: 9 });
    return { asked, ...noted };
  };
  const text = async (content: Promise<Uint8Array>) => Buffer.from(await content).toString();

  it('returns what was printed whole', async () => {
    for (const content of ['', 'a', 'ab', 'abc'])
      assert.equal(await text(ask({ stdout: printed(content) }).asked), content);
  });

  it('downloads a longer answer, and removes it', async () => {
    const folder = '/tmp/agent-workspace-answer-Ab3';
    const { asked, commands, calls, downloads } = ask({ stdout: folder });
    assert.equal(await text(asked), 'downloaded');
    assert.deepEqual(calls, [{ cwd: '/work', timeoutSeconds: 120 }, { cwd: '/' }]);
    assert.deepEqual(downloads, [{ file: `${folder}/answer`, maxBytes: 9 }]);
    assert.equal(commands.at(-1), `rm -rf '${folder}'`);
  });

  it('removes a longer answer that can’t be downloaded, and has that failure even if it can’t be removed', async () => {
    const folder = '/tmp/agent-workspace-answer-Ab3';
    const { shell, commands } = workspace((command) =>
      command.startsWith('rm ') ? Promise.reject(new Error('gone')) : { stdout: folder },
    );
    shell.download = () => Promise.reject(new Error('too large'));
    await assert.rejects(askSandbox(shell, 'true', { folder: '/work', maxBytes: 9 }), /too large/);
    assert.equal(commands.at(-1), `rm -rf '${folder}'`);
  });

  it('takes nothing else for an answer, and removes nothing then', async () => {
    for (const stdout of [
      '',
      '=YWJj',
      'YQ==',
      `x${printed('abc')}`,
      `${printed('abc')}x`,
      '=Y!==',
      'tmp/agent-workspace-answer-a',
      'x/tmp/agent-workspace-answer-a',
      '/tmp/agent-workspace-answer-',
      '/tmp/agent-workspace-answer-a/..',
      '/etc/passwd',
    ]) {
      const { asked, commands, downloads } = ask({ stdout });
      await assert.rejects(asked, Refusal, stdout);
      assert.deepEqual([commands.length, downloads], [1, []], stdout);
    }
  });

  it('says why it failed, in the last words of git', async () => {
    const failures: [answer: Partial<Executed>, words: RegExp][] = [
      [{ exitCode: -1 }, /took too long to answer, or its folder is gone/],
      [{ exitCode: 128, stderr: 'hint: x\nfatal: not a repository\n' }, /failed: fatal: not a repository\. /],
      [{ exitCode: 3, stderr: ' \n' }, /failed: 3\. /],
      [{ exitCode: 1, stdout: printed('x'), stderr: 'no' }, /failed: no\. /],
      [{ stdout: 'odd\nanswer' }, /failed: answer\. /],
    ];
    for (const [answer, words] of failures)
      await assert.rejects(
        ask(answer).asked,
        (error) => error instanceof Refusal && words.test(error.message),
      );
  });
});

describe('a file that is uploaded for a script', () => {
  it('says which folder has no space for it', async () => {
    const { shell } = workspace(() => ({ stdout: '!/work/.git' }));
    const upload = { folder: '/work', name: 'a', content: Buffer.from('a'), isNear: true };
    await assert.rejects(
      withUpload(shell, upload, () => assert.fail('there is no file')),
      (error) => error instanceof Refusal && error.message.includes(' /work/.git'),
    );
  });
});

describe('contents that are fetched together', () => {
  const oidOf = (number: number) => number.toString(16).padStart(40, '0');
  /** Hashes that were asked for with each request, and the names that came along. */
  function repository(
    answer = (oids: readonly string[]) => oids.map((oid) => `${oid} blob 1\nx\n`).join(''),
  ) {
    const asked: string[][] = [];
    const { shell, ...noted } = workspace((command) => {
      const line = command.split('\n').find((one) => one.startsWith("printf '%s\\n' ")) ?? '';
      const oids = line.match(/[0-9a-f]{40}/g) ?? [];
      asked.push(oids);
      return { stdout: printed(answer(oids)) };
    });
    const names = () =>
      noted.commands.map((command) => {
        const [, base64 = ''] = /printf '%s' '([^']*)' \| base64/.exec(command) ?? [];
        return Buffer.from(base64, 'base64').toString();
      });
    return {
      ...noted,
      asked,
      names,
      batch: new ContentBatch(shell, { root: '/work/shop', folder: '/work' }),
    };
  }
  const fetchAll = async (batch: ContentBatch, count: number, size: number, name?: Uint8Array) =>
    Promise.all(Array.from({ length: count }, (_, at) => batch.fetch(oidOf(at), name, size)));

  it('are as many as 200 in one request', async () => {
    const { asked, batch } = repository();
    const contents = await fetchAll(batch, 401, 1);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [200, 200, 1],
    );
    assert.ok(contents.every((content) => content && Buffer.from(content).toString() === 'x'));
  });

  it('are as many as have 16 MiB together, or one', async () => {
    const mebibyte = 1024 * 1024;
    const exact = repository();
    await fetchAll(exact.batch, 3, 8 * mebibyte);
    assert.deepEqual(
      exact.asked.map(({ length }) => length),
      [2, 1],
    );
    const large = repository();
    await fetchAll(large.batch, 2, 17 * mebibyte);
    assert.deepEqual(
      large.asked.map(({ length }) => length),
      [1, 1],
    );
  });

  it('are as many as have 32 KiB of names', async () => {
    const { asked, batch } = repository();
    await fetchAll(batch, 3, 1, new Uint8Array(16 * 1024).fill(97));
    assert.deepEqual(
      asked.map(({ length }) => length),
      [2, 1],
    );
  });

  it('come with the names of their files, each ending with NUL, and each hash once', async () => {
    const { asked, names, batch } = repository();
    const name = (text: string) => Buffer.from(text);
    await Promise.all([
      batch.fetch(oidOf(1), name('a'), 1),
      batch.fetch(oidOf(1), name('b c'), 1),
      batch.fetch(oidOf(2), undefined, 1),
    ]);
    assert.deepEqual([asked, names()], [[[oidOf(1), oidOf(2)]], ['a\0b c\0']]);
  });

  it('are those that git has, byte for byte', async () => {
    const { batch } = repository(
      () =>
        `${oidOf(0)} missing\n${oidOf(1)} blob 4\n\n\0\xff\n\n${oidOf(2)} tree 0\n${oidOf(3)} blob 0\n\nend`,
    );
    const contents = await fetchAll(batch, 5, 4);
    assert.deepEqual(
      contents.map((content) => content && Buffer.from(content).toString('hex')),
      [undefined, '0a00c3bf', undefined, '', undefined],
    );
  });

  it('are those of whole lines of git', async () => {
    const { batch } = repository(
      () => `\nx${oidOf(0)} blob 1\na\n${oidOf(1)} blob 1 more\nb\n${oidOf(2)} blob 12\nhello, world\n`,
    );
    const contents = await fetchAll(batch, 3, 12);
    assert.deepEqual(
      contents.map((content) => content && Buffer.from(content).toString()),
      [undefined, undefined, 'hello, world'],
    );
  });

  it('are asked for in the agent’s folder, and may be as long as they were listed, with their heads', async () => {
    const folder = '/tmp/agent-workspace-answer-Ab3';
    const { shell, calls, downloads } = workspace(() => ({ stdout: folder }));
    await fetchAll(new ContentBatch(shell, { root: '/work/shop', folder: '/work' }), 2, 1_000);
    assert.equal(calls[0]?.cwd, '/work');
    assert.deepEqual(downloads, [{ file: `${folder}/answer`, maxBytes: 2_400 }]);
  });

  it('go together in the next request while one is under way', async () => {
    let reply: (answer: Partial<Executed>) => void = () => undefined;
    const { shell, commands } = workspace(() => new Promise((resolve) => (reply = resolve)));
    const batch = new ContentBatch(shell, { root: '/work/shop', folder: '/work' });
    const asked = async (count: number) => {
      while (commands.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const answer = (...numbers: number[]) =>
      reply({ stdout: printed(numbers.map((number) => `${oidOf(number)} blob 1\nx\n`).join('')) });
    const first = batch.fetch(oidOf(1), undefined, 1);
    await asked(1);
    const others = [batch.fetch(oidOf(2), undefined, 1), batch.fetch(oidOf(3), undefined, 1)];
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(commands.length, 1);
    answer(1);
    assert.equal((await first)?.length, 1);
    await asked(2);
    answer(2, 3);
    assert.deepEqual(
      (await Promise.all(others)).map((content) => content?.length),
      [1, 1],
    );
    assert.equal(commands.length, 2);
  });

  it('are no longer waited for once it’s canceled, and others still are', async () => {
    const { batch } = repository();
    const canceling = new AbortController();
    const canceled = batch.fetch(oidOf(1), undefined, 1, canceling.signal);
    const other = batch.fetch(oidOf(2), undefined, 1, new AbortController().signal);
    canceling.abort(new Error('enough'));
    await assert.rejects(canceled, /enough/);
    assert.equal((await other)?.length, 1);
  });

  it('are fetched after a request that failed, which only those of it notice', async () => {
    let fails = true;
    const { shell } = workspace((command) => {
      if (fails) return { exitCode: 1, stderr: 'down' };
      const oids = command.match(/[0-9a-f]{40}/g) ?? [];
      return { stdout: printed(oids.map((oid) => `${oid} blob 1\nx\n`).join('')) };
    });
    const batch = new ContentBatch(shell, { root: '/work/shop', folder: '/work' });
    await assert.rejects(batch.fetch(oidOf(1), undefined, 1), Refusal);
    fails = false;
    assert.equal((await batch.fetch(oidOf(1), undefined, 1))?.length, 1);
  });

  it('aren’t asked for once it’s canceled', async () => {
    const { asked, batch } = repository();
    await assert.rejects(batch.fetch(oidOf(1), undefined, 1, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual(asked, []);
  });
});
