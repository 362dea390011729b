/** File modes that git knows: file, executable file, symbolic link, submodule. */
export type FileMode = '100644' | '100755' | '120000' | '160000';

/** One side of a changed file. */
export interface FileVersion {
  /** Git’s hash of the content, lower-case hexadecimal; empty for a large file that was left where it is, unread. */
  oid: string;
  mode: FileMode;
  /** Bytes; null if not known, and for submodules. */
  size: number | null;
  /** Secrets in it are masked: it can be shown, but isn’t the file’s content. */
  masked?: true;
}

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'renamed' | 'modeChanged';

/** A file that differs between an agent’s repository and its base. Paths are relative to the repository’s root. */
export interface ChangedFile {
  path: string;
  /** The path at the base, if the file was renamed. */
  oldPath?: string;
  kind: ChangeKind;
  before: FileVersion | null;
  after: FileVersion | null;
  /** A name isn’t UTF-8: its bytes are shown as octal numbers, and it can’t be applied. */
  unreadableName?: true;
}

/**
 * How the commit was found that changes are against: by the remote, by where the repository stood when the conversation
 * began, or not at all, so that only what isn’t committed is there.
 */
export type Basis = 'remote' | 'time' | 'unsure';

/** The repository that changes are in. */
export interface ChangedRepository {
  /** Folder in the sandbox. */
  root: string;
  name: string;
  /** Address of its remote, without user name and password. */
  remote: string | null;
  /** Commit that the changes are against; null for a repository that began empty. */
  base: string | null;
  /** How the base was found; undefined for changes without one. */
  basis?: Basis;
  /** Null before the first commit. */
  head: string | null;
}

/** Everything that an agent changed: committed, staged, and untracked. */
export interface ChangeSet {
  repository: ChangedRepository;
  files: ChangedFile[];
  /** False: put together from events, without what commands wrote; or some files couldn’t be read. */
  complete: boolean;
  /** Names of files and folders that couldn’t be read, if they are known. */
  unread?: readonly string[];
}

/** Where changes come from. Throws ApiError, and a Refusal with words for people. */
export interface ChangeSource {
  list(signal?: AbortSignal): Promise<ChangeSet>;
  /** The content of a version that `list` gave, checked against its hash. */
  content(version: FileVersion, signal?: AbortSignal): Promise<Uint8Array>;
}

/** The changes of a repository, and where they come from. */
export interface ReadChanges {
  source: ChangeSource;
  changes: ChangeSet;
}
