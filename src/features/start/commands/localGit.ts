import { copyFile, lstat, mkdir, mkdtemp, readFile, readlink, rm, utimes } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { listedFolder, localGitEnvironment } from '../../../editor/localGitEnvironment';
import { gitRunner } from '../../../editor/runGit';
import { Refusal } from '../../../core/basics/refusal';
import {
  isInGit,
  largestOutgoing,
  largestPatch,
  type NotSent,
  type Outgoing,
  type OutgoingEntry,
  type OutgoingFile,
  parseAttributes,
  parsePaths,
  parseSkipped,
  parseTracked,
} from '../../changes';
import { secretSign } from '../../../core/secretFiles';

/** Overrides settings that would make git write a different patch, ask, run something, or write next to its index. */
const plainly = [
  ...['fsmonitor=false', 'quotePath=true', 'safecrlf=false', 'splitIndex=false'],
  `hooksPath=${devNull}`,
].flatMap((one) => ['-c', `core.${one}`]);

/** Runs the local git, without a shell. Leaves its index, files, and objects as they are. */
export class LocalGit {
  /** @param git path of the program  @param root folder of the repository */
  constructor(
    private readonly git: string,
    private readonly root: string,
  ) {}

  /**
   * Lists what is committed but not at the remote, staged, unstaged, and untracked.
   * @param upstream the remote branch that the head follows, such as `origin/main`
   * Throws a Refusal if nothing is in common with the remote.
   */
  async outgoing(remote: string, upstream: string | undefined, signal: AbortSignal): Promise<Outgoing> {
    return this.apart(async (run, bytes) => {
      const base = await this.baseAt(run, remote, upstream);
      const count = await run(['rev-list', '--count', `${base}..HEAD`]);
      const branch = await run(['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => '');
      // A filter whose program is missing must not end the list: it counts when its own files are looked at.
      const required = await run(['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.required$'])
        .then(parsePaths)
        .catch(() => []);
      const lenient = required.flatMap((name) => ['-c', `${name}=false`]);
      await run([...lenient, 'update-index', '-q', '--refresh']).catch(() => undefined);
      const tracked = await run([
        ...lenient,
        'diff-index',
        '--raw',
        '-z',
        '--no-renames',
        '--no-abbrev',
        base,
      ]);
      const untracked = await run(['ls-files', '-z', '--others', '--exclude-standard']);
      const found: Outgoing = {
        base,
        branch: branch.trim() || null,
        commits: Number(count),
        files: [],
        left: [],
      };
      const entries = [
        ...parseTracked(tracked),
        ...parsePaths(untracked).map((at): OutgoingEntry => ({
          path: at,
          kind: 'untracked',
          isSubmodule: false,
          stored: undefined,
        })),
      ];
      const names = entries.map(({ path: at }) => `${at}\0`).join('');
      const asked = ['filter', 'working-tree-encoding'];
      const attributes = parseAttributes(await run(['check-attr', '-z', '--stdin', ...asked], names));
      // Not in the work tree, as a sparse checkout leaves it, or not to be looked at: what git holds counts.
      const skipped = parseSkipped(await run(['ls-files', '-z', '-v']));
      for (const entry of entries) {
        const [filter, encoding] = asked.map((name) => attributes.get(entry.path)?.get(name));
        const look = async () => {
          if (isInGit(entry.path)) return 'git';
          if (entry.kind === 'deleted' || entry.isSubmodule) return this.look(entry);
          // Git has only pointers to these, and the sandbox couldn’t get what they point to.
          if (filter === 'lfs') return 'lfs';
          if (skipped.has(entry.path)) return lookAtStored(entry, (oid) => bytes(['cat-file', 'blob', oid]));
          const file = await this.look(entry);
          const isConverted = filter !== undefined || encoding !== undefined;
          const add = () => run(['hash-object', '-w', '--path', entry.path, '--', entry.path]);
          if (typeof file === 'string' || !isConverted || file.isLink) return file;
          return add().then(
            () => file,
            () => (signal.aborted ? Promise.reject(signal.reason as Error) : 'filter'),
          );
        };
        const file = await look();
        if (typeof file === 'string') found.left.push({ path: entry.path, why: file });
        else found.files.push(file);
      }
      return found;
    }, signal);
  }

  /**
   * The patch from `base` to what is here now of these files, and the tree that `base` becomes with it. Throws a Refusal
   * if it is too large.
   */
  async patch(
    base: string,
    files: readonly Pick<OutgoingFile, 'path' | 'kind' | 'stored'>[],
    signal: AbortSignal,
  ): Promise<{ content: Uint8Array; tree: string }> {
    return this.apart(async (run, bytes) => {
      await run(['read-tree', base]);
      const update = (isDeleted: boolean, ...how: string[]) =>
        run(
          ['update-index', '-z', ...how, '--stdin'],
          files
            .filter(({ kind, stored }) => !stored && (kind === 'deleted') === isDeleted)
            .map(({ path: at }) => `${at}\0`)
            .join(''),
        );
      // By name: a link or a file may be in the place of their folder.
      await update(true, '--force-remove');
      await update(false, '--add', '--remove', '--replace');
      const stored = files.flatMap((file) => (file.stored ? [{ ...file.stored, path: file.path }] : []));
      const entries = stored.map(({ mode, oid, path: at }) => `${mode} ${oid}\t${at}\0`).join('');
      await run(['update-index', '-z', '--index-info'], entries);
      // Contents that were never fetched don’t matter.
      const tree = (await run(['write-tree', '--missing-ok'])).trim();
      // Plumbing commands ignore the user's settings for diffs.
      const exactly = ['--binary', '--full-index', '--no-ext-diff', '--no-textconv'];
      const content = await bytes(['diff-tree', '-p', ...exactly, base, tree]);
      if (content.length <= largestPatch) return { content, tree };
      throw new Refusal(
        l10n.t(
          'Together, the changes are larger than {0} MB. Select fewer files.',
          largestPatch / (1024 * 1024),
        ),
      );
    }, signal);
  }

  /** Runs git with a copy of the index, and a folder of its own for new objects. */
  private async apart<T>(
    work: (
      run: (args: string[], input?: string) => Promise<string>,
      bytes: (args: string[]) => Promise<Buffer>,
    ) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-workspace-'));
    try {
      const place = async (name: string) =>
        path.resolve(
          this.root,
          (await this.run(['rev-parse', '--git-path', name], {}, signal)).toString().trimEnd(),
        );
      const index = path.join(folder, 'index');
      await copyIndex(await place('index'), index).catch(() => undefined);
      const objects = path.join(folder, 'objects');
      await mkdir(objects);
      const env = {
        GIT_INDEX_FILE: index,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: listedFolder(await place('objects')),
      };
      const bytes = (args: string[], input?: string) => this.run(args, env, signal, input);
      return await work(async (args, input) => (await bytes(args, input)).toString(), bytes);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private run(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    signal: AbortSignal,
    input = '',
  ): Promise<Buffer> {
    return gitRunner(this.git, this.root, localGitEnvironment(env), signal)([...plainly, ...args], input);
  }

  /** The newest commit of the head that the remote has, as far as the local git knows. */
  private async baseAt(
    run: (args: string[]) => Promise<string>,
    remote: string,
    upstream: string | undefined,
  ): Promise<string> {
    const head = (await run(['rev-parse', '--verify', 'HEAD^{commit}']).catch(() => '')).trim();
    if (head === '') throw new Refusal(l10n.t('The repository has no commit yet. Push one and try again.'));
    const ahead = await run(['rev-list', '--count', head, '--not', `--remotes=${remote}`]);
    const known = await run(['for-each-ref', '--count=1', '--format=%(refname)', `refs/remotes/${remote}/`]);
    if (Number(ahead) === 0 && known !== '') return head;
    const refs = [upstream, `${remote}/HEAD`, `${remote}/main`, `${remote}/master`];
    let best: { base: string; commits: number } | undefined;
    for (const ref of refs) {
      if (ref === undefined) continue;
      const base = (await run(['merge-base', 'HEAD', `refs/remotes/${ref}`]).catch(() => '')).trim();
      if (base === '') continue;
      const commits = Number(await run(['rev-list', '--count', `${base}..HEAD`]));
      if (!best || commits < best.commits) best = { base, commits };
    }
    if (best) return best.base;
    throw new Refusal(
      l10n.t('Git on this computer has no commit in common with {0}. Fetch or push, then try again.', remote),
    );
  }

  private async look({ path: at, kind, isSubmodule }: OutgoingEntry): Promise<OutgoingFile | NotSent> {
    if (isSubmodule || at.endsWith('/')) return 'submodule';
    if (at.includes('\uFFFD')) return 'unreadable';
    if (kind === 'deleted') return { path: at, kind, size: 0, secret: undefined };
    try {
      const full = path.join(this.root, at);
      const stats = await lstat(full);
      if (stats.size > largestOutgoing) return 'tooLarge';
      // Reading a pipe would wait for whoever writes to it.
      if (!stats.isFile() && !stats.isSymbolicLink()) return 'unreadable';
      const content = stats.isSymbolicLink() ? Buffer.from(await readlink(full)) : await readFile(full);
      const isLink = stats.isSymbolicLink() && { isLink: true as const };
      return { path: at, kind, size: content.length, secret: secretSign(at, content), ...isLink };
    } catch {
      return 'unreadable';
    }
  }
}

/**
 * Copies an index with its time, cut to seconds: git looks again into files that are as new as the index, whose size and
 * time tell nothing.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  // Before the copy: the index may be written again in the meantime.
  const time = Math.floor((await lstat(from)).mtimeMs / 1000);
  await copyFile(from, to);
  await utimes(to, time, time);
}

/** Looks at git’s copy of a file. */
async function lookAtStored(
  { path: at, kind, stored }: OutgoingEntry,
  read: (oid: string) => Promise<Uint8Array>,
): Promise<OutgoingFile | NotSent> {
  if (!stored) return 'unreadable';
  const content = await read(stored.oid);
  if (content.length > largestOutgoing) return 'tooLarge';
  return { path: at, kind, size: content.length, secret: secretSign(at, content), stored };
}
