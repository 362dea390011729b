import { createHash } from 'node:crypto';

/** Git’s hash of a file’s content: SHA-1, or SHA-256 in repositories that use it. Lower-case hexadecimal. */
export function blobHash(content: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${content.byteLength}\0`).update(content).digest('hex');
}

/** Whether content has the hash, whose length says which algorithm it is. */
export function hasHash(content: Uint8Array, oid: string): boolean {
  return blobHash(content, oid.length === 64 ? 'sha256' : 'sha1') === oid;
}
