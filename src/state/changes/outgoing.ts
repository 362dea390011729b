import type { SecretSign } from './secretFiles';

/** A file that differs from the remote's. */
export interface OutgoingFile {
  path: string;
  kind: 'added' | 'deleted' | 'modified' | 'untracked';
  /** Bytes; 0 for a deleted file. */
  size: number;
  secret: SecretSign | undefined;
}

/** Why a file can’t be sent. */
export type NotSent = 'tooLarge' | 'submodule' | 'unreadable' | 'lfs';

/** What isn’t at the remote, and the remote's commit that it's based on. */
export interface Outgoing {
  /** Newest commit of the head that the remote has. */
  base: string;
  /** Branch that is checked out here; null for none. */
  branch: string | null;
  /** Commits that aren’t at the remote. */
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
}

/** Reads `git diff-index --raw -z --no-renames`; a path that isn’t UTF-8 has replacement characters. */
export function parseTracked(output: string): OutgoingEntry[] {
  const fields = output.split('\0');
  const entries: OutgoingEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before, after, , , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const kind = status.startsWith('A') ? 'added' : status.startsWith('D') ? 'deleted' : 'modified';
    entries.push({ path: fields[at + 1] ?? '', kind, isSubmodule: [before, after].includes('160000') });
  }
  return entries;
}

/** The paths that end with NUL. */
export function parsePaths(output: string): string[] {
  return output.split('\0').filter(Boolean);
}

/** The paths in the output of `git check-attr -z filter` that a filter such as `lfs` keeps elsewhere than in git. */
export function parseFiltered(output: string, filter: string): Set<string> {
  const fields = output.split('\0');
  return new Set(fields.filter((_, at) => at % 3 === 0 && fields[at + 2] === filter));
}

/** Whether a file is sent unless the user says otherwise: what git tracks, without what looks like a secret. */
export function isSentByDefault({ kind, secret }: OutgoingFile): boolean {
  return kind !== 'untracked' && secret === undefined;
}
