import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { decodedText } from '../shared/decodedText';
import { bundleWords } from '../shared/mcp';
import { membersOf } from '../shared/membersOf';
import { plainText } from '../shared/plainText';
import { readable } from '../shared/readable';
import { thrownWords } from '../shared/thrown';

export interface FoundSource {
  label: string;
  uri: vscode.Uri;
}

export type ReadSource = { ok: true; text: string } | { ok: false; reason: string };

/**
 * What determines where configuration files are on this computer.
 * @param globalStorage the extension's storage folder, which is inside the running editor's `User` folder
 * @param userFolders the `User` folders of all editors
 */
export async function sourceHost(
  globalStorage: vscode.Uri,
  userFolders: (host: Host) => readonly { folder: string }[],
): Promise<Host & { profiles: Profile[] }> {
  const userFolder = vscode.Uri.joinPath(globalStorage, '..', '..');
  const folders = vscode.workspace.workspaceFolders ?? [];
  const host = {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    workspaceFolders: folders.map(({ name, uri }) => ({ name, uri: uri.toString() })),
    editorUserFolder: userFolder.scheme === 'file' ? userFolder.fsPath : null,
  };
  const all = [...new Set(userFolders(host).map(({ folder }) => folder))];
  return { ...host, profiles: (await Promise.all(all.map(profilesIn))).flat() };
}

interface Host {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
  workspaceFolders: { name: string; uri: string }[];
  editorUserFolder: string | null;
}

interface Profile {
  userFolder: string;
  folder: string;
  name: string;
}

/** An editor's storage names its profiles by their folders. An editor in the browser keeps the names there. */
const profileSchema = z.object({ location: z.string(), name: z.string() });

async function profilesIn(userFolder: string): Promise<Profile[]> {
  const root = vscode.Uri.file(userFolder);
  const profiles = vscode.Uri.joinPath(root, 'profiles');
  try {
    const locations = await vscode.workspace.fs.readDirectory(profiles);
    const names = locations.length === 0 ? new Map<string, string>() : await profileNames(root);
    return locations.map(([location]) => ({
      userFolder,
      folder: vscode.Uri.joinPath(profiles, location).fsPath,
      name: plainText(names.get(location) ?? location, 80),
    }));
  } catch {
    // Without profiles, there is no such folder.
    return [];
  }
}

async function profileNames(root: vscode.Uri): Promise<Map<string, string>> {
  try {
    const bytes = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(root, 'globalStorage', 'storage.json'),
    );
    const { userDataProfiles } = membersOf(JSON.parse(decodedText(bytes) ?? ''));
    return new Map(readable(profileSchema, userDataProfiles).map(({ location, name }) => [location, name]));
  } catch {
    return new Map();
  }
}

/**
 * The candidates that exist, in order.
 * @param candidates `path` is relative to the workspace folder with the URI `folder`, or absolute without one
 */
export async function findSources(
  candidates: readonly { label: string; folder: string | null; path: string }[],
): Promise<FoundSource[]> {
  const sources = candidates.map(({ label, folder, path }) => ({
    label,
    uri: folder === null ? vscode.Uri.file(path) : vscode.Uri.joinPath(vscode.Uri.parse(folder, true), path),
  }));
  const found = await Promise.all(sources.map(({ uri }) => isFile(uri)));
  return sources.filter((_, index) => found[index]);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Reads a configuration file of at most `maxBytes` bytes. */
export async function readSource(uri: vscode.Uri, maxBytes: number): Promise<ReadSource> {
  const tooLarge = {
    ok: false,
    reason: l10n.t('The file is larger than {0} KiB.', Math.floor(maxBytes / 1024)),
  } as const;
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (/\.(?:mcpb|dxt)$/i.test(uri.path)) return { ok: false, reason: bundleWords() };
    if ((type & vscode.FileType.File) === 0) return { ok: false, reason: l10n.t('This isn’t a file.') };
    if (size > maxBytes) return tooLarge;
    const bytes = await vscode.workspace.fs.readFile(uri);
    // The file may have grown since.
    if (bytes.length > maxBytes) return tooLarge;
    const text = decodedText(bytes);
    return text === undefined ? { ok: false, reason: notText() } : { ok: true, text };
  } catch (error) {
    return { ok: false, reason: failure(error) };
  }
}

const notText = () => l10n.t('The file isn’t UTF-8 or UTF-16 text. Save it in UTF-8, and try again.');

function failure(error: unknown): string {
  switch (error instanceof vscode.FileSystemError ? error.code : '') {
    case 'FileNotFound':
      return l10n.t('The file no longer exists.');
    case 'NoPermissions':
      return l10n.t('You don’t have permission to read this file.');
    default:
      return l10n.t('Couldn’t read the file: {0}', thrownWords(error));
  }
}
