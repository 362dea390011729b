import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfiguredConnections } from '../../../../editor/connectionEntries';
import type { Handler } from '../../../../editor/handler';
import { askPick } from '../../../../editor/inputs';
import { type LiveNeeds, titleOf } from '../../../live/editor';
import type { SandboxPlace } from '../../../sandboxChanges';
import { tellFailed } from '../../../targets/editor';
import { isThisComputer } from '../../model/here';
import { conversationFor } from '../conversationFor';
import { folderOf } from './chooseFolder';

type Needs = LiveNeeds & { listConnections: () => ConfiguredConnections };

/** Open Agent’s Folder…: shows the folder that an agent works in, in the Explorer. */
export function openFolder(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Open Agent’s Folder');
    try {
      const live = await conversationFor(needs, argument, title);
      const uri = live && (await folderOf(needs, live, realFolder));
      if (uri) await open(uri, title, titleOf(live.model));
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t open the sandbox’s folder.'), error);
    }
  };
}

/** The folder itself, if it’s on this computer. */
const realFolder = async (place: SandboxPlace) =>
  (await isThisComputer(place)) ? vscode.Uri.file(place.workingDir) : undefined;

async function open(uri: vscode.Uri, title: string, name: string): Promise<void> {
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select where to open it'),
    items: [
      { isNew: false, label: l10n.t('Add to This Window') },
      { isNew: true, label: l10n.t('Open in New Window') },
    ],
  });
  if (typeof picked !== 'object') return;
  if (picked.isNew) await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  else
    vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri, name });
}
