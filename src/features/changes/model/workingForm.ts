import { createHash } from 'node:crypto';
import type { NotApplied } from './notApplied';
import { sameBytes } from './same';

/** A content as git stores it, and its path. */
export interface Blob {
  path: string;
  content: Uint8Array;
}

/** Converts contents to what git would check out; null where git fails. */
export type CheckOut = (blobs: readonly Blob[], signal?: AbortSignal) => Promise<(Uint8Array | null)[]>;

/** Both sides of a changed file; null for one that isn’t there. */
export interface BothSides {
  base: Uint8Array | null;
  agent: Uint8Array | null;
}

/**
 * The sides of a file in the form that the one here has, so that they can be compared with it and written; or why there
 * are none.
 * @param stored as git holds them
 * @param out as git checks them out here; null also for what it fails with
 * @param here what is at the file’s path
 */
export function inFormOf(stored: BothSides, out: BothSides, here: Uint8Array | null): BothSides | NotApplied {
  const [before, after] = [pointerIn(stored.base), pointerIn(stored.agent)];
  if (before || after) {
    // The file here is a pointer, too, or already the agent’s version.
    if ((stored.base && sameBytes(here, stored.base)) || sameBytes(here, stored.agent)) return stored;
    const isUntouched = before !== undefined && here !== null && isContentOf(here, before);
    if (isUntouched && !after) return { base: here, agent: stored.agent };
    if (isUntouched && after?.hash === before.hash) return { base: here, agent: here };
    return 'lfs';
  }
  // The file may not be as git would check it out.
  if (stored.base && sameBytes(here, stored.base) && !sameBytes(here, out.base)) return stored;
  const isMissing = (side: keyof BothSides) => stored[side] !== null && out[side] === null;
  if (!isMissing('base') && !isMissing('agent')) return out;
  return sameBytes(stored.base, stored.agent) ? stored : 'filter';
}

interface Pointer {
  /** SHA-256 of the content. */
  hash: string;
  size: number;
}

/** Pointers are shorter than this, in bytes. */
const longestPointer = 1_024;

/** What a Git LFS pointer refers to, as Git LFS reads it; undefined for any other content. */
function pointerIn(content: Uint8Array | null): Pointer | undefined {
  if (!content || content.byteLength >= longestPointer) return undefined;
  const pattern =
    /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n?$/;
  const text = Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n');
  const [, hash, size] = pattern.exec(text) ?? [];
  return hash === undefined ? undefined : { hash, size: Number(size) };
}

function isContentOf(content: Uint8Array, { hash, size }: Pointer): boolean {
  return content.byteLength === size && createHash('sha256').update(content).digest('hex') === hash;
}
