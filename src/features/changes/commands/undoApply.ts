import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { confirmed, listed } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import { undoInFolder } from './folder/undo';
import type { UndoRecord, KeptUndo } from './keptUndo';
import { shortList } from './shortList';

interface Needs {
  appliedChanges: KeptUndo;
}

/** Undo Apply Changes: restores the files that changes were last applied to, after asking. */
export function undoApply(needs: Needs): Handler {
  return async () => {
    const record = await needs.appliedChanges.read();
    if (!record) {
      void vscode.window.showInformationMessage(l10n.t('There are no applied changes to undo.'));
      return;
    }
    const isAgreed = await confirmed(
      l10n.t('Undo the changes that were last applied?'),
      [
        l10n.t('Folder: {0}', plainText(record.folder.fsPath, 200)),
        listed(record.files.map(({ path }) => plainText(path, 200))),
        ...(record.isWhole
          ? []
          : [l10n.t('Other files can’t be restored because their previous contents can’t be read.')]),
        l10n.t('Files that have changed since are left alone.'),
      ].join('\n\n'),
      l10n.t('Undo'),
    );
    if (isAgreed) await undoRecord(needs, record);
  };
}

/** Restores the files, and says which were left alone. */
export async function undoRecord(
  { appliedChanges }: Needs,
  { name, folder, files }: UndoRecord,
): Promise<void> {
  const left = await unlessCanceled(l10n.t('Undoing…'), (_report, signal) =>
    undoInFolder(folder, files, signal),
  );
  if (!left) {
    void vscode.window.showInformationMessage(
      l10n.t('Some files aren’t restored yet. Run Undo Apply Changes to continue.'),
    );
    return;
  }
  if (left.length === 0) {
    await appliedChanges.remove(name);
    void vscode.window.showInformationMessage(l10n.t('Your files are as they were before.'));
    return;
  }
  void vscode.window.showWarningMessage(
    l10n.t(
      'Not restored, because they have changed since or can’t be written: {0}. The other files are as they were before.',
      shortList(left),
    ),
  );
}
