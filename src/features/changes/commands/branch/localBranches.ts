import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { localGitEnvironment } from '../../../../editor/localGitEnvironment';
import { gitRoot, gitRunner, type RunGit } from '../../../../editor/runGit';
import { Refusal } from '../../../../core/basics/refusal';
import type { BranchPlan, CommittedFile } from '../../model/branchPlan';
import { isPlainHistory } from '../../model/history';

/** A new branch. */
export interface MadeBranch {
  /** The commit that the branch points to. */
  commit: string;
  /** Whether it has a commit that the agent’s repository doesn’t have. */
  isAdded: boolean;
  /** Files that aren’t on it. */
  refused: BranchPlan['refused'];
}

/** Refuses names that any file system takes for git’s own folder, and runs no hooks. */
const carefully = ['protectHFS=true', 'protectNTFS=true', `hooksPath=${devNull}`].flatMap((one) => [
  '-c',
  `core.${one}`,
]);
/** Bytes of contents that are written at a time. */
const largestPart = 32 * 1024 * 1024;
/** How many suggested names are tried. */
const mostNames = 50;
/** Characters of the last part of a suggested name. */
const longestName = 40;

/** A name for a branch with the changes of a conversation, from its title. */
export function branchNameFor(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let name = '';
  for (const word of words) {
    const longer = name === '' ? Array.from(word).slice(0, longestName).join('') : `${name}-${word}`;
    if (longer.length > longestName) break;
    name = longer;
  }
  return `agent/${name || 'changes'}`;
}

/**
 * Creates branches in a repository on this computer. The work tree, the index, and what is checked out stay as they
 * are.
 */
export class LocalBranches {
  private readonly env = localGitEnvironment();

