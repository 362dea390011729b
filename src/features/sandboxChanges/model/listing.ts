import type { Basis, ChangedFile, ChangeKind, ChangeSet, FileMode, FileVersion } from './changeSet';

/** What a listing says, and the names of its files as git has them. */
export interface Listing extends ChangeSet {
  /** The bytes of the current names of files, by their content. */
  names: ReadonlyMap<string, Uint8Array>;
}

/** Reads the answer of `listingScript`; undefined for anything else. */
export function parseListing(answer: Uint8Array): Listing | undefined {
  const bytes = Buffer.from(answer);
  let at = 0;
  const take = (end: number) => bytes.subarray(at, (at = end));
  const field = () => {
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const found = take(end);
    at += 1;
    return found;
  };
  const fields = Array.from({ length: 10 }, field);
  if (fields.includes(undefined)) return undefined;
  const [root, remote, base, basis, head] = fields.slice(0, 5).map(String);
  const lengths = fields.slice(5).map(Number);
  if (!root?.startsWith('/') || !isBasis(basis)) return undefined;
  if (lengths.some((length) => !Number.isInteger(length))) return undefined;
  const [sizes, large, stats, unread, old] = lengths.map((length) => take(at + length));
  const raw = bytes.subarray(at);
  const names = new Map<string, Uint8Array>();
  const sizeOf = sizesOf(String(sizes ?? ''));
  const before = new Set(
    (old ?? Buffer.alloc(0))
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => shown(unquoted(line))),
  );
  const changed = changedFiles(raw, sizeOf, names).filter(({ path }) => !before.has(path));
  const missing = parts(unread ?? Buffer.alloc(0)).map(shown);
  return {
    repository: {
      root,
      name: root.slice(root.lastIndexOf('/') + 1),
      remote: withoutCredentials(remote ?? ''),
      base: orNull(base),
      basis,
      head: orNull(head),
    },
    files: withLarge(changed, parts(large ?? Buffer.alloc(0)), String(stats ?? '')).sort((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    complete: missing.length === 0,
    unread: missing,
    names,
  };
}

/** What `listingsScript` found. */
export interface Listings {
  listed: Listing[];
  /** Folders of repositories that git couldn’t list. */
  failed: string[];
  /** Why git couldn’t list the last of them; empty if it didn’t say. */
  why: string;
  /** Whether there may be more repositories than were searched for. */
  isCut: boolean;
}

/** Reads the answer of `listingsScript`; undefined for anything else. */
export function parseListings(answer: Uint8Array): Listings | undefined {
  const bytes = Buffer.from(answer);
  const found: Listings = { listed: [], failed: [], why: '', isCut: false };
  let at = 0;
  while (bytes.length - at > 2) {
    const [, code, length = ''] = /^(\d+)\0(\d+)\0/.exec(bytes.toString('latin1', at, at + 40)) ?? [];
    if (code === undefined) return undefined;
    const start = at + code.length + length.length + 2;
    at = start + Number(length);
    if (at > bytes.length) return undefined;
    const part = bytes.subarray(start, at);
    if (code !== '0') {
      const [folder = part] = parts(part);
      found.failed.push(shown(folder));
      found.why = shown(part.subarray(folder.byteLength + 1));
      continue;
    }
    const listing = parseListing(part);
    if (!listing) return undefined;
    found.listed.push(listing);
  }
  const end = bytes.toString('latin1', at);
  return /^[01]\0$/.test(end) ? { ...found, isCut: end === '1\0' } : undefined;
}

const isBasis = (text = ''): text is Basis => /^(?:remote|time|unsure)$/.test(text);

/** Escapes of git’s quotes around a name with odd characters. */
const escapes: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** The bytes of a name in the form that git prints it in, read as Latin-1: some settings leave most bytes as they are. */
function unquoted(line: string): Uint8Array {
  const [, quoted] = /^"(.*)"$/.exec(line) ?? [];
  if (quoted === undefined) return Buffer.from(line, 'latin1');
  const plain = quoted.replaceAll(/\\([0-7]{3}|.)/g, (_all, what: string) =>
    what.length === 3 ? String.fromCharCode(Number.parseInt(what, 8)) : (escapes[what] ?? what),
  );
  return Buffer.from(plain, 'latin1');
}

const orNull = (text = '') => (text === '' ? null : text);

/** Addresses of remotes can hold a token, also behind the name of a remote helper. */
function withoutCredentials(remote: string): string | null {
  return remote === '' ? null : remote.replace(/^((?:[\w+.-]+::)?[a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

type SizeOf = (oid: string) => number | null;

/** The entries of `git diff-index --raw -z`. Adds the names of their contents to `known`. */
function changedFiles(raw: Buffer, sizeOf: SizeOf, known: Map<string, Uint8Array>): ChangedFile[] {
  const fields = parts(raw);
  const files: ChangedFile[] = [];
  for (let at = 0; at < fields.length;) {
    const [modeBefore = '', modeAfter = '', oidBefore = '', oidAfter = '', status = ''] = String(fields[at])
      .slice(1)
      .split(' ');
    const count = /^[RC]/.test(status) ? 2 : 1;
    const names = fields.slice(at + 1, at + 1 + count);
    at += 1 + count;
    const before = versionOf(modeBefore, oidBefore, sizeOf);
    const after = versionOf(modeAfter, oidAfter, sizeOf);
    const [first, last] = [names[0], names.at(-1)];
    if (!first || !last || (!before && !after)) continue;
    if (after) known.set(after.oid, last);
    const isReadable = names.every((name) => readable(name) !== undefined);
    files.push({
      path: shown(last),
      ...(names.length > 1 && { oldPath: shown(first) }),
      kind: kindOf(status, before, after),
      before,
      after,
      ...(!isReadable && { unreadableName: true as const }),
    });
  }
  return files;
}

/** The parts between NULs. */
function parts(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0, end = bytes.indexOf(0); end >= 0; at = end + 1, end = bytes.indexOf(0, at))
    found.push(bytes.subarray(at, end));
  return found;
}

function sizesOf(text: string): SizeOf {
  const sizes = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  return (oid) => {
    const size = Number(sizes.get(oid) ?? NaN);
    return Number.isInteger(size) ? size : null;
  };
}

const isMode = (mode: string): mode is FileMode => /^(?:100644|100755|120000|160000)$/.test(mode);

function versionOf(mode: string, oid: string, sizeOf: SizeOf): FileVersion | null {
  return isMode(mode) ? { oid, mode, size: mode === '160000' ? null : sizeOf(oid) } : null;
}

function kindOf(status: string, before: FileVersion | null, after: FileVersion | null): ChangeKind {
  if (!before) return 'added';
  if (!after) return 'deleted';
  if (status.startsWith('R')) return 'renamed';
  return before.oid === after.oid ? 'modeChanged' : 'modified';
}

/** Adds the files that were too large to be looked into; those that git knows were listed as deleted. */
function withLarge(files: ChangedFile[], names: Buffer[], stats: string): ChangedFile[] {
  const lines = stats.split('\n');
  const large = names.map((name, index): ChangedFile => {
    const [size, permissions = '644'] = (lines[index] ?? '').split(' ');
    const mode = (Number.parseInt(permissions, 8) & 0o100) === 0 ? '100644' : '100755';
    const path = shown(name);
    const before = files.find((file) => file.path === path)?.before ?? null;
    return {
      path,
      kind: before ? 'modified' : 'added',
      before,
      after: { oid: '', mode, size: size === undefined || size === '' ? null : Number(size) },
      ...(readable(name) === undefined && { unreadableName: true as const }),
    };
  });
  const named = new Set(large.map(({ path }) => path));
  return [...files.filter(({ path }) => !named.has(path)), ...large];
}

function readable(name: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return undefined;
  }
}

/** A name as text; bytes that aren’t ASCII as octal numbers if it isn’t UTF-8. */
function shown(name: Uint8Array): string {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  return (
    readable(name) ??
    Array.from(name, (byte) => (byte < 0x20 || byte > 0x7e ? octal(byte) : String.fromCharCode(byte))).join(
      '',
    )
  );
}
