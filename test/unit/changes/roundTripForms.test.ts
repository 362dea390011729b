import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { checkOutWith } from '../../../src/features/changes/commands/folder/checkedOut';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { planChanges } from '../../../src/features/changes/model/planning';
import { readRepositories } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { seeded } from './seeded';
import { TestSandbox } from './support';
import { apply, edited, edits, read, tree, write, type Tree } from './trees';

/** What git may do with the files of a folder. */
const attributes = fc.constantFrom(
  '',
  '* text=auto eol=crlf\n',
  '*.txt text eol=crlf\n*.js -text\n',
  '* text=auto eol=lf\n',
  '*.txt working-tree-encoding=ISO-8859-1\n*.md working-tree-encoding=ISO-8859-15\n',
  '* ident\n',
  '*.txt filter=upper\n',
);
const marked: Tree[string] = { content: Buffer.from('one\n$Id$\ntwo\n'), executable: false };
const one = fc.record({
  attributes,
  base: tree,
  changes: edits,
  isMarked: fc.boolean(),
  isCaseMoved: fc.boolean(),
});
/** Where the agent works, and what its folder and the one here are called. */
const place = fc.record({
  kind: fc.constantFrom('clone' as const, 'worktree' as const, 'submodule' as const),
  name: fc.constantFrom('shop', 'a:b', 'q"uote \\ ü'),
  autocrlf: fc.constantFrom('true', 'false', 'input'),
});

type Case = typeof one extends fc.Arbitrary<infer T> ? T : never;

/** The folder of a case, before and after the agent’s edits. */
function sidesOf({
  attributes: rules,
  base,
  changes,
  isMarked,
  isCaseMoved,
}: Case): [before: Tree, after: Tree] {
  const own: Tree = {
    '.gitattributes': { content: Buffer.from(rules), executable: false },
    ...(isMarked && { 'marked.c': marked, 'Case.txt': marked }),
  };
  const after: Record<string, Tree[string]> = { ...edited(base, changes), ...own };
  if (isMarked) after['marked.c'] = { ...marked, content: Buffer.from('one\n$Id$\ntwo more\n') };
  if (isMarked && isCaseMoved) {
    Reflect.deleteProperty(after, 'Case.txt');
    after['case.txt'] = marked;
  }
  return [{ ...base, ...own }, after];
}

describe('the way of changes into a folder where git converts files', function () {
  this.timeout(300_000);

  it('leaves what git would check out, byte for byte, or names the file', async () => {
    let arrived = 0;
    const check = async (
      sandbox: TestSandbox,
      cases: readonly Case[],
      { kind, name, autocrlf }: typeof place extends fc.Arbitrary<infer T> ? T : never,
    ) => {
      const filters = [
        '-c',
        'filter.upper.smudge=tr a-z A-Z',
        '-c',
        'filter.upper.clean=tr A-Z a-z',
        '-c',
        `core.autocrlf=${autocrlf}`,
      ];
      const writeAll = (folder: string, side: 0 | 1) => {
        for (const [index, it] of cases.entries()) write(sandbox.at(folder, `${index}`), sidesOf(it)[side]);
      };
      sandbox.create('origin', { start: '' });
      writeAll('origin', 0);
      sandbox.git('origin', 'add', '--all', '--force');
      sandbox.git('origin', 'commit', '--quiet', '--message', 'Base');
      const clone = (...to: string[]) =>
        sandbox.git('', ...filters, 'clone', '--quiet', ...filters, 'origin', ...to);
      let agent = `work/${name}`;
      if (kind === 'submodule') {
        sandbox.create('outer', { start: '' });
        const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
        sandbox.git('outer', ...add, sandbox.at('origin'), 'inner');
        sandbox.commit('outer', 'Inner');
        const allow = ['-c', 'protocol.file.allow=always', 'clone', '--quiet', '--recurse-submodules'];
        sandbox.git('', ...allow, 'outer', agent);
        agent += '/inner';
      } else clone(agent);
      if (kind === 'worktree') {
        sandbox.git(agent, 'worktree', 'add', '--quiet', '--detach', sandbox.at(`${name} elsewhere`));
        agent = `${name} elsewhere`;
      }
      writeAll(agent, 1);
      clone(`here ${name}`);
      const here = sandbox.at(`here ${name}`);
      const all = await readRepositories(
        sandbox.workspace,
        { folder: sandbox.at('work'), branch: null, at: Date.now() - 3_600_000 },
        new ContentCache(),
      );
      const found = all.find(({ changes }) => changes.repository.root === sandbox.at(agent));
      assert.ok(found?.changes.complete);
      const target = {
        read: (at: string) => Promise.resolve(read(here, at)),
        windows: false,
        checkOut: checkOutWith('git', here),
      };
      const plan = await planChanges(
        found.changes,
        found.source.content.bind(found.source),
        target,
        () => undefined,
      );
      for (const change of plan.changes.toSorted((a) => (a.after === null ? -1 : 1)))
        await apply(here, change);
      // What git itself makes of it.
      sandbox.git(agent, 'add', '--all', '--force');
      sandbox.git(agent, 'commit', '--quiet', '--allow-empty', '--message', 'The agent’s');
      sandbox.git(agent, 'push', '--quiet', 'origin', 'HEAD:refs/heads/agents');
      clone('--branch=agents', 'wanted');
      const named = new Map(plan.refused.map(({ path: at, why }) => [at, why]));
      for (const [at, why] of named) assert.ok(why === 'collision' || why === 'existsHere', `${at}: ${why}`);
      const filesOf = (folder: string) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
          (at) => !/^\.git($|\/)/.test(at) && lstatSync(path.join(folder, at)).isFile(),
        );
      const wanted = filesOf(sandbox.at('wanted'));
      for (const at of wanted) {
        if (named.has(at)) continue;
        const [now, then] = [path.join(here, at), sandbox.at('wanted', at)];
        assert.ok(existsSync(now), at);
        assert.equal(readFileSync(now).toString('latin1'), readFileSync(then).toString('latin1'), at);
        assert.equal(lstatSync(now).mode & 0o100, lstatSync(then).mode & 0o100, at);
        arrived += 1;
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 25, maxLength: 25 }), place, async (cases, where) => {
        const sandbox = new TestSandbox();
        try {
          await check(sandbox, cases, where);
        } finally {
          sandbox.dispose();
        }
      }),
      seeded('ROUND_TRIP_FORMS_SEED', { numRuns: 4, endOnFailure: true }),
    );
    assert.ok(arrived > 200, `${arrived} files`);
  });
});
