import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openRepositories, tellGitElsewhere } from '../../../platform/git';
import { askPick } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import type { ChangedRepository } from '../../../state/changes/changeSet';
import { hasRemote } from '../../../state/conversations/gitRemote';

/** The open folder of the same repository, found by its remote; asks if none or several fit. */
export async function chooseFolder(
  { remote, name }: Pick<ChangedRepository, 'remote' | 'name'>,
  title: string,
): Promise<vscode.Uri | undefined> {
  const repositories = await openRepositories(vscode.window.activeTextEditor?.document.uri);
  const fitting = repositories.filter((repository) => remote !== null && hasRemote(repository, remote));
  const roots = (fitting.length > 0 ? fitting : repositories).map(({ root }) => vscode.Uri.parse(root));
  const folders = fitting.length > 0 ? [] : (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const all = new Map([...roots, ...folders].map((uri) => [uri.toString(), uri]));
  if (all.size === 0) {
    if (tellGitElsewhere()) return undefined;
    void vscode.window.showInformationMessage(
      l10n.t('No folder is open. Open the folder of {0} and try again.', plainText(name, 80)),
    );
    return undefined;
  }
  if (fitting.length === 1) return roots[0];
  const picked = await askPick({
    title,
    placeholder:
      fitting.length > 0
        ? l10n.t('Select the folder to change')
        : l10n.t('No open folder has the remote of {0}. Select the folder to change', plainText(name, 80)),
    items: [...all.values()].map((uri) => ({
      uri,
      label: uri.path.slice(uri.path.lastIndexOf('/') + 1),
      detail: uri.scheme === 'file' ? uri.fsPath : uri.toString(true),
    })),
  });
  return typeof picked === 'object' ? picked.uri : undefined;
}
