import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainText } from '../../../shared/plainText';
import { notAppliedWords } from '../model/notApplied';
import type { FileOutcome } from '../model/outcome';
import type { ApplyPlan } from '../model/planning';
import type { AppliedChanges } from './folder/apply';
import { appliedFiles } from './folder/undo';
import type { KeptUndo } from './keptUndo';
import { shortList } from './shortList';
import { undoRecord } from './undoApply';

interface Needs {
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
  appliedChanges: KeptUndo;
}

/** What isn’t as planned, in words. */
const leftWords: Readonly<Record<Exclude<FileOutcome, 'done' | 'skipped'>, () => string>> = {
  differs: () =>
    l10n.t('The file differs from the agent’s: the editor or another program changed it while saving.'),
  failed: () => l10n.t('The editor couldn’t apply this change.'),
  changed: () => l10n.t('It was changed here after it was compared. Apply again.'),
  partial: () => l10n.t('The file may be missing or incomplete. “Undo” restores it.'),
  open: () =>
    l10n.t('The editor can’t keep its encoding or line ends while it’s open. Close it and apply again.'),
  withoutMode: () => l10n.t('Its content is applied, but its executable bit can’t be set here.'),
};

/** Says what became of changes, and offers to undo them. */
export async function tellApplied(
  { showDocument, appliedChanges }: Needs,
  folder: vscode.Uri,
  { refused, same: unchanged }: ApplyPlan,
  { results, lasting, blocking }: AppliedChanges,
): Promise<void> {
  const those = (...outcomes: FileOutcome[]) =>
    [...results].flatMap(([change, outcome]) => (outcomes.includes(outcome) ? [change] : []));
  const done = those('done', 'withoutMode');
  // The editor’s preview doesn’t show modes.
  const modes = those('done');
  const executable = modes.filter((change) => change.executable === true && change.wasExecutable !== true);
  const plain = modes.filter((change) => change.executable === false && change.wasExecutable === true);
  const conflicts = done.filter((change) => change.conflicts > 0);
  const blocked =
    blocking.length > 0 &&
    those('failed').length > 0 &&
    l10n.t('The editor changed nothing, because of changes here: {0}. Apply again.', shortList(blocking));
  const left = [
    ...refused.map(({ path, why }) => ({ path, why: notAppliedWords[why]() })),
    ...[...results].flatMap(([{ path }, outcome]) =>
      outcome === 'done' || outcome === 'skipped'
        ? []
        : [{ path, why: (outcome === 'failed' && blocked) || leftWords[outcome]() }],
    ),
  ];
  const files = await appliedFiles(folder, { results });
  // On a full disk nothing can be kept for undo, but the message still appears.
  const keep = () => appliedChanges.keep({ folder, files }).catch(() => undefined);
  const record = files.length > 0 ? await keep() : undefined;
  const details = l10n.t('Show Details');
  const undo = l10n.t('Undo');
  const open = l10n.t('Open Conflicts');
  const words = [
    done.length === 0 && unchanged > 0 && left.length === 0
      ? l10n.t('Your folder already has these changes.')
      : done.length === 1
        ? l10n.t('1 file changed.')
        : l10n.t('{0} files changed.', done.length),
    conflicts.length > 0 &&
      l10n.t('Conflicts are marked in {0}.', shortList(conflicts.map(({ path }) => path))),
    executable.length > 0 && l10n.t('Made executable: {0}.', shortList(executable.map(({ path }) => path))),
    plain.length > 0 && l10n.t('No longer executable: {0}.', shortList(plain.map(({ path }) => path))),
    left.length > 0 && l10n.t('Not applied as they are: {0}.', shortList(left.map(({ path }) => path))),
    blocked,
    record &&
      (lasting.length > 0 || done.some(({ executable }) => executable !== null)) &&
      l10n.t('The editor’s own undo doesn’t restore all of it. “Undo” here does.'),
  ].filter((part) => typeof part === 'string');
  const show =
    conflicts.length + left.length > 0
      ? vscode.window.showWarningMessage
      : vscode.window.showInformationMessage;
  const picked = await show(
    words.join(' '),
    ...(conflicts.length > 0 ? [open] : []),
    ...(left.length > 0 ? [details] : []),
    ...(record ? [undo] : []),
  );
  if (record && picked === undo) await undoRecord({ appliedChanges }, record);
  if (picked === open)
    for (const { path } of conflicts.slice(0, 10))
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path), { preview: false });
  if (picked === details) {
    const lines = left.map(({ path, why }) => `${plainText(path, 1_000)}\n    ${why}`);
    await showDocument(l10n.t('Changes That Weren’t Applied'), `${lines.join('\n')}\n`, 'txt');
  }
}
