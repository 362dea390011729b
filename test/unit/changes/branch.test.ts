import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { branchNameFor } from '../../../src/features/changes/commands/branch/localBranches';
import { LocalBranches } from '../../../src/features/changes/commands/branch/localBranches';
import { type BranchPlan, planBranch } from '../../../src/features/changes/model/branchPlan';
import type { ChangedFile, ChangeSource } from '../../../src/features/sandboxChanges/model/changeSet';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { Refusal } from '../../../src/core/basics/refusal';
import { seeded } from './seeded';
import { TestSandbox } from './support';
import { edited, edits, tree, type Tree } from './trees';

const nothing = () => undefined;

describe('a branch with an agent’s changes', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => (sandbox = new TestSandbox()));
  const global = process.env['GIT_CONFIG_GLOBAL'];
  afterEach(() => {
    if (global === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
    else process.env['GIT_CONFIG_GLOBAL'] = global;
    sandbox.dispose();
  });

  /** A repository in the sandbox, and its clone here. */
  const begin = (files: Record<string, string | Buffer>) => {
    sandbox.clone(files);
    sandbox.git('', 'clone', '--quiet', 'origin', 'here');
    sandbox.git('here', 'config', 'user.name', 'B');
    sandbox.git('here', 'config', 'user.email', 'b@example.com');
  };
  const agent = (name: string, content: string | Buffer) => sandbox.write(`work/shop/${name}`, content);

  const read = async (): Promise<{ base: string; plan: BranchPlan }> => {
    const place = { root: sandbox.at('work/shop'), folder: sandbox.at('work'), branch: null, at: null };
    const source = new SandboxChanges(sandbox.workspace, place, new ContentCache());
    const changes = await source.list();
    assert.ok(changes.repository.base !== null);
    const plan = await planBranch(changes, source.content.bind(source), false, nothing);
    return { base: changes.repository.base, plan };
  };
  const here = async () => {
    const found = await LocalBranches.at('git', sandbox.at('here'));
    assert.ok(found);
    return found;
  };
  const make = async (name = 'agent/fix') => {
    const { base, plan } = await read();
    return { plan, ...(await (await here()).create(name, base, plan, 'Fix it')) };
  };
  const list = (ref: string) => sandbox.git('here', 'ls-tree', '-r', '--full-tree', ref);

  it('has exactly the agent’s tree, for any edits', async () => {
    const write = (files: Tree) => {
      for (const [name, { content, executable }] of Object.entries(files)) {
        agent(name, content);
        chmodSync(sandbox.at('work/shop', name), executable ? 0o755 : 0o644);
      }
    };
    await fc.assert(
      fc.asyncProperty(tree, edits, async (before, changes) => {
        sandbox.dispose();
        sandbox = new TestSandbox();
        begin({ keep: 'x' });
        sandbox.git('work/shop', 'config', 'core.autocrlf', 'false');
        const clear = () => {
          for (const name of sandbox.git('work/shop', 'ls-files', '-z').split('\0').filter(Boolean))
            rmSync(sandbox.at('work/shop', name), { force: true });
          agent('keep', 'x');
        };
        write(before);
        sandbox.commit('work/shop', 'Base');
        sandbox.git('work/shop', 'push', '--quiet', 'origin', 'HEAD:refs/heads/base');
        sandbox.git('here', 'fetch', '--quiet');
        clear();
        write(edited(before, changes));
        agent('always', 'new\r\n');
        const { plan, commit } = await make();
        assert.deepEqual(plan.refused, []);
        sandbox.commit('work/shop', 'All');
        assert.equal(
          sandbox.git('here', 'rev-parse', `${commit}^{tree}`),
          sandbox.git('work/shop', 'rev-parse', 'HEAD^{tree}'),
        );
      }),
      seeded('AW_BRANCH_SEED', { numRuns: 5 }),
    );
  });

  it('leaves everything else as it is: files, index, what is checked out; no hook runs', async () => {
    begin({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitattributes': '*.txt eol=crlf\n' });
    for (const hook of ['post-commit', 'reference-transaction', 'pre-commit']) {
      const file = sandbox.at('here/.git/hooks', hook);
      writeFileSync(file, '#!/bin/sh\ntouch hooked\nexit 1\n');
      chmodSync(file, 0o755);
    }
    sandbox.write('here/a.txt', 'mine\n');
    sandbox.write('here/untracked', 'mine\n');
    sandbox.write('here/staged', 'mine\n');
    sandbox.git('here', 'add', 'staged');
    agent('a.txt', 'agent\r\n');
    agent('new/c.txt', 'c\n');
    const state = () =>
      [...sandbox.snapshot('here')].filter(
        ([name]) => !/^\.git\/(objects|refs\/heads\/agent|logs\/refs\/heads\/agent)\//.test(name),
      );
    const before = state();
    const { commit } = await make();
    assert.deepEqual(state(), before);
    assert.equal(sandbox.git('here', 'show', `${commit}:a.txt`), 'agent');
    assert.equal(sandbox.git('here', 'log', '-1', '--format=%s %an %P', commit).split(' ')[2], 'B');
    assert.deepEqual(sandbox.git('here', 'diff', '--name-only', 'origin/main', 'agent/fix').split('\n'), [
      'a.txt',
      'new/c.txt',
    ]);
  });

  it('has what the agent committed, staged, moved, deleted, and left untracked', async () => {
    begin({ 'moved.txt': 'one\ntwo\nthree\n', gone: 'x', mode: 'x' });
    sandbox.git('work/shop', 'mv', 'moved.txt', 'there.txt');
    sandbox.commit('work/shop', 'Move');
    sandbox.git('work/shop', 'rm', '--quiet', 'gone');
    chmodSync(sandbox.at('work/shop/mode'), 0o755);
    agent('new', 'x');
    await make();
    const names = list('agent/fix')
      .split('\n')
      .map((line) => `${line.slice(0, 6)} ${line.split('\t')[1]}`);
    assert.deepEqual(names, ['100755 mode', '100644 new', '100644 there.txt']);
  });

  it('leaves out what is never applied either, and says so', async () => {
    begin({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    agent('a.txt', 'agent\n');
    sandbox.link('/etc/passwd', 'work/shop/link');
    agent('Case', 'x');
    agent('case', 'x');
    const { plan } = await make();
    assert.deepEqual(plan.refused.map(({ path: at, why }) => `${at}: ${why}`).sort(), [
      'Case: collision',
      'case: collision',
      'link: link',
    ]);
    assert.deepEqual(
      list('agent/fix')
        .split('\n')
        .map((line) => line.split('\t')[1]),
      ['a.txt', 'b.txt'],
    );
  });

  it('never has paths that lead outside or into git’s own folder', async () => {
    const content = Buffer.from('x');
    const oid = 'c1b0730fb213ca11a9ed41a2bd49a1bdbe6ee2bb';
    const source: Pick<ChangeSource, 'content'> = { content: () => Promise.resolve(content) };
    const paths = [
      '../out',
      '/abs',
      '.git/hooks/post-checkout',
      '.GIT/config',
      'a/.git\u200c/x',
      'git~1/x',
      'a\\..\\b',
    ];
    const files = paths.map((at): ChangedFile => ({
      path: at,
      kind: 'added',
      before: null,
      after: { oid, mode: '100644', size: 1 },
    }));
    const { files: taken, refused } = await planBranch({ files }, source.content, false, nothing);
    assert.deepEqual(taken, []);
    assert.equal(refused.length, paths.length);
  });

  it('isn’t made over another branch, from a commit that isn’t here, of nothing, or by nobody', async () => {
    begin({ 'a.txt': 'a\n' });
    const { base, plan: none } = await read();
    const branches = await here();
    assert.equal(await branches.hasCommit(base), true);
    assert.equal(await branches.hasCommit('1'.repeat(40)), false);
    await assert.rejects(branches.create('agent/none', base, none, 'x'), Refusal);
    agent('a.txt', 'agent\n');
    const { commit } = await make();
    const { plan } = await read();
    await assert.rejects(branches.create('agent/fix', base, plan, 'x'));
    assert.equal(sandbox.git('here', 'rev-parse', 'agent/fix'), commit);
    assert.equal(await branches.freeName('agent/fix'), 'agent/fix-2');
    const wrong = { ...plan, files: plan.files.map((file) => ({ ...file, content: Buffer.from('other') })) };
    await assert.rejects(branches.create('agent/other', base, wrong, 'x'), /hashes/);
    sandbox.git('here', 'config', 'user.useConfigOnly', 'true');
    sandbox.git('here', 'config', '--unset', 'user.email');
    process.env['GIT_CONFIG_GLOBAL'] = devNull;
    const nobody = (await here()).create('agent/nobody', base, plan, 'x');
    await assert.rejects(nobody, /name and email/);
    assert.deepEqual(sandbox.git('here', 'branch', '--format=%(refname:short)').split('\n'), [
      'agent/fix',
      'main',
    ]);
  });

  it('is deleted again only while it’s as it was made, and isn’t checked out', async () => {
    begin({ 'a.txt': 'a\n' });
    agent('a.txt', 'agent\n');
    const { commit } = await make();
    const branches = await here();
    sandbox.git('here', 'switch', '--quiet', 'agent/fix');
    assert.equal(await branches.remove('agent/fix', commit), false);
    sandbox.git('here', 'commit', '--quiet', '--allow-empty', '--message', 'Mine');
    sandbox.git('here', 'switch', '--quiet', 'main');
    assert.equal(await branches.remove('agent/fix', commit), false);
    sandbox.git('here', 'branch', '--force', 'agent/fix', commit);
    assert.equal(await branches.remove('agent/fix', commit), true);
    assert.equal(await branches.rival('agent/fix'), undefined);
  });

  it('is made in the repository of a folder within it, and in no other folder', async () => {
    begin({ 'sub/a.txt': 'a\n' });
    agent('sub/a.txt', 'agent\n');
    const branches = await LocalBranches.at('git', sandbox.at('here/sub'));
    const { base, plan } = await read();
    await branches?.create('x', base, plan, 'x');
    assert.equal(sandbox.git('here', 'show', 'x:sub/a.txt'), 'agent');
    mkdirSync(path.join(sandbox.folder, 'plain'));
    assert.equal(await LocalBranches.at('git', sandbox.at('plain')), undefined);
  });

  it('gets a name from the title that git allows', async () => {
    begin({ a: '' });
    const branches = await here();
    const titles = [
      'Fix the “slug” of Ürümqi!',
      '',
      '…',
      '../../x',
      '-rf @{u}',
      '修复结算',
      'w'.repeat(500),
      'a.lock',
      '😀',
      'a'.repeat(39) + ' 😀b',
    ];
    const names = titles.map(branchNameFor);
    assert.equal(names[0], 'agent/fix-the-slug-of-urumqi');
    assert.equal(names[1], 'agent/changes');
    for (const name of names) {
      assert.ok(name.length <= 60, name);
      assert.equal(await branches.isAllowed(name), true, name);
    }
    for (const name of ['-x', 'a..b', 'a b', 'x.lock', '', '@{u}'])
      assert.equal(await branches.isAllowed(name), false, name);
  });

  it('gets a name that no other branch leaves without room', async () => {
    begin({ a: '' });
    const branches = await here();
    const rivals = (...names: string[]) => Promise.all(names.map((name) => branches.rival(name)));
    assert.equal(await branches.freeName('agent/fix'), 'agent/fix');
    for (const name of ['team/fix', 'agent/fix', 'agent/fix-2']) sandbox.git('here', 'branch', name);
    assert.deepEqual(await rivals('team', 'team/fix/more', 'Team/Fix', 'team/fixes', 'tea'), [
      ...['team/fix', 'team/fix', 'team/fix'],
      ...[undefined, undefined],
    ]);
    assert.equal(await branches.freeName('agent/fix'), 'agent/fix-3');
    for (const name of ['agent/fix', 'agent/fix-2']) sandbox.git('here', 'branch', '-D', name);
    sandbox.git('here', 'branch', 'agent');
    const free = await branches.freeName('agent/fix');
    assert.equal(free, 'agent-fix');
    sandbox.git('here', 'branch', free);
    assert.equal(await branches.freeName('agent/fix'), 'agent-fix-2');
  });
});
