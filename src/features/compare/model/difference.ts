import type { ChangedFile, ReadChanges } from '../../sandboxChanges';
import type { AllChanges } from '../../changes';

/** A version of a file: which side of whose change it is. */
interface Part {
  of: 'old' | 'now';
  read: ReadChanges;
  file: ChangedFile;
  side: 'before' | 'after';
}

/** A file that two attempts left different. A side is undefined if the file isn’t there. */
export interface ComparedFile {
  old: Part | undefined;
  now: Part | undefined;
}

interface Found {
  read: ReadChanges;
  file: ChangedFile;
}

/**
 * The difference from the attempt `old` to the attempt `now`. If only one of them changed a file, the other has the
 * version that this change began with.
 */
export function comparedDifference(
  old: AllChanges,
  now: AllChanges,
): { files: ComparedFile[]; isSameBase: boolean } {
  // The folders of worktrees, and so their repositories, may have different names.
  const isOne = [old, now].every(({ repositories }) => repositories.length <= 1);
  const [before, after] = [filesOf(old, isOne), filesOf(now, isOne)];
  const places = [...new Set([...after.keys(), ...before.keys()])].toSorted();
  const files = places.flatMap((place): ComparedFile[] => {
    const [one, other] = [before.get(place), after.get(place)];
    const parts = {
      old: one ? part('old', one, 'after') : other && part('now', other, 'before'),
      now: other ? part('now', other, 'after') : one && part('old', one, 'before'),
    };
    const [a, b] = [parts.old, parts.now].map((side) => side?.file[side.side]);
    if (!a && !b) return [];
    const isSame = a && b && a.oid !== '' && a.oid === b.oid && a.mode === b.mode;
    return isSame ? [] : [{ old: a ? parts.old : undefined, now: b ? parts.now : undefined }];
  });
  const baseOf = ({ repositories }: AllChanges) =>
    new Map(
      repositories.map(({ changes: { repository } }) => [isOne ? '' : repository.name, repository.base]),
    );
  const bases = baseOf(old);
  const isSameBase = [...baseOf(now)].every(([name, base]) => !bases.has(name) || bases.get(name) === base);
  return { files, isSameBase };
}

const part = (of: Part['of'], { read, file }: Found, side: Part['side']): Part => ({ of, read, file, side });

/**
 * Files by repository and path. A renamed file is missing at its old path, where the other attempt may still have it.
 */
function filesOf({ repositories }: AllChanges, isOne: boolean): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const read of repositories) {
    const { files, repository } = read.changes;
    const placeOf = (path: string) => `${isOne ? '' : repository.name}/${path}`;
    for (const file of files) {
      const { path, oldPath, before } = file;
      if (oldPath !== undefined && oldPath !== path)
        found.set(placeOf(oldPath), { read, file: { path: oldPath, kind: 'deleted', before, after: null } });
      const moved = file.kind === 'renamed' ? { ...file, before: null } : file;
      found.set(placeOf(path), { read, file: moved });
    }
  }
  return found;
}
