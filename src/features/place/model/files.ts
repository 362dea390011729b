import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { FilePiece } from '../../../api/agent/workspace';
import { ApiError } from '../../../api/http/errors';
import { InOrder } from '../../../core/basics/inOrder';
import { Refusal } from '../../../core/basics/refusal';
import { ContentCache, type SandboxPlace, withUpload } from '../../sandboxChanges';
import {
  createFolderScript,
  deleteScript,
  largestTree,
  listEachScript,
  listScript,
  readScript,
  renameScript,
  writableScript,
  writeScript,
} from './fileScripts';
import { type FoundLine, foundLines, foundNames, linesScript, namesScript } from './searchScripts';
import { Answers } from './answers';
import { FileRefusal } from './fileRefusal';
import { runFileScript } from './fileRun';
import { type FileFacts, type FolderFacts, isHeavy, parseEachListing, parseSaved } from './listing';
import { KnownFiles, type PlaceChange } from './knownFiles';

/** Size in bytes from which a file is neither read nor written. */
export const largestFile = 100 * 1024 * 1024;
/** Folders that are listed one by one; if there are more, the whole tree is. */
const mostListed = 200;

/** SHA-256, by which a file is recognized. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * The files in and below the folder that an agent works in. Paths are absolute and normal; nothing outside of that folder
 * is written, not through links either. Methods throw FileRefusal, a Refusal if the sandbox can’t be reached, and
 * ApiError. Work on one sandbox is done one after the other. While it can’t be reached, what was read last is answered.
 */
export class SandboxFiles {
  private readonly known: KnownFiles;
  private readonly contents = new ContentCache();
  private readonly order = new InOrder();
  private place: Promise<SandboxPlace> | undefined;
  private root: string | undefined;
  private reachable = true;
  private readonly answers = new Answers();

  /**
   * @param now milliseconds of any clock that runs evenly
   * @param onReach called when the sandbox can’t be reached anymore, and when it can again
   * @param isAsleep whether the sandbox is paused, as last known: it may take requests and answer none
   */
  constructor(
    private readonly reach: () => Promise<SandboxPlace>,
    now: () => number,
    private readonly onReach: (isReachable: boolean) => void = () => undefined,
    private readonly isAsleep = () => false,
  ) {
    this.known = new KnownFiles(now);
  }

  /** Whether the sandbox could be reached when it was asked last. */
  get isReachable(): boolean {
    return this.reachable;
  }

  /** What is in a folder. Sends no request if it was listed in the last two seconds. */
  async list(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    return this.order.run('', async () => {
      this.known.ask(folder);
      return (
        this.known.fresh(folder, true) ??
        (await this.orLast(() => this.listNow(folder, signal), this.known.last(folder)))
      );
    });
  }

  /** Lists again what was asked for in and below a folder, and answers what is different there. */
  async refresh(folder: string): Promise<PlaceChange[]> {
    const shown = this.known.shownIn(folder);
    const before = new Map(shown.map((one) => [one, this.known.last(one)]));
    this.forget();
    if (shown.length > mostListed) await this.list(folder);
    else if (shown.length > 0)
      await this.order.run('', () => this.orLast(() => this.listEach(shown), undefined));
    return this.known.changesSince(before);
  }

  /** What was known of a folder when the one around it was listed: whether it’s still there shows when it’s listed. */
  knownFolder(folder: string): FileFacts | undefined {
    const facts = this.known.of(folder);
    return facts?.kind === 'folder' ? facts : undefined;
  }

  /** What is known of a file from the listing of its folder, or since it was saved. */
  async stat(file: string, signal?: AbortSignal): Promise<FileFacts> {
    if (file === (await this.folder())) return rootFacts;
    return this.order.run('', async () => {
      const saved = this.known.justSaved(file);
      if (saved) return saved;
      const folder = posix.dirname(file);
      this.known.ask(folder);
      const entries =
        this.known.fresh(folder) ??
        (await this.orLast(() => this.listFlat(folder, signal), this.known.last(folder)));
      const facts = entries.get(posix.basename(file));
      if (!facts) throw new FileRefusal('missing');
      return facts;
    });
  }

  /** The content of a regular file. */
  async read(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { kind, size } = await this.stat(file, signal);
    if (kind !== 'file') throw new FileRefusal(kind === 'folder' ? 'isFolder' : 'noFile');
    if (size > largestFile) throw new FileRefusal('tooLarge');
    const content = await this.orLast(() => this.readNow(file, signal), this.contents.get(file));
    this.contents.set(file, content);
    return content;
  }

