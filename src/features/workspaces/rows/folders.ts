import type { Conversation } from '../../../api/service/schemas/conversation';
import { lastPart } from '../../../shared/lastPart';
import { plainText } from '../../../shared/plainText';
import { derived } from '../../../core/basics/derived';
import { groupBy } from '../../../core/basics/groupBy';
import type { Workspace } from '../../../core/lists/serviceLists';
import { type Branch, forest } from '../../targets';

/** A folder of a standalone agent server. */
export interface Folder {
  /** As the server writes it. */
  readonly path: string;
  readonly name: string;
  /** Whether the server keeps it in its list; otherwise it’s known by its conversations. */
  readonly isSaved: boolean;
  readonly isWorktree: boolean;
  /** Those that wait first, then the latest. */
  readonly conversations: readonly Branch[];
  readonly worktrees: readonly Folder[];
}

/** Where agent servers create worktrees: in a folder of the conversation, named after the repository. */
const worktree = /[\\/]conversation-worktrees[\\/][^\\/]+[\\/][^\\/]+$/;

const without = (path: string) => path.replace(/(?<=[^\\/:])[\\/]+$/, '');

const waits = ({ conversations, worktrees }: Folder): boolean =>
  conversations.some((branch) => branch.waits) || worktrees.some(waits);
const updated = ({ conversations, worktrees }: Folder): number =>
  Math.max(0, ...conversations.map((branch) => branch.updated), ...worktrees.map(updated));

const byPriority = (a: Folder, b: Folder) =>
  Number(waits(b)) - Number(waits(a)) || updated(b) - updated(a) || a.name.localeCompare(b.name);

const byFolder = derived((conversations: readonly Conversation[]) =>
  groupBy(
    forest(conversations).toSorted((a, b) => Number(b.waits) - Number(a.waits) || b.updated - a.updated),
    ({ conversation }) => without(conversation.folder ?? ''),
  ),
);

/**
 * The saved folders, and those of the conversations. Folders with a waiting agent come first, then the most recently
 * used ones. A worktree is listed below the folder of its repository, if exactly one has that name.
 */
export function foldersOf(
  saved: readonly Pick<Workspace, 'name' | 'path'>[],
  conversations: readonly Conversation[],
): Folder[] {
  const within = byFolder(conversations);
  const names = new Map(saved.map(({ name, path }) => [without(path), name]));
  const paths = [...new Set([...names.keys(), ...within.keys()])].filter((path) => path !== '');
  const folder = (path: string, worktrees: readonly Folder[] = []): Folder => ({
    path,
    name: plainText(names.get(path) ?? lastPart(path), 120) || path,
    isSaved: names.has(path),
    isWorktree: worktree.test(path),
    conversations: within.get(path) ?? [],
    worktrees,
  });
  const isPlaced = (path: string) => worktree.test(path) && !names.has(path);
  const repositories = paths.filter((path) => !isPlaced(path));
  const homeOf = (path: string) => {
    const same = repositories.filter((one) => lastPart(one) === lastPart(path));
    return same.length === 1 ? same[0] : undefined;
  };
  const placed = groupBy(paths.filter(isPlaced), homeOf);
  const below = (path: string) => (placed.get(path) ?? []).map((one) => folder(one)).sort(byPriority);
  return [
    ...repositories.map((path) => folder(path, below(path))),
    ...(placed.get(undefined) ?? []).map((path) => folder(path)),
  ].sort(byPriority);
}

/** The conversations of a folder and of its worktrees. */
export const allIn = ({ conversations, worktrees }: Folder): readonly Branch[] => [
  ...conversations,
  ...worktrees.flatMap(allIn),
];
