import * as vscode from 'vscode';
import { changesScheme } from '../../../ids';
import { addressOf, type ChangeOrigin, type ChangePlace } from '../../../state/changes/changePlace';
import type { ChangedFile } from '../../../state/changes/model';

/** Opens files in the editor for changes of several files; their contents are read when they come into view. */
export async function openChanges(
  title: string,
  origin: ChangeOrigin,
  files: readonly ChangedFile[],
): Promise<void> {
  const resources = files.map((file) => {
    const [before, after] = (['before', 'after'] as const).map((side) => uriOf(origin, file, side));
    return [after ?? before, before, after];
  });
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function uriOf(origin: ChangeOrigin, file: ChangedFile, side: ChangePlace['side']): vscode.Uri | undefined {
  const address = addressOf(origin, file, side);
  return address && vscode.Uri.from({ scheme: changesScheme, ...address });
}
