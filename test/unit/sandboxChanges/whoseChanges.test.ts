import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { beganAt } from '../../../src/features/sandboxChanges/model/beganAt';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import type { AgentEvent } from '../../../src/api/events/event';
import { TestSandbox, until } from '../changes/support';

const second = 1_000;

describe('whose changes are in a repository', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  beforeEach(() => {
    sandbox = new TestSandbox();
    past();
  });
  afterEach(() => sandbox.dispose());

  const put = (name: string, content: string) => sandbox.write(`work/shop/${name}`, content);
  const git = (...args: string[]) => sandbox.git('work/shop', ...args);
  const head = () => git('rev-parse', 'HEAD');
  /** What git records from now on is from before the conversations of these tests, or from now. */
  const past = () => sandbox.environmentFor({ GIT_COMMITTER_DATE: '2020-05-05T00:00:00Z' });
  const present = () => sandbox.environmentFor({});
  const aYearAgo = Date.now() - 365 * 24 * 3_600 * second;
  const list = async (at: number | null = aYearAgo) => {
    const place = { root: sandbox.at('work/shop'), folder: sandbox.at('work'), branch: null, at };
    const { repository, files } = await new SandboxChanges(
      sandbox.workspace,
      place,
      new ContentCache(),
    ).list();
    return { ...repository, files: files.map(({ kind, path }) => `${kind} ${path}`) };
  };

  it('are the agent’s since the conversation began, without a remote', async () => {
    sandbox.create('work/shop', { a: '1', untouched: '1' });
    put('user', 'mine');
    sandbox.commit('work/shop', 'The user’s');
    const began = head();
    present();
    put('a', '2');
    sandbox.commit('work/shop', 'The agent’s');
    put('new', '1');
    const { base, basis, files } = await list();
    assert.deepEqual([base, basis, files], [began, 'time', ['modified a', 'added new']]);
  });

  it('are everything where there was no commit then', async () => {
    present();
    sandbox.create('work/shop', { a: '1' });
    sandbox.commit('work/shop', 'Two');
    const { base, files } = await list();
    assert.deepEqual([base, files], [null, ['added a']]);
  });

  it('are the agent’s on another branch: on a new one, on one of the user’s, and without one', async () => {
    sandbox.create('work/shop', { a: '1' });
    const main = head();
    git('checkout', '--quiet', '-b', 'users');
    put('user', 'mine');
    sandbox.commit('work/shop', 'The user’s');
    const users = head();
    git('checkout', '--quiet', 'main');
    present();
    put('a', '2');
    sandbox.commit('work/shop', 'On main');
    git('checkout', '--quiet', '-b', 'agents');
    put('b', '1');
    sandbox.commit('work/shop', 'On a new branch');
    assert.deepEqual([(await list()).base, (await list()).files], [main, ['modified a', 'added b']]);
    git('checkout', '--quiet', '--detach');
    assert.equal((await list()).base, main);
    git('checkout', '--quiet', 'users');
    put('c', '1');
    assert.deepEqual([(await list()).base, (await list()).files], [users, ['added c']]);
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--no-edit', 'users');
    assert.equal((await list()).base, main);
  });

  it('include commits that the agent took back or rewrote', async () => {
    sandbox.create('work/shop', { a: '1' });
    put('a', '2');
    sandbox.commit('work/shop', 'Two');
    const began = head();
    present();
    git('reset', '--quiet', '--hard', 'HEAD~1');
    assert.deepEqual([(await list()).base, (await list()).files], [began, ['modified a']]);
    put('a', '3');
    git('commit', '--quiet', '--all', '--amend', '--message', 'Rewritten');
    assert.equal((await list()).base, began);
  });

  it('are the agent’s in a worktree that it added, since its commit', async () => {
    sandbox.create('work/shop', { a: '1' });
    present();
    put('main', '1');
    sandbox.commit('work/shop', 'On main');
    const added = head();
    git('worktree', 'add', '--quiet', '-b', 'fix', sandbox.at('work/fix'));
    sandbox.write('work/fix/b', '1');
    sandbox.commit('work/fix', 'Fix');
    const place = { root: sandbox.at('work/fix'), folder: sandbox.at('work'), branch: null, at: aYearAgo };
    const source = new SandboxChanges(sandbox.workspace, place, new ContentCache());
    const { repository, files } = await source.list();
    assert.deepEqual([repository.base, files.map(({ path }) => path)], [added, ['b']]);
  });

  it('are judged by the commits’ times where nothing was logged', async () => {
    sandbox.create('work/shop', { a: '1' });
    const began = head();
    present();
    put('a', '2');
    sandbox.commit('work/shop', 'Two');
    rmSync(sandbox.at('work/shop/.git/logs'), { recursive: true });
    assert.equal((await list()).base, began);
  });

  it('are the agent’s since the clone that it made', async () => {
    sandbox.create('origin', { a: '1' });
    present();
    sandbox.write('origin/b', '1');
    sandbox.commit('origin', 'Shortly before');
    sandbox.git('', 'clone', '--quiet', 'origin', 'work/shop');
    git('remote', 'remove', 'origin');
    put('a', '2');
    assert.deepEqual((await list()).files, ['modified a']);
  });

  it('aren’t the user’s commits that weren’t pushed', async () => {
    sandbox.clone({ a: '1' });
    put('user', 'mine');
    sandbox.commit('work/shop', 'The user’s');
    const began = head();
    present();
    put('a', '2');
    sandbox.commit('work/shop', 'The agent’s');
    const { base, basis, files } = await list();
    assert.deepEqual([base, basis, files], [began, 'time', ['modified a']]);
  });

  it('aren’t files that nobody has touched since, staged or not', async () => {
    sandbox.create('work/shop', { edited: '1', both: '2', gone: '3', moved: '4' });
    for (const name of ['edited', 'both', 'new', 'staged', 'odd "ü\n  ctime: 0:0']) put(name, 'the user’s');
    git('add', 'staged');
    const began = Date.now();
    const sinceThen = () => Math.floor(Date.now() / second) > Math.floor(began / second) + 1;
    await until(sinceThen);
    present();
    put('both', 'the agent’s, too');
    put('agent', '5');
    rmSync(sandbox.at('work/shop/gone'));
    renameSync(sandbox.at('work/shop/moved'), sandbox.at('work/shop/moved there'));
    const { files } = await list(began + second);
    assert.deepEqual(
      files,
      ['added agent', 'modified both', 'deleted gone', 'renamed moved there'].toSorted((a, b) =>
        a.split(' ')[1]! < b.split(' ')[1]! ? -1 : 1,
      ),
    );
  });

  it('aren’t known where nothing says when it began: only what isn’t committed is listed', async () => {
    sandbox.create('work/shop', { a: '1' });
    put('b', '1');
    for (const at of [null, Date.now() + 3_600 * second]) {
      const { base, basis, files } = await list(at);
      assert.deepEqual([base, basis, files], [head(), 'unsure', ['added b']]);
    }
  });
});

describe('the beginning of a conversation', () => {
  const created = '2026-05-05T10:00:00.500Z';
  const event = (timestamp: string): AgentEvent => ({
    ...{ id: 'e', kind: 'other', name: 'x', source: 'agent' },
    timestamp,
  });

  it('is what the service says, or its first event shortly before', () => {
    const recorded = Date.parse(created);
    assert.equal(beganAt(created, []), recorded);
    assert.equal(beganAt(created, [event('2026-05-05T09:59:58.000000')]), Date.parse('2026-05-05T09:59:58Z'));
    for (const other of ['2026-05-05T10:00:07', '2026-05-05T05:00:00', '2026-05-05T12:00:00'])
      assert.equal(beganAt(created, [event(other)]), recorded);
  });

  it('isn’t known without a date', () => {
    for (const odd of [null, undefined, '', 'yesterday']) assert.equal(beganAt(odd, []), null);
  });
});
