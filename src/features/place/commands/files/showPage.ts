import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../../editor/handler';
import { askPick } from '../../../../editor/inputs';
import { unlessCanceled } from '../../../../editor/progress';
import { plainText } from '../../../../shared/plainText';
import { tellFailed } from '../../../targets/editor';
import type { SandboxFiles } from '../../model/files';
import { serveFiles } from '../../model/staticPages';
import { openBeside } from '../ports';
import type { ServedPages } from '../servedPages';
import { chooseSandboxFolder, type FolderNeeds, isInSandbox } from './chooseFolder';

/** How many pages are offered. */
const mostPages = 500;
const isPage = (name: string) => /\.html?$/i.test(name);

/** Show Page…: an HTML file of a sandbox as a page, with what belongs to it. */
export function showPage(needs: FolderNeeds & { servedPages: () => Promise<ServedPages> }): Handler {
  return async (argument) => {
    try {
      const chosen = await chooseSandboxFolder(needs, argument, l10n.t('Show Page'));
      if (!chosen) return;
      const files = needs.sandboxFolders.filesOf(chosen.uri);
      const { path } = chosen.uri;
      const shown = isInSandbox(argument) && isPage(path) ? path : await choose(files, path);
      if (shown === undefined) return;
      const pages = await needs.servedPages();
      const serving = async () => serveFiles(files, await files.folder(), shown);
      await unlessCanceled(l10n.t('Opening the page…'), () => pages.open(serving(), openBeside));
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t show the page.'), error);
    }
  };
}

/** Lets the user select one of the pages in or below a folder, nearest first. */
async function choose(files: SandboxFiles, folder: string): Promise<string | undefined> {
  const found = await unlessCanceled(l10n.t('Searching…'), (_report, signal) =>
    files.findNames(folder, '.htm', signal),
  );
  if (!found) return undefined;
  const depth = (path: string) => path.split('/').length;
  const paths = found.filter(isPage).toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const [first] = paths;
  if (first === undefined) {
    void vscode.window.showInformationMessage(l10n.t('There are no HTML files in this folder.'));
    return undefined;
  }
  const items = paths.slice(0, mostPages).map((path) => ({
    path,
    label: plainText(posix.basename(path), 80),
    description: plainText(posix.dirname(path).replace(/^\.$/, ''), 200),
    iconPath: new vscode.ThemeIcon('file-code'),
  }));
  const picked =
    items.length === 1
      ? items[0]
      : await askPick({
          title: l10n.t('Show Page'),
          placeholder: l10n.t('Select a page'),
          items,
        });
  return typeof picked === 'object' ? posix.join(folder, picked.path) : undefined;
}
