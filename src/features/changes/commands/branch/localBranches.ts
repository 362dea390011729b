import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { localGitEnvironment } from '../../../../editor/localGitEnvironment';
import { gitRunner, type RunGit } from '../../../../editor/runGit';
import { Refusal } from '../../../../core/basics/refusal';
import type { BranchPlan, CommittedFile } from '../../model/branchPlan';

/** Names that some file system takes for git’s own folder are refused on each, and no hook runs. */
const carefully = ['protectHFS=true', 'protectNTFS=true', `hooksPath=${devNull}`].flatMap((one) => [
  '-c',
  `core.${one}`,
]);
/** Bytes of contents that are written at a time. */
const largestPart = 32 * 1024 * 1024;
/** Suggestions that are tried. */
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
 * Makes branches in a repository of this computer. The work tree, the index, and what is checked out stay as they are.
 */
export class LocalBranches {
  private readonly env = localGitEnvironment();

  private constructor(
    private readonly git: string,
    private readonly root: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Undefined for a folder that isn’t in a repository.
   * @param git path of the program
   */
  static async at(git: string, folder: string, signal?: AbortSignal): Promise<LocalBranches | undefined> {
    const top = gitRunner(git, folder, localGitEnvironment(), signal)(['rev-parse', '--show-toplevel']);
    const root = await top.then(
      (output) => output.toString().replace(/\r?\n$/, ''),
      () => undefined,
    );
    return root === undefined ? undefined : new LocalBranches(git, root, signal);
  }

  /** Whether the repository has a commit. */
  hasCommit(commit: string): Promise<boolean> {
    return succeeds(this.run(['cat-file', '-e', `${commit}^{commit}`]));
  }

  /** Whether a name can be that of a branch. */
  async isAllowed(name: string): Promise<boolean> {
    return !name.startsWith('-') && (await succeeds(this.run(['check-ref-format', `refs/heads/${name}`])));
  }

  exists(name: string): Promise<boolean> {
    return succeeds(this.run(['show-ref', '--verify', '--quiet', `refs/heads/${name}`]));
  }

  /** The name, or else the first free one with a number. */
  async freeName(name: string): Promise<string> {
    for (let count = 1; count <= mostNames; count += 1) {
      const tried = count === 1 ? name : `${name}-${count}`;
      if (!(await this.exists(tried))) return tried;
    }
    return name;
  }

  /**
   * Makes a branch of one commit on top of `base`; returns the commit. Throws a Refusal if nothing would be in it, or git
   * doesn’t know who makes it.
   */
  async create(name: string, base: string, { files, removed }: BranchPlan, message: string): Promise<string> {
    const work = await mkdtemp(path.join(tmpdir(), 'agent-workspace-'));
    try {
      const index = { ...this.env, GIT_INDEX_FILE: path.join(work, 'index') };
      const run = this.runner(index);
      await succeedsOr(run(['var', 'GIT_COMMITTER_IDENT']), noIdentity);
      await this.store(run, work, files);
      await run(['read-tree', base]);
      const none = '0'.repeat(base.length);
      const lines = [
        ...removed.map((at) => `0 ${none}\t${at}\0`),
        ...files.map(({ mode, oid, path: at }) => `${mode} ${oid}\t${at}\0`),
      ];
      await run(['update-index', '-z', '--index-info'], lines.join(''));
      const tree = text(await run(['write-tree']));
      if (tree === text(await run(['rev-parse', `${base}^{tree}`]))) throw new Refusal(nothing());
      const commit = text(await run(['commit-tree', tree, '-p', base], `${message}\n`));
      await run(['branch', '--no-track', name, commit]);
      return commit;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** Deletes a branch that is still at a commit and isn’t checked out; false if it stays. */
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

  private run(args: readonly string[]): Promise<Buffer> {
    return this.runner(this.env)(args);
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
