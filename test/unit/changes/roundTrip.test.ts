import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { ChangedFile, FileMode } from '../../../src/features/sandboxChanges/model/changeSet';
import { linesOf } from '../../../src/core/text/lines';
import { planChanges } from '../../../src/features/changes/model/planning';
import { seeded } from './seeded';
import { apply, edited, edits, read, tree, write, type Tree } from './trees';

/** What git says that a folder has, and what its versions contain. */
class Git {
  private readonly env;
  constructor(
    private readonly folder: string,
    store: string,
  ) {
    this.env = {
      PATH: process.env['PATH'],
      HOME: store,
      GIT_DIR: path.join(store, 'git'),
      GIT_WORK_TREE: folder,
    };
    this.run('init', '--quiet');
    this.run('config', 'core.autocrlf', 'false');
  }
  run(...args: string[]): Buffer {
    const cwd = existsSync(this.folder) ? this.folder : tmpdir();
    return execFileSync('git', args, { cwd, env: this.env, maxBuffer: 1e8 });
  }
  /** The hash of everything in the folder, without git’s own ideas of what to leave out. */
  tree(): string {
    this.run('add', '--all', '--force', '.');
    return this.run('write-tree').toString().trim();
  }
  /** What changed in each of the folders `0`, `1`, and so on. */
  changes(since: string): ChangedFile[][] {
    const fields = this.run('diff-index', '--cached', '--raw', '-z', '-M', '--no-abbrev', since)
      .toString()
      .split('\0');
    const found: ChangedFile[][] = [];
    const add = (at: string, rest: Omit<ChangedFile, 'path'>, oldPath?: string) => {
      const [folder = '', ...names] = at.split('/');
      const change = { path: names.join('/'), ...rest, ...(oldPath !== undefined && { oldPath }) };
      (found[Number(folder)] ??= []).push(change);
    };
    while (fields.length > 1) {
      const [oldMode = '', mode = '', oldOid = '', oid = '', status = ''] = (fields.shift() ?? '')
        .slice(1)
        .split(' ');
      const version = (of: string, hash: string) =>
        of === '000000' ? null : { oid: hash, mode: of as FileMode, size: 1 };
      const [before, after] = [version(oldMode, oldOid), version(mode, oid)];
      const first = fields.shift() ?? '';
      const [to, from] = status.startsWith('R') ? [fields.shift() ?? '', first] : [first];
      if (from === undefined) add(to, { kind: 'modified', before, after });
      else if (from.split('/')[0] === to.split('/')[0])
        add(to, { kind: 'renamed', before, after }, from.slice(from.indexOf('/') + 1));
      else {
        add(from, { kind: 'deleted', before, after: null });
        add(to, { kind: 'added', before: null, after });
      }
    }
    return found;
  }
}

/** Contents by the hashes that git gives them. */
function contents(...trees: Tree[]): Map<string, Buffer> {
  const hash = (bytes: Buffer) =>
    createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return new Map(
    trees.flatMap((files) => Object.values(files)).map(({ content: bytes }) => [hash(bytes), bytes]),
  );
}

