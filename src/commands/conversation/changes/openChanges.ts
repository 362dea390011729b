import * as vscode from 'vscode';
import { changesScheme } from '../../../ids';
import { addressOf, type ChangeOrigin, type ChangePlace } from '../../../state/changes/changePlace';
import type { ChangedFile } from '../../../state/changes/changeSet';

/** Files of one repository. */
export interface ShownFiles {
  origin: ChangeOrigin;
  files: readonly ChangedFile[];
  /** Of the repository; stands before the names of files if there are several. */
  folder?: string;
}

/** Opens files in the editor for changes of several files; their contents are read when they come into view. */
export async function openChanges(title: string, shown: readonly ShownFiles[]): Promise<void> {
  const resources = shown.flatMap(({ origin, files, folder }) =>
    files.map((file) => {
      const [before, after] = (['before', 'after'] as const).map((side) => uriOf(origin, file, side, folder));
      return [after ?? before, before, after];
    }),
  );
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function uriOf(
  origin: ChangeOrigin,
  file: ChangedFile,
  side: ChangePlace['side'],
  folder: string | undefined,
): vscode.Uri | undefined {
  const address = addressOf(origin, file, side, folder);
  return address && vscode.Uri.from({ scheme: changesScheme, ...address });
}
