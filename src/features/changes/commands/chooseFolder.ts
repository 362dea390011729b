import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openRepositories, tellGitElsewhere } from '../../../editor/git';
import { askPick } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import type { ChangedRepository } from '../../sandboxChanges';
import { hasRemote } from '../../../core/gitRemote';
import { filesScheme } from '../../../ids';

/** The open folder of the same repository, found by its remote; asks if none or several fit. */
export async function chooseFolder(
  { remote, name }: Pick<ChangedRepository, 'remote' | 'name'>,
  title: string,
): Promise<vscode.Uri | undefined> {
  const repositories = await openRepositories(vscode.window.activeTextEditor?.document.uri);
  const fitting = repositories.filter((repository) => remote !== null && hasRemote(repository, remote));
  const roots = (fitting.length > 0 ? fitting : repositories).map(({ root }) => vscode.Uri.parse(root));
  // A folder in a sandbox, which may even be the agent's own, isn't where changes come home to.
  const others = (fitting.length > 0 ? [] : (vscode.workspace.workspaceFolders ?? []))
    .map(({ uri }) => uri)
    .filter(({ scheme }) => scheme !== filesScheme);
  const all = new Map([...roots, ...others].map((uri) => [uri.toString(), uri]));
  if (all.size === 0) {
    if (tellGitElsewhere()) return undefined;
    const open = l10n.t('Open Folder…');
    const picked = await vscode.window.showInformationMessage(
      l10n.t('No folder is open. Open the folder of {0} and try again.', plainText(name, 80)),
      open,
    );
    if (picked === open) await openFolder();
    return undefined;
  }
  if (fitting.length === 1) return roots[0];
  const isForeign = fitting.length === 0;
  const folders = [...all.values()].map((uri) => ({
    uri,
    label: nameOf(uri),
    detail: uri.scheme === 'file' ? uri.fsPath : uri.toString(true),
  }));
  // First, because Enter takes the first: no other repository is changed without selecting it.
  const open = {
    uri: undefined,
    label: l10n.t('Open Folder…'),
    iconPath: new vscode.ThemeIcon('folder-opened'),
  };
  const picked = await askPick<(typeof folders)[number] | typeof open>({
    title: isForeign ? l10n.t('{0}: {1} Isn’t Open Here', title, plainText(name, 80)) : title,
    placeholder: isForeign
      ? l10n.t('Open the folder of {0}, or select another one to change', plainText(name, 80))
      : l10n.t('Select the folder to change'),
    items: isForeign ? [open, ...folders] : folders,
  });
  if (typeof picked !== 'object') return undefined;
  if (!picked.uri) await openFolder();
  return picked.uri;
}

/** As the Explorer names it. */
function nameOf(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const isWhole = folder?.uri.toString() === uri.toString();
  return isWhole ? folder.name : uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

const openFolder = () => vscode.commands.executeCommand('vscode.openFolder');
