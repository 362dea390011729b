import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { isSameFolder } from '../../../core/sameFolder';
import type { SessionStore } from '../../../core/session/session';
import { askServerFolder } from '../../../editor/asking/askServerFolder';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { showError, unlessCanceled } from '../../../editor/progress';
import { lastPart } from '../../../shared/lastPart';
import { plainText } from '../../../shared/plainText';
import { serverOf } from '../../targets/editor';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
}

/** Add Workspace…: saves a folder in the server’s list. */
export function addWorkspace(needs: Needs): Handler {
  return async () => {
    const server = serverOf(needs);
    if (!server) return;
    const title = l10n.t('Add Workspace');
    try {
      const home = await server.homeFolder().catch(() => '/');
      const ifMissing = l10n.t('created by the first conversation if it’s missing');
      const places = { open: [], saved: [], home };
      const folder = await askServerFolder(server, places, undefined, { title, ifMissing });
      if (typeof folder !== 'string') return;
      const name = lastPart(folder);
      await server.addWorkspace({ name, path: folder });
      await needs.model.refresh('workspaces');
    } catch (error) {
      await showError(l10n.t('Couldn’t add the workspace.'), error);
    }
  };
}

/** Remove from List: the folder and its conversations stay. */
export function removeWorkspace(needs: Needs): Handler {
  return async (argument) => {
    const server = serverOf(needs);
    const folder = server && (await folderOf(needs, argument, l10n.t('Remove Workspace from List'), 'saved'));
    if (folder === undefined) return;
    try {
      await server?.removeWorkspace(folder);
      await needs.model.refresh('workspaces');
    } catch (error) {
      await showError(l10n.t('Couldn’t remove the workspace from the list.'), error);
    }
  };
}

/** Open Folder: opens the folder itself, if the server works on this computer’s files. */
export function openWorkspace(needs: Needs): Handler {
  return async (argument) => {
    const server = serverOf(needs);
    const folder = server && (await folderOf(needs, argument, l10n.t('Open Folder of Workspace'), 'all'));
    if (!server || folder === undefined) return;
    const title = l10n.t('Looking for the folder on this computer…');
    const isHere = await unlessCanceled(title, async (_report, signal) => {
      const isSame = await isSameFolder(server, folder);
      signal.throwIfAborted();
      return isSame;
    });
    if (isHere === undefined) return;
    if (isHere) await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder));
    else
      void vscode.window.showInformationMessage(
        l10n.t(
          '“{0}” isn’t on this computer, or can’t be written there, so it can’t be opened as a folder. Show Changes on one of its conversations shows what its agent changed.',
          plainText(lastPart(folder), 80),
        ),
      );
  };
}

/** The folder of a row, else one that the user selects. */
async function folderOf(
  { model }: Needs,
  argument: unknown,
  title: string,
  which: 'saved' | 'all',
): Promise<string | undefined> {
  const ref = refOf(argument);
  if (ref?.kind === 'workspace') return ref.path;
  if (!model.workspaces.state.loaded) await model.refresh('workspaces', 'conversations');
  const saved = model.workspaces.state.items.map((one) => one.path);
  const used = model.conversations.state.items.flatMap(({ folder }) => folder ?? []);
  const paths = [...new Set(which === 'saved' ? saved : [...saved, ...used])];
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select a folder'),
    items: paths.map((one) => ({
      label: plainText(lastPart(one), 120),
      description: plainText(one, 300),
      iconPath: new vscode.ThemeIcon('folder'),
      path: one,
    })),
  });
  return typeof picked === 'object' ? picked.path : undefined;
}
