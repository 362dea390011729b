import { hasRemote } from '../../../core/gitRemote';
import type { ChangedRepository, ReadChanges } from '../../sandboxChanges';

/**
 * Those of the repositories that a conversation is about, if a sandbox has several: the one with its name or remote, its
 * worktrees, and what is in their folders, such as submodules. None if it has no repository of its own.
 * @param own `owner/name`
 */
export function ownRepositories(
  repositories: readonly ReadChanges[],
  own: string | null | undefined,
): readonly ReadChanges[] {
  if (own === null || own === undefined) return [];
  const roots = repositories
    .filter(({ changes }) => isOf(changes.repository, own))
    .map(({ changes }) => changes.repository.root);
  const isWithin = (root: string) => roots.some((one) => root === one || root.startsWith(`${one}/`));
  return repositories.filter(({ changes }) => isWithin(changes.repository.root));
}

/** By its remote, or by its name where it has none. */
function isOf({ name, remote }: ChangedRepository, own: string): boolean {
  if (remote !== null) return hasRemote({ remotes: [{ name: '', url: remote }] }, own);
  return name.toLowerCase() === own.slice(own.lastIndexOf('/') + 1).toLowerCase();
}
