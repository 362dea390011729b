import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { historyWords, keptHistory } from '../../../src/features/changes/commands/branch/keptHistory';
import { LocalBranches } from '../../../src/features/changes/commands/branch/localBranches';
import { planBranch } from '../../../src/features/changes/model/branchPlan';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { ApiError } from '../../../src/api/http/errors';
import { otherShells } from './shells';
import { TestSandbox } from './support';

const { shells, dispose } = otherShells();
after(dispose);
for (const [system, shell] of [['GNU', undefined] as const, ...shells])
  describe(`a branch with an agent’s own commits (${system})`, function () {
    this.timeout(120_000);
    let sandbox: TestSandbox;
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      sandbox.clone({ 'a.txt': 'one\n', 'old name.txt': '1\n2\n3\n4\n5\n' });
      sandbox.git('', 'clone', '--quiet', 'origin', 'here');
      sandbox.git('here', 'config', 'user.name', 'B');
      sandbox.git('here', 'config', 'user.email', 'b@example.com');
    });
    afterEach(() => sandbox.dispose());

    const there = (...args: string[]) => sandbox.git('work/shop', ...args);
    const here = (...args: string[]) => sandbox.git('here', ...args);
    const commit = (message: string, ...more: string[]) => {
      there('add', '--all');
      there('commit', '--quiet', '--allow-empty', '--message', message, ...more);
    };
    /** Makes the branch as the command does. */
    const make = async (pack?: () => Promise<Uint8Array>) => {
      const place = { root: sandbox.at('work/shop'), folder: sandbox.at('work'), branch: null, at: null };
      const source = new SandboxChanges(sandbox.workspace, place, new ContentCache());
      const changes = await source.list();
      const { base, head, root } = changes.repository;
      assert.ok(base !== null);
      const plan = await planBranch(changes, source.content.bind(source), false, () => undefined);
      const branches = await LocalBranches.at('git', sandbox.at('here'));
      assert.ok(branches);
      const commits = new ConversationChanges({
        reachPlace: () => Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at('work') }),
        loadAll: () => Promise.resolve(),
        events: () => [],
        began: () => ({ branch: null, at: null, repository: null }),
        mask: (text) => text,
      });
      const reading = pack ?? ((of: string) => commits.pack(root, base, of));
      const history = await keptHistory(branches, { base, head, plan, windows: false }, reading);
      const made = await branches.create('agent/fix', base, plan, 'Fix it', history.head);
      return { ...made, history, words: historyWords('agent/fix', history, made.isAdded) };
    };

    it('has them as they are: authors, messages, order, merges, empty ones, renames, and binary files', async () => {
      there('mv', 'old name.txt', 'new ünï.txt');
      commit(
        'Rename it\n\nand say — why',
        '--author',
        'Ada <ada@example.com>',
        '--date',
        '2001-02-03T04:05:06+0700',
      );
      commit('Nothing');
      there('switch', '--quiet', '-c', 'side', 'HEAD~1');
      writeFileSync(sandbox.at('work/shop/bytes.bin'), Buffer.from([0, 255, 13, 10, 0]));
      commit('Add bytes');
      there('switch', '--quiet', 'main');
      there('merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
      const made = await make();
      assert.equal(made.commit, there('rev-parse', 'HEAD'));
      const log = ['log', '--graph', '--format=%H %P %an %ae %aI %cn %cI %B'];
      assert.equal(here(...log, 'agent/fix'), there(...log, 'HEAD'));
      assert.match(here(...log, 'agent/fix'), /Ada ada@example\.com 2001-02-03T04:05:06\+07:00/);
      assert.equal(made.words, '“agent/fix” has the agent’s 4 commits.');
      assert.equal(here('fsck', '--strict', '--no-dangling'), '');
      assert.equal(here('status', '--porcelain'), '');
    });

    // The rest happens here, whatever shell the sandbox has.
    if (shell) return;

    it('has what the agent didn’t commit in one more, and what it took back', async () => {
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      writeFileSync(sandbox.at('work/shop/b.txt'), 'b\n');
      commit('Two');
      writeFileSync(sandbox.at('work/shop/a.txt'), 'one\n');
      rmSync(sandbox.at('work/shop/b.txt'));
      writeFileSync(sandbox.at('work/shop/c.txt'), 'c\n');
      const made = await make();
      assert.equal(here('rev-parse', 'agent/fix~1'), there('rev-parse', 'HEAD'));
      assert.equal(here('log', '-1', '--format=%s %an', 'agent/fix'), 'Fix it B');
      assert.equal(here('diff', '--name-only', 'origin/main', 'agent/fix'), 'c.txt');
      assert.match(made.words, /has the agent’s commit, and one more/);
    });

    it('has a large file that the agent committed', async () => {
      const large = Buffer.alloc(21 * 1024 * 1024, 'x');
      writeFileSync(sandbox.at('work/shop/large'), large);
      commit('Large');
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      writeFileSync(sandbox.at('work/shop/larger'), large);
      const made = await make();
      assert.deepEqual(
        made.refused.map(({ path, why }) => [path, why]),
        [['larger', 'tooLarge']],
      );
      assert.equal(here('cat-file', '-s', 'agent/fix:large'), String(large.length));
      assert.equal(here('show', 'agent/fix:a.txt'), 'two');
    });

    it('needs nothing from the sandbox if they are here already', async () => {
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      commit('Two');
      there('push', '--quiet', 'origin', 'HEAD:refs/heads/topic');
      here('fetch', '--quiet');
      const made = await make(() => assert.fail('read'));
      assert.equal(made.commit, there('rev-parse', 'HEAD'));
    });

    it('is one commit, and says why, if something in them may not be here', async () => {
      sandbox.link('/etc/passwd', 'work/shop/link');
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      commit('Link');
      rmSync(sandbox.at('work/shop/link'));
      commit('No link');
      const made = await make();
      assert.deepEqual(made.history.count, 0);
      assert.match(made.words, /in one commit\. Its own commits aren’t kept: they have links/);
      assert.equal(here('rev-parse', 'agent/fix~1'), here('rev-parse', 'origin/main'));
      assert.equal(here('show', 'agent/fix:a.txt'), 'two');
    });

    it('is one commit, and says why, if they are too large, damaged, or not all there', async () => {
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      commit('Two');
      const wrong: [() => Promise<Uint8Array>, RegExp][] = [
        [() => Promise.resolve(packOf('HEAD^{commit}')), /damaged/],
        [() => Promise.reject(new ApiError('tooLarge', 'GET', '/')), /larger than 100 MB/],
        [() => Promise.resolve(Buffer.from('PACK')), /damaged/],
        [() => Promise.resolve(new Uint8Array()), /damaged/],
      ];
      for (const [pack, words] of wrong) {
        const made = await make(pack);
        assert.match(made.words, words);
        assert.equal(here('rev-parse', 'agent/fix~1'), here('rev-parse', 'origin/main'));
        here('branch', '--quiet', '-D', 'agent/fix');
      }
    });

    it('is refused by git’s own checks if a commit has a path in git’s folder', async () => {
      const blob = there('rev-parse', 'HEAD:a.txt');
      const tree = (line: string) =>
        execFileSync('git', ['mktree', '--missing'], {
          cwd: sandbox.at('work/shop'),
          input: `${line}\n`,
          encoding: 'utf8',
        }).trim();
      const hooks = tree(`100755 blob ${blob}\tpost-checkout`);
      const root = tree(`040000 tree ${hooks}\t.git`);
      const bad = there('commit-tree', root, '-p', 'HEAD', '-m', 'Bad');
      there('update-ref', 'HEAD', there('commit-tree', 'HEAD^{tree}', '-p', bad, '-m', 'Good'));
      writeFileSync(sandbox.at('work/shop/a.txt'), 'two\n');
      const made = await make();
      assert.match(made.words, /one commit\. Its own commits aren’t kept/);
      assert.equal(here('log', '--format=%s', 'agent/fix'), 'Fix it\nOne');
    });

    /** A pack of one object. */
    const packOf = (name: string) => {
      const input = `${there('rev-parse', name)}\n`;
      return execFileSync('git', ['pack-objects', '--stdout', '--quiet'], {
        cwd: sandbox.at('work/shop'),
        input,
      });
    };
  });
