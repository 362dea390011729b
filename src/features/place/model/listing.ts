import { posix } from 'node:path';
import { scratch } from './scratch';

/** What a file is: `other` is a device, a pipe or a socket, or a link to nothing. */
type FileKind = 'file' | 'folder' | 'other';

export interface FileFacts {
  /** Kind of what a link leads to. */
  kind: FileKind;
  isLink: boolean;
  /** Permissions, as a number. */
  mode: number;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

/** By name. */
export type FolderFacts = ReadonlyMap<string, FileFacts>;

/** Folders that are listed, but not searched unless that is asked for. */
export const heavy = ['.git', 'node_modules', '.venv', '__pycache__', scratch];
export const isHeavy = (name: string): boolean => heavy.includes(name);

/** Whether a folder belongs to this extension, not to the agent: it contains the output of a terminal. */
export const isOurs = (name: string): boolean => /^\.agent-workspace(?:-|$)/.test(name);

const linkKind = 0o12;
const folderKind = 0o4;
const kinds = new Map<number, FileKind>([
  [0o10, 'file'],
  [folderKind, 'folder'],
]);
const letters = new Map<string, number>([
  ['f', 0o10],
  ['d', folderKind],
  ['l', linkKind],
]);
const recordEnd = Buffer.from('//\n');

interface Record {
  path: Uint8Array;
  kind: number;
  facts: Pick<FileFacts, 'mode' | 'size' | 'modifiedAt'>;
}

/**
 * Reads what the script of listings answered: what is in the folder and, of a whole tree, in those below, by their paths
 * relative to it (empty for itself), without this extension’s own. A name that isn’t UTF-8 has its other bytes as `\xNN`.
 */
export function parseFolderListing(answer: Uint8Array, isDeep: boolean): Map<string, Map<string, FileFacts>> {
  const bytes = Buffer.from(answer);
  const [linkRecords, from] = records(bytes, 0);
  const links = new Map(linkRecords.map((one) => [shown(one.path), one]));
  const entries = bytes[from] === 0x47 ? gnuRecords(bytes, from + 1) : records(bytes, from + 1)[0];
  const folders = new Map<string, Map<string, FileFacts>>([['', new Map()]]);
  for (const { path, kind, facts } of entries) {
    const name = shown(path);
    const isLink = kind === linkKind;
    const target = isLink ? links.get(name) : undefined;
    const known = kinds.get(target?.kind ?? kind) ?? 'other';
    const slash = name.lastIndexOf('/');
    if (isOurs(name.slice(slash + 1))) continue;
    const parent = slash < 0 ? '' : name.slice(0, slash);
    const siblings = folders.get(parent) ?? new Map<string, FileFacts>();
    // An empty folder has nothing below it.
    if (isDeep && kind === folderKind && !isHeavy(posix.basename(name)) && !folders.has(name))
      folders.set(name, new Map());
    folders.set(
      parent,
      siblings.set(name.slice(slash + 1), { kind: known, isLink, ...(target?.facts ?? facts) }),
    );
  }
  return folders;
}

/** A listing, with a checksum by which it’s recognized. */
interface Listing {
  answer: Uint8Array;
  /** Empty if there is no program for it. */
  sum: string;
}

/** Reads what the script for several folders answered of each; undefined for one that can’t be listed. */
export function parseEachListing(answer: Uint8Array): (Listing | 'same' | undefined)[] {
  const bytes = Buffer.from(answer);
  const found: (Listing | 'same' | undefined)[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const [code = '', length = '', ...sum] = bytes.toString('latin1', at, end).split(' ');
    // Anything else isn’t an answer of the script, and where the next one begins isn’t known.
    if (end < 0 || !/^\d*$/.test(length)) break;
    at = end + 1 + Number(length);
    if (code === 'same') found.push('same');
    else if (code === '0') found.push({ answer: bytes.subarray(end + 1, at), sum: sum.join(' ') });
    else found.push(undefined);
  }
  return found;
}

/** Reads what a script answered about a regular file that it saved, or a folder that it made. */
export function parseSaved(answer: Uint8Array, kind: FileKind): FileFacts {
  const [link, mode = '', size, time] = Buffer.from(answer).toString('latin1').trim().split(' ');
  const modifiedAt = Math.round(Number(time) * 1_000);
  return {
    kind,
    isLink: link === '1',
    mode: Number.parseInt(mode, 8),
    size: Number(size),
    modifiedAt,
  };
}

/** The records from a position on, up to an empty one, and where they end. */
function records(bytes: Buffer, start: number): [Record[], number] {
  const found: Record[] = [];
  for (let at = start; ;) {
    const end = bytes.indexOf(recordEnd, at);
    if (end < 0) return [found, bytes.length];
    const next = end + recordEnd.length;
    if (end === at) return [found, next];
    const [mode, facts, path] = fields(bytes.subarray(at, end));
    // Without the “./” that find prints before it.
    found.push({ path: path.subarray(2), kind: Number.parseInt(mode, 16) >> 12, facts });
    at = next;
  }
}

function gnuRecords(bytes: Buffer, start: number): Record[] {
  const found: Record[] = [];
  for (let at = start; ;) {
    const end = bytes.indexOf(0, at);
    if (end < 0) return found;
    const [letter, facts, path] = fields(bytes.subarray(at, end));
    found.push({ path, kind: letters.get(letter) ?? 0, facts });
    at = end + 1;
  }
}

/** What kind of file a record says it is, the facts of it, and the name after them. */
function fields(record: Buffer): [kind: string, Record['facts'], Buffer] {
  let at = 0;
  const next = () => {
    const blank = record.indexOf(0x20, at);
    const word = record.toString('latin1', at, blank);
    at = blank + 1;
    return word;
  };
  // The last is the inode.
  const [kind, permissions, size, time] = [next(), next(), next(), next(), next()];
  const modifiedAt = Math.round(Number(time) * 1_000);
  return [
    kind,
    { mode: Number.parseInt(permissions, 8), size: Number(size), modifiedAt },
    record.subarray(at),
  ];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name as text; if it isn’t valid UTF-8, each byte above 127 is `\xNN`. */
function shown(name: Uint8Array): string {
  try {
    return utf8.decode(name);
  } catch {
    return Array.from(name, (byte) =>
      byte < 0x80 ? String.fromCodePoint(byte) : `\\x${byte.toString(16)}`,
    ).join('');
  }
}