describe('the way of changes into a folder', function () {
  this.timeout(120_000);
  let temporary: string;
  let agent: string;
  let here: string;
  let git: Git;
  let local: Git;

  before(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'round-trip-'));
    [agent, here] = [path.join(temporary, 'agent'), path.join(temporary, 'here')];
    mkdirSync(path.join(temporary, 'two'));
    git = new Git(agent, temporary);
    local = new Git(here, path.join(temporary, 'two'));
  });
  after(() => rmSync(temporary, { recursive: true, force: true }));

  interface Case {
    base: Tree;
    theirs: Tree;
    mine: Tree;
  }

  const folderOf = (root: string, index: number) => path.join(root, `${index}`);
  const writeAll = (root: string, trees: readonly Tree[]) => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    for (const [index, files] of trees.entries()) write(folderOf(root, index), files);
  };

  /** Has git say what the agent did in each case, and applies that to the folder of each case. */
  const carry = async (cases: readonly Case[]) => {
    writeAll(
      agent,
      cases.map(({ base }) => base),
    );
    const since = git.tree();
    writeAll(
      agent,
      cases.map(({ theirs }) => theirs),
    );
    git.tree();
    const changes = git.changes(since);
    writeAll(
      here,
      cases.map(({ mine }) => mine),
    );
    return Promise.all(
      cases.map(async ({ base, theirs }, index) => {
        const folder = folderOf(here, index);
        const stored = contents(base, theirs);
        const plan = await planChanges(
          { files: changes[index] ?? [] },
          ({ oid }) => Promise.resolve(stored.get(oid) ?? assert.fail(oid)),
          { read: (at) => Promise.resolve(read(folder, at)), windows: false },
          () => undefined,
        );
        const kinds: string[] = [];
        for (const one of plan.changes.toSorted((a) => (a.after === null ? -1 : 1)))
          kinds.push(...(await apply(folder, one)));
        return { plan, kinds, folder };
      }),
    );
  };

  it('makes any tree the agent’s, byte for byte, where nothing was changed here', async () => {
    const seen = new Set<string>();
    const one = fc
      .tuple(tree, edits)
      .map(([base, changes]) => ({ base, theirs: edited(base, changes), mine: base }));
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 30, maxLength: 30 }), async (cases) => {
        for (const [index, { plan, kinds, folder }] of (await carry(cases)).entries()) {
          for (const kind of kinds) seen.add(kind);
          if (plan.refused.length === 0) continue;
          // A file that takes the place of another that moved is named.
          assert.ok(plan.refused.every(({ why }) => why === 'collision' || why === 'existsHere'));
          write(folder, cases[index]?.theirs ?? {});
        }
        assert.equal(local.tree(), git.tree());
      }),
      seeded('ROUND_TRIP_SEED', { numRuns: 10 }),
    );
    assert.deepEqual([...seen].toSorted(), ['create', 'delete', 'edit', 'rename']);
  });

  it('loses nothing that was changed here, and names what it leaves', async () => {
    let merged = 0;
    const numbered = (changed?: number) => {
      const lines = Array.from({ length: 9 }, (_, line) =>
        line === changed ? `changed ${line}\r\n` : `${line}\r\n`,
      );
      return { 'both.txt': { content: Buffer.from(lines.join('')), executable: false } };
    };
    const line = fc.nat({ max: 8 });
    const one = fc.tuple(tree, edits, edits, line, line).map(([base, theirs, ours, changed, mine]) => ({
      base: { ...base, ...numbered() },
      theirs: { ...edited(base, theirs), ...numbered(changed) },
      mine: { ...edited(base, ours), ...numbered(mine) },
    }));
    const check = (
      { base, theirs, mine }: Case,
      { plan, folder }: Awaited<ReturnType<typeof carry>>[number],
    ) => {
      const refused = new Set(plan.refused.map(({ path: at }) => at));
      const touched = new Map(plan.changes.map((change) => [change.path, change]));
      const left = new Set(plan.changes.flatMap(({ from }) => from ?? []));
      for (const [at, { content: bytes, executable }] of Object.entries(mine)) {
        const now = read(folder, at);
        const change = touched.get(at);
        const isUnchanged = base[at]?.content.equals(bytes) ?? false;
        // Gone only if it was what the agent had moved or deleted.
        if (!change && !left.has(at)) assert.deepEqual(now, { content: bytes, executable }, at);
        if (!change?.after || !change.before || isUnchanged) continue;
        merged += 1;
        assert.ok(now && 'content' in now && Buffer.compare(now.content, change.after) === 0);
        const lines = linesOf(Buffer.from(change.after).toString('latin1')).map((line) => line.trimEnd());
        const isThere = (line: string) => lines.includes(line.trimEnd());
        const baseLines = linesOf(base[at]?.content.toString('latin1') ?? '').map((line) => line.trimEnd());
        // Whatever this side added is in the result.
        for (const line of linesOf(bytes.toString('latin1')))
          assert.ok(isThere(line) || baseLines.includes(line.trimEnd()), `${at}: ${line}`);
      }
      for (const [at, { content: wanted }] of Object.entries(theirs)) {
        const now = read(folder, at);
        const isTheirs = now && 'content' in now && wanted.equals(Buffer.from(now.content));
        const isUnchanged = base[at]?.content.equals(wanted);
        // An empty file adds nothing to one that is here.
        const isEmpty = !base[at] && wanted.length === 0;
        assert.ok([isTheirs, isUnchanged, isEmpty, refused.has(at), touched.has(at)].includes(true), at);
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 30, maxLength: 30 }), async (cases) => {
        for (const [index, result] of (await carry(cases)).entries()) {
          const of = cases[index];
          if (of) check(of, result);
        }
      }),
      seeded('ROUND_TRIP_SEED', { numRuns: 10 }),
    );
    assert.ok(merged > 200, `${merged} merges`);
  });
});
