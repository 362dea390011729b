import type { Changed } from '../../../shared/comparison';
import { nextTurn } from '../../../core/basics/nextTurn';
import type { FileVersion } from '../../sandboxChanges';
import { isBinary, type AllChanges } from '../../changes';
import { diffOf } from '../../transcript';

/** How much is read to count lines: files, bytes of one side, and bytes in total. */
const most = { files: 200, ofOne: 256 * 1024, ofAll: 4 * 1024 * 1024 };

/** The changes of a conversation in numbers; lines of files that are too large or too many aren’t counted. */
export async function changedIn(
  { repositories, isWhole }: AllChanges,
  signal: AbortSignal,
): Promise<Changed> {
  const all = repositories.flatMap(({ changes, source }) => changes.files.map((file) => ({ file, source })));
  const changed: Changed = { files: all.length, added: 0, removed: 0, isWhole };
  let left = most.ofAll;
  const counted = all.slice(0, most.files).filter(({ file: { before, after } }) => {
    const sizes = [before, after].map(sizeOf);
    const sum = sizes.reduce((total, size) => total + size, 0);
    const isRead = sizes.every((size) => size <= most.ofOne) && sum <= left;
    if (isRead) left -= sum;
    return isRead;
  });
  if (counted.length < all.length) changed.isWhole = false;
  const texts = await Promise.all(
    counted.map(({ file: { before, after }, source }) => {
      const read = (one: FileVersion | null) =>
        // A submodule has no lines.
        !one || one.mode === '160000' ? new Uint8Array() : source.content(one, signal);
      return Promise.all([read(before), read(after)]).catch(() => undefined);
    }),
  );
  signal.throwIfAborted();
  for (const sides of texts) {
    if (!sides) changed.isWhole = false;
    if (!sides || sides.some(isBinary)) continue;
    const [before, after] = sides.map((side) => new TextDecoder().decode(side));
    const { added, removed } = diffOf(before ?? '', after ?? '');
    changed.added += added;
    changed.removed += removed;
    await nextTurn();
  }
  return changed;
}

/** Infinite for contents that nobody has. */
const sizeOf = (version: FileVersion | null) =>
  !version || version.mode === '160000' ? 0 : version.oid === '' ? Infinity : (version.size ?? 0);
