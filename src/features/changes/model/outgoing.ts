import type { SecretSign } from '../../../core/secretFiles';

/** A file that differs from the remote's. */
export interface OutgoingFile {
  path: string;
  kind: 'added' | 'deleted' | 'modified' | 'untracked';
  /** Bytes; 0 for a deleted file. */
  size: number;
  secret: SecretSign | undefined;
  /** A symbolic link. */
  isLink?: true;
  /** Git’s copy of a file that isn’t in the work tree; this copy is sent. */
  stored?: Stored | undefined;
}

/** A file as git stores it. */
interface Stored {
  mode: string;
  oid: string;
}

/** Why a file can’t be sent. */
export type NotSent = 'tooLarge' | 'submodule' | 'unreadable' | 'git' | 'lfs' | 'filter';

/** What the remote doesn’t have, and the remote's commit that it's based on. */
export interface Outgoing {
  /** Newest commit of the head that the remote has. */
  base: string;
  /** Branch that is checked out here; null for none. */
  branch: string | null;
  /** Commits that the remote doesn’t have. */
  commits: number;
  files: OutgoingFile[];
  left: { path: string; why: NotSent }[];
}

/** Bytes of a file that is sent. */
export const largestOutgoing = 5 * 1024 * 1024;
/** Bytes of everything that is sent. */
export const largestPatch = 20 * 1024 * 1024;

/** A path that git lists, before its file is looked at. */
export interface OutgoingEntry extends Pick<OutgoingFile, 'path' | 'kind'> {
  isSubmodule: boolean;
  /** Its entry in the index, if git assumes that the file is unchanged. */
  stored: Stored | undefined;
}

/** Reads `git diff-index --raw -z --no-renames`; a path that isn’t UTF-8 has replacement characters. */
export function parseTracked(output: string): OutgoingEntry[] {
  const fields = output.split('\0');
  const entries: OutgoingEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before, after = '', , oid = '', status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const kind = status.startsWith('A') ? 'added' : status.startsWith('D') ? 'deleted' : 'modified';
    const isSubmodule = [before, after].includes('160000');
    const stored = /[^0]/.test(oid) ? { mode: after, oid } : undefined;
    entries.push({ path: fields[at + 1] ?? '', kind, isSubmodule, stored });
  }
  return entries;
}

/** The paths that end with NUL. */
export function parsePaths(output: string): string[] {
  return output.split('\0').filter(Boolean);
}

/** The attributes that `git check-attr -z` reports as set, by path. */
export function parseAttributes(output: string): Map<string, Map<string, string>> {
  const fields = output.split('\0');
  const found = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
    if (value === 'unspecified' || value === 'unset') continue;
    found.set(path, (found.get(path) ?? new Map<string, string>()).set(name, value));
  }
  return found;
}

/** The paths in the output of `git ls-files -z -v` that git was told to skip. */
export function parseSkipped(output: string): Set<string> {
  return new Set(parsePaths(output).flatMap((line) => (/^[Sa-z] /.test(line) ? [line.slice(2)] : [])));
}

/** Whether a file is sent by default: files that git tracks, except those that look like secrets. */
export function isSentByDefault({ kind, secret }: OutgoingFile): boolean {
  return kind !== 'untracked' && secret === undefined;
}