  private constructor(
    private readonly git: string,
    private readonly root: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Undefined for a folder that isn’t in a repository. Rejects if git can’t tell.
   * @param git path of the program
   */
  static async at(git: string, folder: string, signal?: AbortSignal): Promise<LocalBranches | undefined> {
    const root = await gitRoot(gitRunner(git, folder, localGitEnvironment(), signal));
    return root === undefined ? undefined : new LocalBranches(git, root, signal);
  }

  /** Whether the repository has a commit. */
  hasCommit(commit: string): Promise<boolean> {
    return succeeds(this.run(['cat-file', '-e', `${commit}^{commit}`]));
  }

  /** Whether a branch can have this name. */
  async isAllowed(name: string): Promise<boolean> {
    return !name.startsWith('-') && (await succeeds(this.run(['check-ref-format', `refs/heads/${name}`])));
  }

  /** The branch that leaves no room for this name: one of that name, or below it, or that it would be below. */
  async rival(name: string): Promise<string | undefined> {
    return rivalOf(name, await this.names());
  }

  /** The name, or if it’s taken, the first free one with a number. */
  async freeName(name: string): Promise<string> {
    const names = await this.names();
    for (const start of [name, name.replace('/', '-')])
      for (let count = 1; count <= mostNames; count += 1) {
        const tried = count === 1 ? start : `${start}-${count}`;
        const rival = rivalOf(tried, names);
        if (rival === undefined) return tried;
        // It leaves no room for any of them.
        if (rival.length < start.length) break;
      }
    return name;
  }

  private async names(): Promise<string[]> {
    return text(await this.run(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'])).split('\n');
  }

  /**
   * Brings a commit here with the part of its history that another commit doesn’t have. No branch points to it yet, and
   * nothing else changes. False if it has files that can’t be on a branch here.
   * @param pack reads what is missing, if anything is; its objects are checked as those of a fetch
   */
  async take(
    base: string,
    head: string,
    pack: () => Promise<Uint8Array>,
    windows: boolean,
  ): Promise<boolean> {
    if (!(await this.hasCommit(head))) await this.run(['index-pack', '--stdin', '--strict'], await pack());
    const range = [head, `^${base}`];
    await this.run(['rev-list', '--objects', '--quiet', ...range]);
    const commits = await this.run(['rev-list', ...range]);
    const args = [
      '--stdin',
      '--root',
      '-r',
      '-m',
      '-z',
      '--raw',
      '--no-renames',
      '--no-commit-id',
      '--no-abbrev',
    ];
    return isPlainHistory(await this.run(['diff-tree', ...args], commits), windows);
  }

  /** How many commits are in the history of one commit but not of another. */
  async count(base: string, head: string): Promise<number> {
    return Number(text(await this.run(['rev-list', '--count', head, `^${base}`])));
  }

  /**
   * Creates a branch with one commit on top of `base`. With `head`, which must be here already, the branch has its
   * commits, plus one if they lack anything. Throws a Refusal if the branch would have nothing new, or if git doesn’t
   * know who is committing.
   */
  async create(
    name: string,
    base: string,
    plan: BranchPlan,
    message: string,
    head?: string,
  ): Promise<MadeBranch> {
    const { files, removed, refused } = plan;
    const work = await mkdtemp(path.join(tmpdir(), 'agent-workspace-'));
    try {
      const index = { ...this.env, GIT_INDEX_FILE: path.join(work, 'index') };
      const run = this.runner(index);
      await this.store(run, work, files);
      await run(['read-tree', base]);
      const none = '0'.repeat(base.length);
      const gone = (at: string) => `0 ${none}\t${at}\0`;
      const old = refused.flatMap(({ path: at, oldPath }) => (oldPath === undefined ? [at] : [at, oldPath]));
      const committed = head === undefined ? [] : await this.among(head, old);
      const lines = [
        ...removed.map(gone),
        ...files.map(({ mode, oid, path: at }) => `${mode} ${oid}\t${at}\0`),
        // What can’t be read stays as the agent committed it.
        ...(head === undefined ? [] : old.map(gone)),
        ...committed.map(({ line }) => `${line}\0`),
      ];
      await run(['update-index', '-z', '--index-info'], lines.join(''));
      const tree = text(await run(['write-tree']));
      const parent = head ?? base;
      const isSame = tree === text(await run(['rev-parse', `${parent}^{tree}`]));
      if (isSame && head === undefined) throw new Refusal(nothing());
      let commit = parent;
      if (!isSame) {
        await succeedsOr(run(['var', 'GIT_COMMITTER_IDENT']), noIdentity);
        commit = text(await run(['commit-tree', tree, '-p', parent], `${message}\n`));
      }
      await run(['branch', '--no-track', name, commit]);
      const there = new Set(committed.map(({ path: at }) => at));
      return { commit, isAdded: !isSame, refused: refused.filter(({ path: at }) => !there.has(at)) };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** The paths that are in a commit, with git’s line for each. */
  private async among(head: string, paths: readonly string[]): Promise<{ path: string; line: string }[]> {
    const wanted = new Set(paths);
    if (wanted.size === 0) return [];
    const listed = await this.run(['ls-tree', '-r', '-z', '--full-tree', head]);
    const all = listed.toString().split('\0').slice(0, -1);
    return all
      .map((line) => ({ line, path: line.slice(line.indexOf('\t') + 1) }))
      .filter((one) => wanted.has(one.path));
  }

  /** Deletes a branch that still points to a commit and isn’t checked out; false if it stays. */
  async remove(name: string, commit: string): Promise<boolean> {
    const now = await this.run(['rev-parse', '--verify', `refs/heads/${name}`]).then(text, () => '');
    return now === commit && (await succeeds(this.run(['branch', '--delete', '--force', name])));
  }

  /** Stores contents as git’s objects. */
  private async store(run: RunGit, work: string, files: readonly CommittedFile[]): Promise<void> {
    let part: { file: string; oid: string }[] = [];
    let bytes = 0;
    const flush = async () => {
      if (part.length === 0) return;
      const names = part.map(({ file }) => `${file}\n`).join('');
      const stored = text(await run(['hash-object', '-w', '--no-filters', '--stdin-paths'], names));
      if (stored !== part.map(({ oid }) => oid).join('\n')) throw new Refusal(otherHashes());
      for (const { file } of part) await rm(file);
      [part, bytes] = [[], 0];
    };
    for (const [at, { oid, content }] of files.entries()) {
      if (!content) continue;
      const file = path.join(work, `${at}`);
      await writeFile(file, content);
      part.push({ file, oid });
      bytes += content.byteLength;
      if (bytes > largestPart) await flush();
    }
    await flush();
  }

  private run(args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
    return this.runner(this.env)(args, input);
  }

  private runner(env: NodeJS.ProcessEnv): RunGit {
    const run = gitRunner(this.git, this.root, env, this.signal);
    return (args, input) => run([...carefully, ...args], input);
  }
}

const text = (output: Buffer) => output.toString().trimEnd();

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

async function succeedsOr(work: Promise<unknown>, words: () => string): Promise<void> {
  if (!(await succeeds(work))) throw new Refusal(words());
}

const nothing = () => l10n.t('None of the changes can be put on a branch. No branch was created.');
const noIdentity = () =>
  l10n.t(
    'Git on this computer doesn’t know your name and email. Set user.name and user.email, then try again. No branch was created.',
  );
const otherHashes = () =>
  l10n.t('Git on this computer stores these files under other hashes. No branch was created.');

/** The first of the branches that leaves no room for this name. */
function rivalOf(name: string, branches: readonly string[]): string | undefined {
  // On many computers, names that differ only in case are one.
  const folder = (one: string) => `${one}/`.toLowerCase();
  const wanted = folder(name);
  return branches.find((one) => folder(one).startsWith(wanted) || wanted.startsWith(folder(one)));
}
