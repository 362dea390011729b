import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { parseCommits } from '../../../src/features/sandboxChanges/model/commits';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

const { shells, dispose } = otherShells();
after(dispose);
for (const [system, shell] of [['GNU', undefined] as const, ...shells])
  describe(`commits of an agent (${system})`, () => {
    let sandbox: TestSandbox;
    let changes: ConversationChanges;
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      sandbox.create('origin', { 'a.txt': 'one\n', 'old name.txt': '1\n2\n3\n4\n5\n' });
      sandbox.git('', 'clone', '--quiet', 'origin', 'work/shop');
      changes = new ConversationChanges({
        reachPlace: () => Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at('work') }),
        loadAll: () => Promise.resolve(),
        events: () => [],
        began: () => ({ branch: null, at: null, repository: null }),
        mask: (text) => text,
      });
    });
    afterEach(() => sandbox.dispose());
    const commit = (message: string) => {
      sandbox.git('work/shop', 'add', '-A');
      sandbox.git('work/shop', 'commit', '--quiet', '-m', message);
    };

    it('are those since the base, the newest first, each with what it changed', async () => {
      assert.deepEqual(
        (await changes.commits()).map(({ commits }) => commits),
        [[]],
      );
      sandbox.git('work/shop', 'mv', 'old name.txt', 'new ünï.txt');
      commit('Rename it\n\nand say why');
      writeFileSync(sandbox.at('work/shop/a.txt'), 'one\r\ntwo');
      commit('Change "a" — $(x)');
      writeFileSync(sandbox.at('work/shop/a.txt'), 'not committed');
      const [found] = await changes.commits();
      assert.ok(found);
      assert.deepEqual(
        found.commits.map(({ subject }) => subject),
        ['Change "a" — $(x)', 'Rename it'],
      );
      const of = async (index: number) => {
        const source = await changes.repository(found.root, found.commits[index]?.sha);
        return { source, ...(await source.list()) };
      };
      const [edited, renamed] = [await of(0), await of(1)];
      assert.deepEqual(
        renamed.files.map(({ kind, path, oldPath }) => [kind, path, oldPath]),
        [['renamed', 'new ünï.txt', 'old name.txt']],
      );
      assert.deepEqual(
        edited.files.map(({ kind, path }) => [kind, path]),
        [['modified', 'a.txt']],
      );
      const after = edited.files[0]?.after;
      assert.ok(after);
      assert.equal(Buffer.from(await edited.source.content(after)).toString(), 'one\r\ntwo');
      const root = sandbox.git('work/shop', 'rev-list', '--max-parents=0', 'HEAD').trim();
      const first = await (await changes.repository(found.root, root)).list();
      assert.deepEqual(
        first.files.map(({ kind, path }) => [kind, path]),
        [
          ['added', 'a.txt'],
          ['added', 'old name.txt'],
        ],
      );
    });
  });

describe('a list of commits', () => {
  it('leaves out what isn’t one', () => {
    const sha = 'a'.repeat(40);
    assert.deepEqual(parseCommits(Buffer.from(`${sha}\x01me\x0112\x01one\0-x\x01\x01\x01\0`)), [
      { sha, author: 'me', at: 12_000, subject: 'one' },
    ]);
    assert.deepEqual(parseCommits(new Uint8Array()), []);
  });

  it('has no time for a commit whose time doesn’t exist, as git takes any number', () => {
    const [commit] = parseCommits(Buffer.from(`${'a'.repeat(40)}\x01me\x0199999999999999\x01one\0`));
    assert.ok(Number.isNaN(commit?.at));
  });
});
