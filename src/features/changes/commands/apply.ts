import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { gitProgram } from '../../../editor/git';
import type { Handler } from '../../../editor/handler';
import { confirmed, listed } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import { chooseLive, workOn } from '../../live/editor';
import type { ReadChanges } from '../../sandboxChanges';
import type { PlannedChange } from '../model/plan';
import { planChanges } from '../model/planning';
import { mayBeMissing, readChanges } from '../model/readChanges';
import { sameBytes } from '../model/same';
import { chooseFolder } from './chooseFolder';
import { chooseRepository } from './chooseRepository';
import { applyToFolder } from './folder/apply';
import { checkOutWith } from './folder/checkedOut';
import { FolderReader } from './folder/reader';
import { incompleteWords, nothingWords } from './incompleteWords';
import { type ChangesNeeds, tellFailure } from './needs';
import { tellApplied } from './tellApplied';

type Needs = ChangesNeeds & {
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
};

/** Apply Changes…: brings what an agent changed into the open folder of the same repository. */
export function apply(needs: Needs): Handler {
  return async (argument) => {
    await (
      await applyChanges(needs, argument)
    )?.told;
  };
}

/**
 * Resolves once the changes are in the folder, or if they already were; `told` when the user has read that. Undefined
 * if they aren’t there.
 */
export async function applyChanges(
  needs: Needs,
  argument: unknown,
): Promise<{ told: Promise<void> } | undefined> {
  const title = l10n.t('Apply Changes');
  const live = await chooseLive(needs, argument, { title });
  if (!live) return undefined;
  const { model, repository: own } = live;
  try {
    const all = await workOn(model, l10n.t('Reading changes…'), (signal) => readChanges(model, signal));
    if (!all) return undefined;
    const { repositories, limit } = all;
    if (repositories.length === 0) {
      if (mayBeMissing(all)) void vscode.window.showWarningMessage(incompleteWords(limit, all.unread));
      else void vscode.window.showInformationMessage(nothingWords(all.branches));
      return undefined;
    }
    const read = await chooseRepository(repositories, { title, own });
    if (!read) return undefined;
    const { name, remote } = read.changes.repository;
    const folder = await chooseFolder({ name, remote: remote ?? own ?? null }, title);
    const isComplete = limit === undefined && read.changes.complete;
    const doubts = isComplete ? [] : [incompleteWords(limit, all.unread)];
    if (model.head.execution === 'running')
      doubts.push(l10n.t('The agent is still working, and may change more.'));
    return folder && (await applyRead(needs, read, folder, doubts.join('\n\n')));
  } catch (error) {
    await tellFailure(error);
    return undefined;
  }
}

async function applyRead(
  needs: Needs,
  { source, changes }: ReadChanges,
  folder: vscode.Uri,
  doubt: string,
): Promise<{ told: Promise<void> } | undefined> {
  if (doubt !== '' && !(await confirmed(l10n.t('Apply incomplete changes?'), doubt, l10n.t('Apply'))))
    return undefined;
  const program = folder.scheme === 'file' ? await gitProgram() : undefined;
  const checkOut = program === undefined ? undefined : checkOutWith(program, folder.fsPath);
  const plan = await unlessCanceled(l10n.t('Comparing with your folder…'), (report, signal) => {
    const content = source.content.bind(source);
    const tell = (done: number, of: number) => report(l10n.t('{0} of {1} files', done, of));
    return planChanges(changes, content, new FolderReader(folder, checkOut), tell, signal);
  });
  if (!plan) return undefined;
  if (plan.changes.length > 0 && !(await confirmedModes(plan.changes))) return undefined;
  const applied = await applyToFolder(folder, plan.changes);
  if (!applied) return undefined;
  const told = tellApplied(needs, folder, plan, applied).catch(tellFailure);
  const outcomes = [...applied.results.values()];
  const isThere =
    outcomes.some((one) => one === 'done' || one === 'withoutMode') ||
    (outcomes.length === 0 && plan.same > 0);
  if (isThere) return { told };
  await told;
  return undefined;
}

/** The editor’s preview can’t show modes, so this asks about changes that consist only of modes. */
async function confirmedModes(changes: readonly PlannedChange[]): Promise<boolean> {
  if (changes.some(({ path, from, before, after }) => from !== path || !sameBytes(before, after)))
    return true;
  const names = changes.map(({ path, executable }) =>
    executable === true
      ? l10n.t('{0} (executable)', plainText(path, 200))
      : l10n.t('{0} (not executable)', plainText(path, 200)),
  );
  return confirmed(l10n.t('Change file modes?'), listed(names), l10n.t('Apply'));
}
