import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { ApiError } from '../../../api/http/errors';
import { InOrder } from '../../../core/basics/inOrder';
import { Refusal } from '../../../core/basics/refusal';
import { ContentCache, type SandboxPlace, withUpload } from '../../sandboxChanges';
import {
  createFolderScript,
  deleteScript,
  largestTree,
  listScript,
  readScript,
  renameScript,
  writeScript,
} from './fileScripts';
import { type FoundLine, foundLines, foundNames, linesScript, namesScript } from './searchScripts';
import { FileRefusal } from './fileRefusal';
import { runFileScript } from './fileRun';
import { type FileFacts, type FolderFacts, isHeavy, parseFolderListing, parseSaved } from './listing';

/** Bytes of a file from which it isn’t read, and isn’t written. */
export const largestFile = 100 * 1024 * 1024;
/** Milliseconds in which what was listed counts as it is. */
const freshMs = 2_000;

/** SHA-256, by which a file is recognized. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** What was in a folder. */
interface Listed {
  entries: FolderFacts;
  at: number;
  /** Without what is in the folders below, although that could be listed, too. */
  isFlat: boolean;
}

/** How a file differs from what was listed before. */
export interface PlaceChange {
  path: string;
  kind: 'created' | 'changed' | 'deleted';
}

/**
 * The files in and below the folder that an agent works in. Paths are absolute and normal; nothing outside of that folder
 * is written, not through links either. Methods throw FileRefusal, a Refusal if the sandbox can’t be reached, and
 * ApiError. Work on one sandbox is done one after the other. While it can’t be reached, what was read last is answered.
 */
export class SandboxFiles {
  private readonly listed = new Map<string, Listed>();
  /** Files that were saved after their folder was listed. */
  private readonly saved = new Map<string, { facts: FileFacts; at: number }>();
  private readonly contents = new ContentCache();
  private readonly order = new InOrder();
  private place: Promise<SandboxPlace> | undefined;
  private root: string | undefined;
  private reachable = true;

  /**
   * @param now milliseconds of any clock that runs evenly
   * @param onReach called when the sandbox can’t be reached anymore, and when it can again
   */
  constructor(
    private readonly reach: () => Promise<SandboxPlace>,
    private readonly now: () => number,
    private readonly onReach: (isReachable: boolean) => void = () => undefined,
  ) {}

  /** Whether the sandbox could be reached when it was asked last. */
  get isReachable(): boolean {
    return this.reachable;
  }

  /** What is in a folder. No request for what was listed two seconds ago. */
  async list(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    return this.order.run('', async () => {
      const known = this.listed.get(folder);
      if (known && !known.isFlat && this.isFresh(known)) return known.entries;
      return this.orLast(() => this.listNow(folder, signal), known?.entries);
    });
  }

  /** Lists a folder again, and answers what is different in the folders that were listed before. */
  async refresh(folder: string): Promise<PlaceChange[]> {
    const before = new Map(this.listed);
    this.forget();
    await this.list(folder);
    if (!this.reachable) return [];
    return [...before].flatMap(([parent, { entries }]) => {
      const after = this.listed.get(parent);
      return after && this.isFresh(after) ? differences(parent, entries, after.entries) : [];
    });
  }

