import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../../editor/handler';
import { askText } from '../../../../editor/inputs';
import { unlessCanceled } from '../../../../editor/progress';
import { plainText } from '../../../../shared/plainText';
import { tellFailed } from '../../../targets/editor';
import { searchReport } from '../../model/searchReport';
import { chooseSandboxFolder, type FolderNeeds } from './chooseFolder';
import type { SearchResults } from './searchResults';

/** Search Agent’s Folder…: files by name and content, in a document with links. */
export function searchFiles(needs: FolderNeeds & { searchResults: () => Promise<SearchResults> }): Handler {
  return async (argument) => {
    const title = l10n.t('Search Agent’s Folder');
    try {
      const chosen = await chooseSandboxFolder(needs, argument, title);
      if (!chosen) return;
      const prompt = l10n.t('Text in files or in their names');
      const text = await askText({ title, prompt });
      if (typeof text !== 'string' || text === '') return;
      const { uri: root, name } = chosen;
      const files = needs.sandboxFolders.filesOf(root);
      const heading = l10n.t('“{0}” in {1}', plainText(text, 80), name);
      const found = await unlessCanceled(l10n.t('Searching…'), async (_report, signal) => {
        const names = await files.findNames(root.path, text, signal);
        const results = await needs.searchResults();
        const show = await results.show(heading, root, searchReport(names, undefined));
        show(searchReport(names, await files.findLines(root.path, text, signal)));
        return true;
      });
      if (found !== true) void vscode.window.setStatusBarMessage(l10n.t('Search canceled'), 5_000);
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t search in the sandbox.'), error);
    }
  };
}
