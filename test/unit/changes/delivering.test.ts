import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { deliver, type DeliveryStep, type Parcel } from '../../../src/features/changes/model/delivering';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox, noTerminal } from './support';

const never = new AbortController().signal;
const parcel: Parcel = {
  id: 'one',
  repository: 'acme/shop',
  base: 'a'.repeat(40),
  branch: null,
  tree: 'b'.repeat(40),
};

describe('the delivery of changes', () => {
  /** Delivers to a sandbox that has these repositories, and says this of applying the changes. */
  function delivery(roots: readonly (string | readonly [root: string, remote: string])[], said: string) {
    const folders: string[] = [];
    const uploads: string[] = [];
    const steps: DeliveryStep[] = [];
    const found = roots.map((one) => (typeof one === 'string' ? ([one, ''] as const) : one));
    const answers = [found.map((one) => `${one.join('\0')}\0`).join(''), said];
    const workspace: SandboxWorkspace = {
      execute: ({ command, cwd }) => {
        assert.equal(cwd, '/work');
        folders.push(/^cd '(.*)'$/m.exec(command)?.[1] ?? cwd);
        const stdout = `=${Buffer.from(answers.shift() ?? '').toString('base64')}=`;
        return Promise.resolve({ exitCode: 0, stdout, stderr: '' });
      },
      download: () => assert.fail('nothing is that long'),
      downloadPiece: () => assert.fail('nothing is read in pieces'),
      upload: (file) => Promise.resolve(void uploads.push(file)),
      terminal: noTerminal,
    };
    const reach = () => Promise.resolve({ workspace, workingDir: '/work' });
    const done = deliver(parcel, Buffer.from('patch'), reach, (step) => steps.push(step), never);
    return { done, folders, uploads, steps };
  }
  const said = async (roots: readonly string[], words: string) => {
    const error: unknown = await delivery(roots, words).done.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Refusal, words);
    return error.message;
  };

  it('goes to the folder that the service clones to, though others have the same name', async () => {
    const url = 'https://github.com/Acme/shop.git';
    for (const remote of [
      url,
      'git@github.com:acme/shop',
      'https://proxy.example/git/acme/shop',
      '/srv/shop',
      '',
    ]) {
      const roots = [
        ['/work/a/shop', url],
        ['/work/old-shop', url],
        ['/work/shop', remote],
        '/work/shop/docs',
      ] as const;
      const { done, folders, uploads, steps } = delivery(roots, 'done');
      await done;
      assert.deepEqual(folders, ['/work', '/work/shop']);
      assert.deepEqual(uploads, ['/tmp/agent-workspace-one.patch']);
      assert.deepEqual(steps, ['reaching', 'uploading', 'applying']);
    }
  });

  it('goes to the only clone of the repository, wherever it is', async () => {
    const roots = [
      ['/work/shop', 'https://github.com/other/shop'],
      ['/work/b', 'https://github.com/acme/shop'],
    ] as const;
    const { done, folders } = delivery(roots, 'done');
    await done;
    assert.deepEqual(folders, ['/work', '/work/b']);
  });

  it('never goes to a clone of another repository, or to one of several', async () => {
    const [own, other] = ['https://github.com/acme/shop', 'https://github.com/other/shop'];
    for (const [roots, words] of [
      [[['/work/shop', other]], /a clone of another repository/],
      [[['/work/sub/shop', other]], /isn’t in the sandbox yet/],
      [
        [
          ['/work/a/shop', own],
          ['/work/b/shop', own],
        ],
        /several clones/,
      ],
      [
        [
          ['/work/shop', other],
          ['/work/a/shop', own],
          ['/work/b', own],
        ],
        /several clones/,
      ],
    ] as const) {
      const { done, uploads } = delivery(roots, 'done');
      await assert.rejects(done, words);
      assert.deepEqual(uploads, []);
    }
  });

  it('goes to the only repository, whatever its name', async () => {
    const { done, folders } = delivery(['/work/workspace'], 'done');
    await done;
    assert.deepEqual(folders, ['/work', '/work/workspace']);
  });

  it('goes nowhere while the repository isn’t there, or can’t be told from others', async () => {
    for (const roots of [[], ['/work/one', '/work/two']]) {
      const { done, uploads, steps } = delivery(roots, 'done');
      await assert.rejects(done, Refusal);
      assert.deepEqual([uploads, steps], [[], ['reaching']]);
    }
  });

  it('says why it failed, even for unknown reasons', async () => {
    const reasons = ['noBase', 'changed', 'patch', 'differs'];
    const words = await Promise.all(reasons.map((reason) => said(['/work/shop'], reason)));
    assert.equal(new Set(words).size, reasons.length);
    for (const other of ['', 'toString', 'done?']) assert.equal(await said(['/work/shop'], other), words[3]);
  });

  describe('to a repository', () => {
    let sandbox: TestSandbox;
    let base: string;
    beforeEach(() => {
      sandbox = new TestSandbox();
      sandbox.clone({ 'a.txt': 'one\n' });
      base = sandbox.git('work/shop', 'rev-parse', 'HEAD');
      sandbox.write('origin/later.txt', 'later\n');
      sandbox.commit('origin', 'Later');
      sandbox.git('work/shop', 'pull', '--quiet');
    });
    afterEach(() => sandbox.dispose());

    const go = (tree: string, branch: string | null) => {
      const reach = () => Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at('work') });
      // Other runs on this computer have the same `/tmp`.
      const id = `test-${process.pid}-${Date.now()}`;
      const file = `/tmp/agent-workspace-${id}.patch`;
      const sent = { ...parcel, id, base, branch, tree };
      return { file, done: deliver(sent, new Uint8Array(), reach, () => undefined, never) };
    };

    for (const [branch, what] of [
      [null, 'detaches the head where no branch is checked out here'],
      ["it's/mine", 'checks out the branch of here'],
    ] as const)
      it(`${what}, and removes the patch`, async () => {
        const { file, done } = go(sandbox.git('work/shop', 'rev-parse', `${base}^{tree}`), branch);
        await done;
        assert.equal(sandbox.git('work/shop', 'rev-parse', 'HEAD'), base);
        assert.equal(sandbox.git('work/shop', 'branch', '--show-current'), branch ?? '');
        assert.ok(!existsSync(file));
      });

    for (const branch of [null, 'mine'])
      it(`counts as checked out ${branch === null ? 'detached' : 'on a branch'}, though a hook fails after it`, async () => {
        const hook = sandbox.at('work/shop/.git/hooks/post-checkout');
        sandbox.write('work/shop/.git/hooks/post-checkout', '#!/bin/sh\nexit 3\n');
        chmodSync(hook, 0o755);
        await go(sandbox.git('work/shop', 'rev-parse', `${base}^{tree}`), branch).done;
        assert.equal(sandbox.git('work/shop', 'rev-parse', 'HEAD'), base);
        assert.equal(sandbox.git('work/shop', 'branch', '--show-current'), branch ?? '');
      });

    it('isn’t checked out where git refuses it, and says so', async () => {
      sandbox.write('work/shop/.git/index.lock', '');
      await assert.rejects(go(sandbox.git('work/shop', 'rev-parse', `${base}^{tree}`), null).done);
      assert.notEqual(sandbox.git('work/shop', 'rev-parse', 'HEAD'), base);
    });

    for (const [branch, where] of [
      [null, 'a detached head'],
      ['main', 'the branch of here'],
    ] as const)
      it(`goes nowhere where commits that nobody else has are on ${where}`, async () => {
        sandbox.git('work/shop', 'checkout', '--quiet', ...(branch === null ? ['--detach'] : ['-B', branch]));
        sandbox.write('work/shop/b.txt', 'an agent’s\n');
        sandbox.commit('work/shop', 'By another agent');
        const head = sandbox.git('work/shop', 'rev-parse', 'HEAD');
        if (branch !== null) sandbox.git('work/shop', 'checkout', '--quiet', '--detach', 'origin/main');
        const tree = sandbox.git('work/shop', 'rev-parse', `${base}^{tree}`);
        await assert.rejects(go(tree, branch).done, /changed already/);
        assert.equal(sandbox.git('work/shop', 'rev-parse', branch ?? 'HEAD'), head);
        sandbox.git('work/shop', 'branch', 'kept', head);
        await go(tree, branch).done;
        assert.equal(sandbox.git('work/shop', 'rev-parse', 'HEAD', 'kept'), `${base}\n${head}`);
      });
  });
});