  /** What is known of a file, from the listing of its folder, or since it was saved. */
  async stat(file: string, signal?: AbortSignal): Promise<FileFacts> {
    if (file === (await this.folder())) return rootFacts;
    return this.order.run('', async () => {
      const saved = this.saved.get(file);
      if (saved && this.isFresh(saved)) return saved.facts;
      const folder = posix.dirname(file);
      const known = this.listed.get(folder);
      const entries =
        known && this.isFresh(known)
          ? known.entries
          : await this.orLast(() => this.listFlat(folder, signal), known?.entries);
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

  /** The content of a file, without looking at it first. Throws ApiError with status 400 for what isn’t a file. */
  async fetch(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      return await this.readNow(file, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status !== 400) this.place = undefined;
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
    if (content.byteLength > largestFile) throw new FileRefusal('tooLargeToSave');
    const place = await this.within(file);
    let facts: FileFacts | undefined;
    const save = async (upload: string) => {
      const script = writeScript(place.workingDir, file, upload, expected);
      facts = parseSaved(await this.run(script, signal));
    };
    const work = () => this.withUploaded(place, { file, content, isNew: expected === null }, save, signal);
    await this.change(work, () => {
      if (facts) this.keepSaved(file, facts);
    });
  }

  /** Lines with a text in the files in and below a folder, whatever their case. */
  async findLines(folder: string, text: string, signal?: AbortSignal): Promise<FoundLine[]> {
    await this.within(folder);
    return foundLines(await this.run(linesScript(folder, text), signal));
  }

  /** The files in and below a folder whose path has a text, relative to it. */
  async findNames(folder: string, text: string, signal?: AbortSignal): Promise<string[]> {
    await this.within(folder);
    return foundNames(await this.run(namesScript(folder), signal), text);
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

  /** The agent’s folder. */
  async folder(): Promise<string> {
    return this.root ?? (await this.located()).workingDir;
  }

  /** Lists again what is asked for next. */
  forget(): void {
    for (const known of this.listed.values()) known.at = -Infinity;
    this.saved.clear();
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
    const known = this.listed.get(posix.dirname(file))?.entries.get(posix.basename(file));
    const isPrivate = !isNew && ((known?.mode ?? 0) & 0o044) === 0;
    if (isPrivate) {
      const upload = { folder: workingDir, name, content, isNear: true };
      await withUpload(workspace, upload, save, signal);
      return;
    }
    const git = this.listed.get(workingDir)?.entries.get('.git');
    const near = git?.kind === 'folder' && !git.isLink ? '.git/' : '.';
    const upload = posix.join(workingDir, `${near}agent-workspace-answer-${name}`, 'content');
    await workspace.upload(upload, content, signal);
    await save(upload);
  }

  private async listNow(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    const { workingDir: root } = await this.within(folder);
    if (!posix.relative(root, folder).split('/').some(isHeavy)) {
      const answer = await this.run(listScript(folder, true), signal);
      if (answer.byteLength < largestTree) return this.keep(folder, answer, true);
    }
    return this.keep(folder, await this.run(listScript(folder, false), signal), false);
  }

  /** What is in a folder, and not in those below it. */
  private async listFlat(folder: string, signal?: AbortSignal): Promise<FolderFacts> {
    await this.within(folder);
    return this.keep(folder, await this.run(listScript(folder, false), signal), false, true);
  }

  private async readNow(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { workspace } = await this.within(file);
    // Older servers have the path in their address, where none of theirs has a line feed.
    if (file.includes('\n')) return this.run(readScript(file), signal);
    try {
      return await workspace.download(file, { maxBytes: largestFile }, signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'tooLarge') throw new FileRefusal('tooLarge');
      if (error.status === 404) throw new FileRefusal('missing');
      throw error;
    }
  }

  /** Reads, again if the sandbox may be at another address by now; else answers what was read last. */
  private async orLast<T>(read: () => Promise<T>, last: T | undefined): Promise<T> {
    try {
      const found = await read().catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        this.place = undefined;
        return read();
      });
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

  /** @param done when it’s known what is there now; by default, nothing is */
  private change(work: () => Promise<unknown>, done = () => this.forget()): Promise<void> {
    return this.order.run('', async () => {
      try {
        await work();
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

  private isFresh({ at }: { at: number }): boolean {
    return this.now() - at < freshMs;
  }

  private keep(folder: string, answer: Uint8Array, isDeep: boolean, isFlat = false): FolderFacts {
    const at = this.now();
    const folders = parseFolderListing(answer, isDeep);
    for (const [below, entries] of folders)
      this.listed.set(posix.join(folder, below), { entries, at, isFlat });
    return folders.get('') ?? new Map<string, FileFacts>();
  }

  private keepSaved(file: string, facts: FileFacts): void {
    for (const [path, one] of this.saved) if (!this.isFresh(one)) this.saved.delete(path);
    this.saved.set(file, { facts, at: this.now() });
    const known = this.listed.get(posix.dirname(file));
    if (known) known.entries = new Map(known.entries).set(posix.basename(file), facts);
  }

  private async run(script: string, signal?: AbortSignal): Promise<Uint8Array> {
    return runFileScript(await this.located(), script, largestFile, signal);
  }
}

const rootFacts: FileFacts = { kind: 'folder', isLink: false, mode: 0o755, size: 0, modifiedAt: 0 };

function differences(folder: string, before: FolderFacts, after: FolderFacts): PlaceChange[] {
  const changes: PlaceChange[] = [];
  for (const [name, { kind, size, modifiedAt }] of after) {
    const was = before.get(name);
    const path = posix.join(folder, name);
    if (was?.kind !== kind) {
      if (was) changes.push({ path, kind: 'deleted' });
      changes.push({ path, kind: 'created' });
    } else if (kind !== 'folder' && (was.size !== size || was.modifiedAt !== modifiedAt))
      changes.push({ path, kind: 'changed' });
  }
  for (const name of before.keys())
    if (!after.has(name)) changes.push({ path: posix.join(folder, name), kind: 'deleted' });
  return changes;
}
