import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listedFolder, localGitEnvironment } from '../../../../editor/localGitEnvironment';
import { gitRoot, gitRunner, outputBefore, type RunGit } from '../../../../editor/runGit';
import type { Blob, CheckOut } from '../../model/workingForm';

/** Bytes of contents that are passed to one run of git. */
const largestPart = 32 * 1024 * 1024;
const attributesName = '.gitattributes';

/**
 * Has the local git convert contents to the form that they would have in a folder: line ends, encodings, and filters.
 * Writes nothing to the repository. In a folder without one, contents stay as they are.
 * @param git path of the program
 */
export function checkOutWith(git: string, folder: string): CheckOut {
  return async (blobs, signal) => {
    const work = await mkdtemp(path.join(tmpdir(), 'agent-workspace-'));
    try {
      const place = await findPlace(git, folder, work, signal);
      return place ? await new Checkout(git, place, signal).all(blobs) : blobs.map(({ content }) => content);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  };
}

interface Place {
  /** A temporary folder whose subfolder `tree` stands in for the work tree: git reads attributes from there. */
  work: string;
  /** The folder’s path in the work tree, with a slash at the end; empty for the root. */
  prefix: string;
  env: NodeJS.ProcessEnv;
}

/** Undefined for a folder that isn’t in a repository. */
async function findPlace(
  git: string,
  folder: string,
  work: string,
  signal: AbortSignal | undefined,
): Promise<Place | undefined> {
  const run = gitRunner(git, folder, localGitEnvironment(), signal);
  const ask = async (...args: string[]) => (await run(['rev-parse', ...args])).toString().replace(/\n$/, '');
  const top = await gitRoot(run);
  if (top === undefined) return undefined;
  const [prefix, directory, objects] = [
    await ask('--show-prefix'),
    await ask('--absolute-git-dir'),
    path.resolve(folder, await ask('--git-path', 'objects')),
  ];
  const tree = path.join(work, 'tree');
  const own = path.join(work, 'objects');
  for (const one of [tree, own]) await mkdir(one);
  const known = ['--cached', '--others', '--exclude-standard', '--', `:(top,glob)**/${attributesName}`];
  const attributes = (await run(['ls-files', '-z', '--full-name', ...known]))
    .toString()
    .split('\0')
    .filter(Boolean);
  for (const name of new Set(attributes)) {
    const content = await readFile(path.join(top, name)).catch(() => undefined);
    if (content) await writeIn(tree, name, content);
  }
  const env = localGitEnvironment({
    ...{ GIT_DIR: directory, GIT_WORK_TREE: tree, GIT_INDEX_FILE: path.join(work, 'index') },
    ...{ GIT_OBJECT_DIRECTORY: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: listedFolder(objects) },
  });
  return { work, prefix, env };
}

async function writeIn(folder: string, name: string, content: Uint8Array): Promise<void> {
  const full = path.join(folder, name);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, content);
}

class Checkout {
  private readonly run: RunGit;

  constructor(
    git: string,
    private readonly place: Place,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.run = gitRunner(git, path.join(place.work, 'tree'), place.env, signal);
  }

  async all(blobs: readonly Blob[]): Promise<(Uint8Array | null)[]> {
    const { prefix, work } = this.place;
    // Attributes that come with the contents apply to them.
    for (const { path: at, content } of blobs)
      if (path.posix.basename(at) === attributesName)
        await writeIn(path.join(work, 'tree'), prefix + at, content);
    const names = blobs.map(({ path: at }) => `${prefix}${at}\0`).join('');
    const told = (await this.run(['check-attr', '-z', '--stdin', 'filter'], names)).toString().split('\0');
    // Doesn’t follow pointers to contents, because that would need the network.
    const isLeft = (index: number) => told[3 * index + 2] === 'lfs';
    const results = blobs.map(({ content }): Uint8Array | null => content);
    let part: number[] = [];
    let bytes = 0;
    for (const [index, { content }] of blobs.entries()) {
      if (isLeft(index)) continue;
      part.push(index);
      bytes += content.byteLength;
      if (bytes < largestPart) continue;
      await this.convert(part, blobs, results);
      [part, bytes] = [[], 0];
    }
    await this.convert(part, blobs, results);
    return results;
  }

  /** Converts some of the contents. If git fails for one of them, it’s run again for the rest. */
  private async convert(
    part: readonly number[],
    blobs: readonly Blob[],
    results: (Uint8Array | null)[],
  ): Promise<void> {
    if (part.length === 0) return;
    const { work, prefix } = this.place;
    const files = part.map((index) => path.join(work, `${index}`));
    for (const [at, file] of files.entries()) await writeFile(file, blobs[part[at] ?? 0]?.content ?? '');
    const add = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
    const oids = (await this.run(add, files.map((file) => `${file}\n`).join(''))).toString().split('\n');
    for (const file of files) await rm(file);
    const mark = randomUUID();
    for (let done = 0; done < part.length;) {
      const left = part.slice(done);
      const lines = left.map((index, at) => `${oids[done + at]} ${prefix}${blobs[index]?.path}\n`);
      const failed = (error: unknown) => {
        this.signal?.throwIfAborted();
        return { output: outputBefore(error), isWhole: false };
      };
      const { output, isWhole } = await this.run(
        ['cat-file', '--filters', `--batch=${mark}`],
        lines.join(''),
      ).then((all) => ({ output: all, isWhole: true }), failed);
      const found = contentsIn(output, mark);
      // The last one consists of the mark only.
      const good = isWhole ? found : found.slice(0, -1);
      for (const [at, index] of left.entries()) {
        const content = good[at];
        if (content) results[index] = content;
        else if (isWhole || at === good.length) results[index] = null;
      }
      done += isWhole ? left.length : good.length + 1;
    }
  }
}

/** The contents, each after a line with the mark and before a line end. */
function contentsIn(output: Buffer, mark: string): Buffer[] {
  const found: Buffer[] = [];
  const line = Buffer.from(`${mark}\n`);
  for (let at = output.indexOf(line); at >= 0;) {
    const start = at + line.length;
    const next = output.indexOf(line, start);
    found.push(output.subarray(start, (next < 0 ? output.length : next) - 1));
    at = next;
  }
  return found;
}
