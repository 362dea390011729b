/** Where the agent’s files are. */
export interface AgentFolders {
  /** `owner/name` of the repository that the conversation is about; empty for none. */
  repository: string;
  /** Where that repository may be. */
  own: string[];
  /** The folders that repositories are in. */
  above: string[];
}

/** Where agents usually work: repositories are cloned into it, and may have the same name as one of its parts. */
export const usualFolder = '/workspace/project';

/** @param workingDir the folder that the agent works in; null if unknown */
export function agentFolders(repository: string, workingDir: string | null): AgentFolders {
  const name = repository.split('/').at(-1) ?? '';
  const folder = (workingDir ?? '').replace(/(?<!\/)\/+$/, '');
  const above = [...new Set([folder, usualFolder])].filter((one) => one.startsWith('/'));
  const own = above.map((one) => (one.endsWith(`/${name}`) ? one : `${one}/${name}`));
  return { repository, own: name === '' ? [] : own, above };
}

/** The path below the first of these folders that it’s in; undefined if it’s in none, or may lead out of it. */
export function pathWithin(path: string, folders: readonly string[]): string | undefined {
  const root = folders.find((folder) => path.startsWith(`${folder}/`));
  const below = root === undefined ? undefined : path.slice(root.length + 1);
  return below === undefined || !isPlainPath(below) ? undefined : below;
}

/** Which folder a command was run in, if that's one below the repository or beside it; empty if it goes without saying. */
export const folderName = (folder: string, { own, above }: AgentFolders): string =>
  own.includes(folder) ? '' : (pathWithin(folder, [...own, ...above]) ?? '');

/** Whether every part of a relative path is a name. */
export const isPlainPath = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((part) => !['', '.', '..'].includes(part));

/** A path as people read it: below the repository or the agent’s folder, if it’s in one of them. */
export const shortPath = (path: string, { own, above }: AgentFolders): string =>
  pathWithin(path, [...own, ...above]) ?? path;
