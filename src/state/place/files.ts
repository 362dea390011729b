import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ApiError } from '../../api/http/errors';
import { plainText } from '../../shared/plainText';
import { InOrder } from '../basics/inOrder';
import { Refusal } from '../basics/refusal';
import type { SandboxPlace } from '../changes/conversationChanges';
import { askSandbox, withUpload } from '../changes/sandboxAnswer';
import {
  createFolderScript,
  deleteScript,
  exits,
  filePrograms,
  largestTree,
  listScript,
  readScript,
  renameScript,
  withExit,
  writeScript,
} from './fileScripts';
import { type FileFacts, type FolderFacts, parseListing } from './listing';

/** Bytes of a file from which it isn’t read. */
const largestFile = 100 * 1024 * 1024;
/** Milliseconds in which what was listed counts as it is. */
const freshMs = 2_000;

/** An operation that the sandbox didn’t do; the message says why, and nothing was changed. */
export class FileRefusal extends Refusal {
  constructor(readonly reason: keyof typeof exits | 'tooLarge') {
    super(words[reason]());
  }
}

/** SHA-256, by which a file is recognized. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * The files in and below the folder that an agent works in. Paths are absolute and normal; nothing outside of that folder
 * is written, not through links either. Methods throw FileRefusal, a Refusal if the sandbox can’t be reached, and
 * ApiError. Work on one sandbox is done one after the other.
 */
export class SandboxFiles {
  private readonly listed = new Map<string, { entries: FolderFacts; at: number }>();
  private readonly order = new InOrder();

  /** @param now milliseconds of any clock that runs evenly */
  constructor(
    private readonly reach: () => Promise<SandboxPlace>,
    private readonly now: () => number,
  ) {}

  /** What is in a folder. No request for what was listed two seconds ago. */
  async list(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    return this.order.run('', async () => {
      const known = this.listed.get(folder);
      if (known && this.now() - known.at < freshMs) return known.entries;
      const { workingDir: root } = await this.within(folder);
      const isHeavy = posix
        .relative(root, folder)
        .split('/')
        .some((name) => name === 'node_modules' || name === '.git');
      if (!isHeavy) {
        const answer = await this.run(listScript(folder, true), signal);
        if (answer.byteLength < largestTree) return this.keep(folder, answer);
      }
      return this.keep(folder, await this.run(listScript(folder, false), signal));
    });
  }

  /** What is known of a file, from the listing of its folder. */
  async stat(file: string, signal?: AbortSignal): Promise<FileFacts> {
    const { workingDir } = await this.reach();
    const facts =
      file === workingDir
        ? undefined
        : (await this.list(posix.dirname(file), signal)).get(posix.basename(file));
    if (facts) return facts;
    if (file !== workingDir) throw new FileRefusal('missing');
    return { kind: 'folder', isLink: false, mode: 0o755, size: 0, modifiedAt: 0 };
  }

  /** The content of a regular file. */
  async read(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { kind, size } = await this.stat(file, signal);
    if (kind !== 'file') throw new FileRefusal(kind === 'folder' ? 'isFolder' : 'noFile');
    if (size > largestFile) throw new FileRefusal('tooLarge');
    // Older servers have the path in their address, where none of theirs has a line feed.
    if (file.includes('\n')) return this.run(readScript(file), signal);
    const { workspace } = await this.reach();
    try {
      return await workspace.download(file, { maxBytes: largestFile }, signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'tooLarge') throw new FileRefusal('tooLarge');
      if (error.status === 404) throw new FileRefusal('missing');
      throw error;
    }
  }

  /**
   * Writes a file. What is in it beside the content stays.
   * @param expected SHA-256 of the content that may be replaced, else it is refused as `changed`; null to create it
   */
  async write(
    file: string,
    content: Uint8Array,
    expected: string | null,
    signal?: AbortSignal,
  ): Promise<void> {
    const { workspace, workingDir: root } = await this.within(file);
    const name = randomBytes(8).toString('hex');
    const upload = { folder: root, name, content, isNear: true };
    await this.change(() =>
      withUpload(
        workspace,
        upload,
        (place) => this.run(writeScript(root, file, place, expected), signal),
        signal,
      ),
    );
  }