  /**
   * Bytes of a file from `from` on, at most `length`, without looking at it first. Throws ApiError with status 400 for what
   * isn’t a file.
   */
  async piece(
    file: string,
    { from, length }: { from: number; length: number },
    signal?: AbortSignal,
  ): Promise<FilePiece> {
    try {
      const { workspace } = await this.within(file);
      if (!file.includes('\n'))
        return await workspace.downloadPiece(file, { from, length, maxBytes: largestFile }, signal);
      const bytes = await this.readNow(file, signal);
      return { bytes, from: 0, size: bytes.byteLength, tag: undefined };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal instanceof ApiError && refusal.status !== 400) this.place = undefined;
      throw refusal;
    }
  }

  /**
   * Writes a file. Everything about it except the content stays.
   * @param expected SHA-256 of the content that may be replaced, otherwise it’s refused as `changed`; null to create the file
   */
  async write(
    file: string,
    content: Uint8Array,
    expected: string | null,
    signal?: AbortSignal,
  ): Promise<void> {
    if (content.byteLength > largestFile) throw new FileRefusal('tooLargeToSave');
    const place = await this.within(file);
    let facts: FileFacts | undefined;
    const save = async (upload: string) => {
      const script = writeScript(place.workingDir, file, upload, expected);
      facts = parseSaved(await this.run(script, signal), 'file');
    };
    const work = async () => {
      try {
        await this.withUploaded(place, { file, content, isNew: expected === null }, save, signal);
      } catch (error) {
        // The server doesn’t say why it didn’t take an upload.
        if (error instanceof ApiError && error.reason === 'serverError')
          await this.run(writableScript(place.workingDir), signal);
        throw error;
      }
    };
    await this.change(work, () => this.known.put(file, facts));
  }

  /** Lines that contain a text in the files in and below a folder, ignoring case. */
  async findLines(folder: string, text: string, signal?: AbortSignal): Promise<FoundLine[]> {
    await this.within(folder);
    return foundLines(await this.run(linesScript(folder, text), signal));
  }

  /** The relative paths of files in and below a folder that contain a text. */
  async findNames(folder: string, text: string, signal?: AbortSignal): Promise<string[]> {
    await this.within(folder);
    return foundNames(await this.run(namesScript(folder), signal), text);
  }

  async createFolder(folder: string): Promise<void> {
    const { workingDir } = await this.within(folder);
    let facts = rootFacts;
    await this.change(
      async () => (facts = parseSaved(await this.run(createFolderScript(workingDir, folder)), 'folder')),
      () => this.known.putFolder(folder, facts),
    );
  }

  /** @param isOver whether an existing file with the new name may be replaced */
  async rename(from: string, target: string, isOver: boolean): Promise<void> {
    const { workingDir } = await this.within(from);
    await this.within(target);
    await this.change(
      () => this.run(renameScript(workingDir, from, target, isOver)),
      () => {
        const facts = this.known.of(from);
        this.known.drop(from);
        this.known.drop(target);
        // A link may lead elsewhere from there.
        this.known.put(target, facts?.isLink === true ? undefined : facts);
      },
    );
  }

  /** Deletes a link, not what it leads to. */
  async delete(file: string, isRecursive: boolean): Promise<void> {
    const { workingDir } = await this.within(file);
    if (file === workingDir) throw new FileRefusal('outside');
    await this.change(
      () => this.run(deleteScript(workingDir, file, isRecursive)),
      () => this.known.drop(file),
    );
  }

  /** The agent’s folder. */
  async folder(): Promise<string> {
    return this.root ?? (await this.located()).workingDir;
  }

  /** Ends what waits for an answer, once the sandbox is known to be paused: it may never come. */
  giveUp(): void {
    this.answers.giveUp();
  }

  /** Forgets listings, so that the next call reads again. */
  forget(): void {
    this.known.forget();
  }

  /**
   * Uploads a file near its place, out of git’s sight, for a script that removes it. The upload itself makes the folder,
   * unless others on that computer may not read the file.
   */
  private async withUploaded(
    { workspace, workingDir }: SandboxPlace,
    { file, content, isNew }: { file: string; content: Uint8Array; isNew: boolean },
    save: (upload: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const name = randomBytes(8).toString('hex');
    const isPrivate = !isNew && ((this.known.of(file)?.mode ?? 0) & 0o044) === 0;
    if (isPrivate) {
      const upload = { folder: workingDir, name, content, isNear: true };
      await withUpload(workspace, upload, save, signal);
      return;
    }
    const git = this.known.last(workingDir)?.get('.git');
    const near = git?.kind === 'folder' && !git.isLink ? '.git/' : '.';
    const upload = posix.join(workingDir, `${near}agent-workspace-answer-${name}`, 'content');
    await workspace.upload(upload, content, signal);
    await save(upload);
  }

  private async listNow(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    const { workingDir: root } = await this.within(folder);
    if (!posix.relative(root, folder).split('/').some(isHeavy)) {
      const answer = await this.run(listScript(folder, true), signal);
      if (answer.byteLength < largestTree) return this.known.keep(folder, answer, { isDeep: true });
    }
    return this.known.keep(folder, await this.run(listScript(folder, false), signal), { isDeep: false });
  }

  /** What is directly in a folder. */
  private async listFlat(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    await this.within(folder);
    const answer = await this.run(listScript(folder, false), signal);
    return this.known.keep(folder, answer, { isDeep: false, isFlat: true });
  }

  /** The same of several folders. Whether one that can’t be listed is there says the one around it. */
  private async listEach(folders: readonly string[]): Promise<void> {
    const script = listEachScript(folders.map((folder) => ({ folder, sum: this.known.sumOf(folder) })));
    const answers = parseEachListing(await this.run(script));
    for (const [index, folder] of folders.entries()) {
      const found = answers[index];
      if (found === 'same') this.known.confirm(folder);
      else if (found) this.known.keep(folder, found.answer, { isDeep: false, sum: found.sum });
      else this.known.leave(folder);
    }
  }

  private async readNow(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { workspace } = await this.within(file);
    // Older servers have the path in the URL, where their routes allow no line feed.
    if (file.includes('\n')) return this.run(readScript(file), signal);
    try {
      return await workspace.download(file, { maxBytes: largestFile }, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      // These also mean a folder, a pipe, a file that can’t be read, or one that the server doesn’t serve: a shell knows.
      if (refusal instanceof ApiError && [400, 422, 500].includes(refusal.status ?? 0))
        return this.run(readScript(file), signal);
      throw refusal;
    }
  }

  /** Reads; tries again if the sandbox may have a new address by now. Otherwise returns what was read last. */
  private async orLast<T>(read: () => Promise<T>, last: T | undefined): Promise<T> {
    try {
      const answer = read().catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        this.place = undefined;
        return read();
      });
      const found = await this.answers.wait(answer);
      this.reached(true);
      return found;
    } catch (error) {
      if (error instanceof FileRefusal || !(error instanceof Refusal || error instanceof ApiError))
        throw error;
      this.place = undefined;
      this.reached(false);
      if (last === undefined) throw error;
      return last;
    }
  }

  private reached(isReachable: boolean): void {
    if (isReachable === this.reachable) return;
    this.reachable = isReachable;
    this.onReach(isReachable);
  }

  /** @param done takes note of what is there now */
  private change(work: () => Promise<unknown>, done: () => void): Promise<void> {
    return this.order.run('', async () => {
      try {
        await this.answers.wait(work());
      } catch (error) {
        if (!(error instanceof FileRefusal)) this.place = undefined;
        this.forget();
        throw error;
      }
      done();
    });
  }

  /** Where the files are, until a request fails. */
  private async located(): Promise<SandboxPlace> {
    if (this.isAsleep()) this.place = undefined;
    this.place ??= this.reach();
    try {
      const place = await this.place;
      this.root = place.workingDir;
      return place;
    } catch (error) {
      this.place = undefined;
      throw error;
    }
  }

  /** The sandbox, unless a path leads out of the agent’s folder. */
  private async within(path: string): Promise<SandboxPlace> {
    const place = await this.located();
    const root = place.workingDir === '/' ? '' : place.workingDir;
    const isInside = path === place.workingDir || path.startsWith(`${root}/`);
    if (!isInside || posix.normalize(path) !== path || path.includes('\0')) throw new FileRefusal('outside');
    return place;
  }

  private async run(script: string, signal?: AbortSignal): Promise<Uint8Array> {
    return runFileScript(await this.located(), script, largestFile, signal);
  }
}

/** For a download. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.reason === 'tooLarge') return new FileRefusal('tooLarge');
  return error.status === 404 ? new FileRefusal('missing') : error;
}

const rootFacts: FileFacts = { kind: 'folder', isLink: false, mode: 0o755, size: 0, modifiedAt: 0 };
