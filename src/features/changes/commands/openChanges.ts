import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import { changesScheme } from '../../../ids';
import type { ChangedFile } from '../../sandboxChanges';
import { addressOf, addressOfList, type ChangeOrigin, type ChangePlace } from '../../targets';

/** Files of one repository. */
export interface ShownFiles {
  origin: ChangeOrigin;
  files: readonly ChangedFile[];
  /** Name of the repository; precedes the names of files if there are several. */
  folder?: string;
}

/** Opens files of a conversation in the multi-file diff editor; their contents are read when they scroll into view. */
export async function openChanges(
  title: string,
  conversation: ConversationAt,
  shown: readonly ShownFiles[],
): Promise<void> {
  const files = shown.flatMap(({ origin, files, folder }) =>
    files.map((file) => {
      const [originalUri, modifiedUri] = (['before', 'after'] as const).map((side) =>
        uriOf(origin, file, side, folder),
      );
      return { originalUri, modifiedUri };
    }),
  );
  const list = addressOfList(conversation, title, randomUUID());
  const multiDiffSourceUri = vscode.Uri.from({ scheme: changesScheme, ...list });
  // What the editor's public command opens has no address of its own, so its title bar can't have our buttons.
  await vscode.commands
    .executeCommand('_workbench.openMultiDiffEditor', { title, multiDiffSourceUri, resources: files })
    .then(undefined, () => {
      const resources = files.map((one) => [
        one.modifiedUri ?? one.originalUri,
        one.originalUri,
        one.modifiedUri,
      ]);
      return vscode.commands.executeCommand('vscode.changes', title, resources);
    });
}

/** The address of a side of a file; undefined for a side that isn’t there. */
export function uriOf(
  origin: ChangeOrigin,
  file: ChangedFile,
  side: ChangePlace['side'],
  folder: string | undefined,
): vscode.Uri | undefined {
  const address = addressOf(origin, file, side, folder);
  return address && vscode.Uri.from({ scheme: changesScheme, ...address });
}