  async createFolder(folder: string): Promise<void> {
    const { workingDir } = await this.within(folder);
    await this.change(() => this.run(createFolderScript(workingDir, folder)));
  }

  /** @param isOver whether what has the new name may be replaced */
  async rename(from: string, target: string, isOver: boolean): Promise<void> {
    const { workingDir } = await this.within(from);
    await this.within(target);
    await this.change(() => this.run(renameScript(workingDir, from, target, isOver)));
  }

  /** Deletes a link, not what it leads to. */
  async delete(file: string, isRecursive: boolean): Promise<void> {
    const { workingDir } = await this.within(file);
    if (file === workingDir) throw new FileRefusal('outside');
    await this.change(() => this.run(deleteScript(workingDir, file, isRecursive)));
  }

  /** Lists again what is asked for next. */
  forget(): void {
    this.listed.clear();
  }

  private change(work: () => Promise<unknown>): Promise<void> {
    return this.order.run('', async () => {
      try {
        await work();
      } finally {
        this.forget();
      }
    });
  }

  /** The sandbox, unless a path leads out of the agent’s folder. */
  private async within(path: string): Promise<SandboxPlace> {
    const place = await this.reach();
    const root = place.workingDir === '/' ? '' : place.workingDir;
    const isInside = path === place.workingDir || path.startsWith(`${root}/`);
    if (!isInside || posix.normalize(path) !== path || path.includes('\0')) throw new FileRefusal('outside');
    return place;
  }

  private keep(folder: string, answer: Uint8Array): FolderFacts {
    const at = this.now();
    const folders = parseListing(answer);
    for (const [below, entries] of folders)
      this.listed.set(below === '' ? folder : posix.join(folder, below), { entries, at });
    return folders.get('') ?? new Map();
  }

  private async run(script: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { workspace, workingDir: folder } = await this.reach();
    const kind = { needed: filePrograms, failed };
    const answer = await askSandbox(
      workspace,
      withExit(script),
      { folder, maxBytes: largestFile, ...kind },
      signal,
    );
    const blank = answer.lastIndexOf(0x20);
    const code = Number(Buffer.from(answer.subarray(blank + 1)).toString());
    if (code === 0) return answer.subarray(0, blank);
    const reason = (Object.keys(exits) as (keyof typeof exits)[]).find((name) => exits[name] === code);
    throw reason ? new FileRefusal(reason) : failed(code, '');
  }
}

function failed(exitCode: number, output: string): Refusal {
  if (exitCode === -1)
    return new Refusal(l10n.t('The sandbox took too long to answer. Check the file before trying again.'));
  const reason = plainText(output.trim().split('\n').at(-1) ?? '', 200);
  return new Refusal(
    l10n.t(
      'The sandbox’s shell failed: {0}. Check the file before trying again.',
      reason || String(exitCode),
    ),
  );
}

const words: Record<FileRefusal['reason'], () => string> = {
  missing: () => l10n.t('The file isn’t in the sandbox anymore.'),
  changed: () => l10n.t('The agent changed this file after you opened it.'),
  noRight: () => l10n.t('The sandbox’s user isn’t allowed to do this.'),
  exists: () => l10n.t('A file with this name is in the sandbox already.'),
  noFolder: () => l10n.t('This isn’t a folder.'),
  isFolder: () => l10n.t('This is a folder.'),
  noFile: () => l10n.t('This isn’t a regular file.'),
  noSpace: () => l10n.t('The sandbox’s disk is full. The file there is unchanged.'),
  outside: () => l10n.t('This is outside the agent’s folder. Nothing was changed.'),
  notEmpty: () => l10n.t('The folder isn’t empty.'),
  noHash: () => l10n.t('The sandbox has no program for checksums, so files there can’t be saved safely.'),
  tooLarge: () => l10n.t('The file is too large to open.'),
};
