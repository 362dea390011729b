import type { ConfiguredConnections } from '../../../../editor/connectionEntries';
import type { Handler } from '../../../../editor/handler';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SandboxWorkspace } from '../../../../api/agent/workspace';
import { askPick } from '../../../../editor/inputs';
import { type SandboxPlace, quoted } from '../../../sandboxChanges';
import { isSameFolder } from '../../../../core/sameFolder';
import { type LiveNeeds, titleOf } from '../../../live/editor';
import { conversationFor } from '../conversationFor';
import { folderOf } from './chooseFolder';
import { tellFailed } from '../../../targets/editor';

type Needs = LiveNeeds & { listConnections: () => ConfiguredConnections };

/** Open Folder of the Sandbox: the folder that an agent works in, in the Explorer. */
export function openFolder(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Open Folder of the Sandbox');
    try {
      const live = await conversationFor(needs, argument, title);
      const uri = live && (await folderOf(needs, live, realFolder));
      if (uri) await open(uri, title, titleOf(live.model));
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t open the sandbox’s folder.'), error);
    }
  };
}

/** The folder itself where it’s on this computer. */
const realFolder = async (place: SandboxPlace) =>
  (await isHere(place)) ? vscode.Uri.file(place.workingDir) : undefined;

/** Whether the folder is on this computer: what the sandbox writes there can be read here. */
async function isHere({ workspace, workingDir }: SandboxPlace): Promise<boolean> {
  const here = await stat(workingDir).catch(() => undefined);
  return here?.isDirectory() === true && isSameFolder(serverOf(workspace, workingDir), workingDir);
}

function serverOf(workspace: SandboxWorkspace, cwd: string): Parameters<typeof isSameFolder>[0] {
  return {
    listFolders: async (path) => {
      const { exitCode } = await workspace.execute({ command: `[ -d ${quoted(path)} ]`, cwd });
      return exitCode === 0 ? [] : undefined;
    },
    writeFile: (path, content, signal) => workspace.upload(path, content, signal),
    removeFile: async (folder, name) => {
      await workspace.execute({ command: `rm -f ${quoted(posix.join(folder, name))}`, cwd });
    },
  };
}

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
