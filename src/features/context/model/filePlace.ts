import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** The parts of an editor’s URI that distinguish places. */
export interface Address {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fsPath: string;
}

/** Where a file is. */
export interface FilePlace {
  /** The path, and the one that links lead to, if they do and that is known. */
  readonly paths: readonly string[];
  /** Whether it's in one of the folders, without a link that leads out of them. */
  readonly isInside: boolean;
}

/**
 * Finds out where a file is, without reading it.
 * @param folders those of the workspace
 * @param isLink whether a path of the file’s scheme and authority is a link
 */
export async function filePlace(
  file: Address,
  folders: readonly Address[],
  isLink: (path: string) => Promise<boolean>,
): Promise<FilePlace> {
  const near = folders.filter(
    ({ scheme, authority }) => scheme === file.scheme && authority === file.authority,
  );
  return file.scheme === 'file' ? placeOnDisk(file, near) : placeElsewhere(file, near, isLink);
}

async function placeOnDisk({ fsPath, authority }: Address, near: readonly Address[]): Promise<FilePlace> {
  // The editor does the same before it follows links.
  const given = path.normalize(fsPath);
  // Another computer can be told who the user is by only looking there.
  const real = authority === '' || near.length > 0 ? await realOf(given) : undefined;
  if (real === undefined) return { paths: [given], isInside: false };
  const roots = await Promise.all(near.map((folder) => realOf(folder.fsPath)));
  const isInside = roots.some((root) => root !== undefined && isBelow(real, root, path.sep));
  return { paths: [...new Set([given, real])], isInside };
}

/** There, links can be seen but not followed. */
async function placeElsewhere(
  { path: given, query }: Address,
  near: readonly Address[],
  isLink: (path: string) => Promise<boolean>,
): Promise<FilePlace> {
  const root = near.map((folder) => folder.path).find((one) => isBelow(given, one, '/'));
  const isPlain = query === '' && !given.includes('\\') && path.posix.normalize(given) === given;
  if (root === undefined || !isPlain) return { paths: [given], isInside: false };
  const parts = given.slice(withEnd(root, '/').length).split('/');
  const steps = parts.map((_, at) => withEnd(root, '/') + parts.slice(0, at + 1).join('/'));
  const links = await Promise.all(steps.map((step) => isLink(step).catch(() => true)));
  return { paths: [given], isInside: !links.includes(true) };
}

/** Without links, and in the case that the disk has; undefined if there is no such file, or nobody may know. */
async function realOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch {
    return undefined;
  }
}

function isBelow(file: string, folder: string, separator: string): boolean {
  return file.startsWith(withEnd(folder, separator));
}

function withEnd(folder: string, separator: string): string {
  return folder.endsWith(separator) ? folder : folder + separator;
}
