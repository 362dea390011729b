import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../api/service/agentServerStart';
import type { ServerFolder } from '../../api/service/schemas/agentServer';
import { errorWords } from '../errorText';
import { askPick, askText, back, type Answer } from '../inputs';
import { plainText } from '../../shared/plainText';

interface Places {
  /** Folders that are open here, and proven to be the same on the server. */
  open: readonly ServerFolder[];
  saved: readonly ServerFolder[];
  home: string;
}

type FolderItem = vscode.QuickPickItem & { path?: string; browse?: string; isNew?: boolean };

/** Asks for a folder of the server’s computer: an open one, a saved one, any other by browsing or by its path. */
export async function askServerFolder(
  server: AgentServerCalls,
  { open, saved, home }: Places,
  current: string | undefined,
  { title = l10n.t('Start an agent conversation'), ifMissing = l10n.t('created if it’s missing') } = {},
): Promise<Answer<string>> {
  const fromText = byPath(ifMissing);
  const known = new Set(open.map(({ path }) => path));
  const itemOf =
    (note: string, icon: string, use: 'path' | 'browse' = 'path') =>
    ({ name, path }: ServerFolder): FolderItem => ({
      label: plainText(name, 120),
      description: note,
      detail: plainText(path, 300),
      iconPath: new vscode.ThemeIcon(icon),
      [use]: path,
    });
  const places: FolderItem[] = [
    ...open.map(itemOf(l10n.t('open here'), 'folder-opened')),
    ...saved.filter(({ path }) => !known.has(path)).map(itemOf(l10n.t('saved on the server'), 'folder')),
    { label: l10n.t('Browse…'), iconPath: new vscode.ThemeIcon('folder'), browse: home },
  ];
  const picked = await askPick<FolderItem>({
    title,
    canGoBack: true,
    placeholder: l10n.t('Select a folder on the server, or enter its path'),
    items: places,
    isCurrent: ({ path }) => path !== undefined && path === current,
    fromText,
    update: async (show, signal) => {
      const parents = await server.listWorkspaceParents(signal).catch(() => []);
      show([...places, ...parents.map(itemOf(l10n.t('holds projects'), 'folder-library', 'browse'))]);
    },
  });
  if (picked === undefined || picked === back) return picked;
  if (picked.path !== undefined) return picked.path;
  return browse(server, { title, fromText }, picked.browse ?? home);
}

const byPath =
  (description: string) =>
  (text: string): FolderItem | undefined =>
    /^(?:\/|[A-Za-z]:[\\/])/.test(text) ? { label: text, description, path: text } : undefined;

/** A folder that can’t be read mustn’t look empty. */
const tryAgain = (folder: string): FolderItem => ({
  label: l10n.t('Couldn’t list the folders here'),
  description: l10n.t('Select to try again'),
  iconPath: new vscode.ThemeIcon('warning'),
  browse: folder,
});

async function browse(
  server: AgentServerCalls,
  { title, fromText }: { title: string; fromText: ReturnType<typeof byPath> },
  from: string,
): Promise<Answer<string>> {
  for (let folder = from; ;) {
    const here: FolderItem = {
      label: l10n.t('Use This Folder'),
      description: plainText(folder, 200),
      iconPath: new vscode.ThemeIcon('check'),
      path: folder,
    };
    const above = posix.dirname(folder);
    const up: FolderItem[] =
      above === folder ? [] : [{ label: '..', iconPath: new vscode.ThemeIcon('arrow-up'), browse: above }];
    const fresh: FolderItem = {
      label: l10n.t('New Folder…'),
      iconPath: new vscode.ThemeIcon('new-folder'),
      isNew: true,
    };
    const picked = await askPick<FolderItem>({
      title,
      canGoBack: true,
      placeholder: l10n.t('Select a folder on the server, or enter its path'),
      items: [here, fresh, ...up],
      fromText,
      update: async (show, signal) => {
        const folders = await server.listFolders(folder, signal).catch(() => 'unlisted' as const);
        if (folders === 'unlisted') {
          show([here, fresh, ...up, tryAgain(folder)]);
          return;
        }
        const icon = new vscode.ThemeIcon('folder');
        const inside = (folders ?? []).map(({ name, path }): FolderItem => ({
          label: plainText(name, 120),
          iconPath: icon,
          browse: path,
        }));
        show([here, fresh, ...up, ...inside]);
      },
    });
    if (picked === undefined || picked === back) return picked;
    if (picked.path !== undefined) return picked.path;
    if (picked.isNew) {
      const made = await makeFolder(server, title, folder);
      if (made === undefined) return undefined;
      if (made !== back) folder = made;
    } else folder = picked.browse ?? folder;
  }
}

/** Asks for the name of a new folder, and makes it. */
function makeFolder(server: AgentServerCalls, title: string, parent: string): Promise<Answer<string>> {
  const pathOf = (name: string) => posix.join(parent, name.trim());
  return askText({
    title,
    canGoBack: true,
    prompt: l10n.t('Name of the new folder in “{0}”', plainText(parent, 200)),
    placeholder: l10n.t('For example, webshop'),
    validate: (name) =>
      /^(?!\.{1,2}$)[^/\\\p{C}]+$/u.test(name.trim()) ? undefined : l10n.t('Enter a name without slashes.'),
    accept: (name, signal) =>
      server.createFolder(pathOf(name), signal).then(
        () => undefined,
        (error: unknown) => errorWords(error),
      ),
  }).then((name) => (typeof name === 'string' ? pathOf(name) : name));
}
