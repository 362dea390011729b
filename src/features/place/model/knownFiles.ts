import { posix } from 'node:path';
import type { Entry } from '../../../shared/transcript';
import { type FileFacts, type FolderFacts, parseFolderListing } from './listing';

/** Milliseconds for which a listing counts as current. */
const freshMs = 2_000;

/** What was in a folder. */
interface Listed {
  entries: FolderFacts;
  at: number;
  /** Without what is in the folders below, although that could be listed, too. */
  isFlat: boolean;
  /** Checksum of its listing, while that is what is known. */
  sum?: string | undefined;
}

/** How a file differs from what was listed before. */
export interface PlaceChange {
  path: string;
  kind: 'created' | 'changed' | 'deleted';
}

/** Steps that leave files as they are. */
const harmless = ['read', 'plan', 'think', 'finish'];

/** Whether files may be different after an entry of the transcript: a step that has ended, or one that nobody saw. */
export function mayChangeFiles(entry: Entry): boolean {
  if (entry.kind === 'separator') return ['gap', 'unread', 'other'].includes(entry.what);
  if (entry.kind !== 'step') return false;
  return ['done', 'failed', 'unanswered'].includes(entry.state) && !harmless.includes(entry.detail.step);
}

/** What is known of files in a sandbox: what folders had in them when they were listed, and what was changed since. */
export class KnownFiles {
  private readonly listed = new Map<string, Listed>();
  /** Files that were saved after their folder was listed. */
  private readonly saved = new Map<string, { facts: FileFacts; at: number }>();
  /** Folders that somebody may show, since they or what is in them were asked for. */
  private readonly asked = new Set<string>();

  /** @param now milliseconds of any clock that runs evenly */
  constructor(private readonly now: () => number) {}

  /** Takes note that somebody may show a folder from now on. */
  ask(folder: string): void {
    this.asked.add(folder);
  }

  /** The folders, in and below one, that somebody may show. */
  shownIn(folder: string): string[] {
    return [...this.asked].filter((one) => isIn(one, folder));
  }

  /** What was in a folder when it was listed last. */
  last(folder: string): FolderFacts | undefined {
    return this.listed.get(folder)?.entries;
  }

  /** The checksum of the listing that all that is known of a folder comes from. */
  sumOf(folder: string): string | undefined {
    return this.listed.get(folder)?.sum;
  }

  /** What is in a folder, if it was listed just now. @param isDeep the folders below were, too, as far as they can be */
  fresh(folder: string, isDeep = false): FolderFacts | undefined {
    const known = this.listed.get(folder);
    return known && this.isFresh(known) && !(isDeep && known.isFlat) ? known.entries : undefined;
  }

  /** What a file was when its folder was listed last. */
  of(file: string): FileFacts | undefined {
    return this.last(posix.dirname(file))?.get(posix.basename(file));
  }

  /** What a file is that was saved just now. */
  justSaved(file: string): FileFacts | undefined {
    const saved = this.saved.get(file);
    return saved && this.isFresh(saved) ? saved.facts : undefined;
  }

  /** Nothing counts as current anymore. */
  forget(): void {
    for (const known of this.listed.values()) known.at = -Infinity;
    this.saved.clear();
  }

  /** Keeps what the script of listings answered of a folder; returns what is in it. */
  keep(
    folder: string,
    answer: Uint8Array,
    of: { isDeep: boolean; isFlat?: boolean; sum?: string | undefined },
  ): FolderFacts {
    const { isDeep, isFlat = false, sum } = of;
    const at = this.now();
    const folders = parseFolderListing(answer, isDeep);
    for (const [below, entries] of folders)
      this.listed.set(posix.join(folder, below), { entries, at, isFlat, sum });
    return folders.get('') ?? new Map<string, FileFacts>();
  }

  /** Takes note that a folder’s listing hasn’t changed. */
  confirm(folder: string): void {
    const known = this.listed.get(folder);
    if (known) known.at = this.now();
  }

  /** Takes note of what a file is now. Where neither that nor what is beside it is known, nothing counts anymore. */
  put(file: string, facts: FileFacts | undefined): void {
    const around = this.listed.get(posix.dirname(file));
    if (!around || !facts) this.forget();
    if (!facts) return;
    for (const [path, one] of this.saved) if (!this.isFresh(one)) this.saved.delete(path);
    this.saved.set(file, { facts, at: this.now() });
    if (around) change(around, new Map(around.entries).set(posix.basename(file), facts));
  }

  /** Takes note of a folder that was made, and has nothing in it. */
  putFolder(folder: string, facts: FileFacts): void {
    this.put(folder, facts);
    this.listed.set(folder, { entries: new Map(), at: this.now(), isFlat: false });
  }

  /** Knows nothing anymore of what is in a folder, and whether somebody shows that. */
  leave(folder: string): void {
    for (const known of [this.listed, this.saved, this.asked])
      for (const one of known.keys()) if (isIn(one, folder)) known.delete(one);
  }

  /** Takes note that a file, or a folder with all that is in it, isn’t there anymore. */
  drop(file: string): void {
    this.leave(file);
    const around = this.listed.get(posix.dirname(file));
    if (around)
      change(around, new Map([...around.entries].filter(([name]) => name !== posix.basename(file))));
  }

  /** What is different in folders from what was in them before, as far as they were listed just now. */
  changesSince(before: ReadonlyMap<string, FolderFacts | undefined>): PlaceChange[] {
    return [...before].flatMap(([folder, entries]) => {
      const after = this.fresh(folder);
      return entries && after ? differences(folder, entries, after) : [];
    });
  }

  private isFresh({ at }: { at: number }): boolean {
    return this.now() - at < freshMs;
  }
}

/** What is in the folder isn’t what its listing said. */
const change = (known: Listed, entries: FolderFacts) => Object.assign(known, { entries, sum: undefined });

const isIn = (file: string, folder: string) =>
  file === folder || file.startsWith(folder === '/' ? folder : `${folder}/`);

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
