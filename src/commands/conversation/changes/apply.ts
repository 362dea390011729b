import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Applied, type AppliedChanges, applyToFolder } from './folder/apply';
import { FolderReader } from './folder/reader';
import { confirmed, listed } from '../../../platform/inputs';
import { withProgress } from '../../../platform/progress';
import { plainText } from '../../../shared/plainText';
import { same, type FileChange } from '../../../state/changes/plan';
import { type ApplyPlan, planChanges } from '../../../state/changes/planning';
import { readChanges, type ReadChanges } from '../../../state/changes/readChanges';
import { notAppliedWords } from '../../../state/changes/words';
import { onceRead } from '../../../state/transcript/onceRead';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseLive } from '../live/choose';
import { chooseFolder } from './chooseFolder';
import { type ChangesNeeds, tellFailure } from './needs';
import { chooseRepository } from './show';

type Needs = ChangesNeeds & Pick<CommandDependencies, 'showDocument'>;

/** Apply Changes…: brings what an agent changed into the open folder of the same repository. */
export function apply(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Apply Changes');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const { model, conversation } = live;
    try {
      const all = await withProgress(l10n.t('Reading changes…'), (_report, signal) =>
        onceRead(model, signal, () => readChanges(model, signal)),
      );
      if (!all) return;
      const { repositories, limit } = all;
      if (repositories.length === 0) {
        void vscode.window.showInformationMessage(l10n.t('The agent hasn’t changed any files.'));
        return;
      }
      const read = repositories.length > 1 ? await chooseRepository(repositories, title) : repositories[0];
      const folder =
        read &&
        (await chooseFolder(
          {
            ...read.changes.repository,
            remote: read.changes.repository.remote ?? conversation.selected_repository ?? null,
          },
          title,
        ));
      if (!read || !folder) return;
      await applyRead(needs, read, folder, limit === undefined && read.changes.complete);
    } catch (error) {
      await tellFailure(error);
    }
  };
}

async function applyRead(
  needs: Needs,
  { source, changes }: ReadChanges,
  folder: vscode.Uri,
  isComplete: boolean,
): Promise<void> {
  const plan = await withProgress(l10n.t('Comparing with your folder…'), (report, signal) => {
    const content = source.content.bind(source);
    const tell = (done: number, of: number) => report(l10n.t('{0} of {1} files', done, of));
    return planChanges(changes, content, new FolderReader(folder), tell, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  });
  if (!plan) return;
  if (!isComplete && !(await confirmedIncomplete())) return;
  if (plan.changes.length > 0 && !(await confirmedModes(plan.changes))) return;
  const nothing = { results: new Map<FileChange, Applied>(), lasting: [] };
  const applied = plan.changes.length === 0 ? nothing : await applyToFolder(folder, plan.changes);
  if (applied) await tellResults(needs, folder, plan, applied);
}

function confirmedIncomplete(): Promise<boolean> {
  return confirmed(
    l10n.t('Apply incomplete changes?'),
    l10n.t('Not all of the agent’s changes could be read. Files that commands changed may be missing.'),
    l10n.t('Apply'),
  );
}

/** The editor’s preview can’t show modes, so changes of nothing else are asked for here. */
async function confirmedModes(changes: readonly FileChange[]): Promise<boolean> {
  if (changes.some(({ path, from, before, after }) => from !== path || !same(before, after))) return true;
  const names = changes.map(({ path, executable }) =>
    executable === true
      ? l10n.t('{0} (executable)', plainText(path, 200))
      : l10n.t('{0} (not executable)', plainText(path, 200)),
  );
  return confirmed(l10n.t('Change file modes?'), listed(names), l10n.t('Apply'));
}

/** What isn’t as planned, in words. */
const leftWords: Readonly<Record<Exclude<Applied, 'done' | 'skipped'>, () => string>> = {
  differs: () =>
    l10n.t('The file differs from the agent’s: the editor or another program changed it while saving.'),
  open: () =>
    l10n.t('The editor can’t keep its encoding or line ends while it’s open. Close it and apply again.'),
  withoutMode: () => l10n.t('Its content is applied, but its executable bit can’t be set here.'),
};

async function tellResults(
  { showDocument }: Pick<Needs, 'showDocument'>,
  folder: vscode.Uri,
  { refused, same: unchanged }: ApplyPlan,
  { results, lasting }: AppliedChanges,
): Promise<void> {
  const is = (...outcomes: Applied[]) => [...results].filter(([, outcome]) => outcomes.includes(outcome));
  const done = is('done', 'withoutMode').map(([change]) => change);
  const conflicts = done.filter((change) => change.conflicts > 0);
  const left = [
    ...refused.map(({ path, why }) => ({ path, why: notAppliedWords[why]() })),
    ...[...results].flatMap(([{ path }, outcome]) =>
      outcome === 'done' || outcome === 'skipped' ? [] : [{ path, why: leftWords[outcome]() }],
    ),
  ];
  const details = l10n.t('Show Details');
  const open = l10n.t('Open Conflicts');
  const words = [
    done.length === 0 && unchanged > 0 && left.length === 0
      ? l10n.t('Your folder already has these changes.')
      : done.length === 1
        ? l10n.t('1 file changed.')
        : l10n.t('{0} files changed.', done.length),
    conflicts.length > 0 &&
      l10n.t('Conflicts are marked in {0}.', shortList(conflicts.map(({ path }) => path))),
    left.length > 0 && l10n.t('Not applied as they are: {0}.', shortList(left.map(({ path }) => path))),
    lasting.length > 0 && l10n.t('Undo doesn’t restore {0}.', shortList(lasting)),
    done.some(({ executable }) => executable !== null) && l10n.t('Undo doesn’t restore file modes.'),
  ].filter((part) => typeof part === 'string');
  const show =
    conflicts.length + left.length > 0
      ? vscode.window.showWarningMessage
      : vscode.window.showInformationMessage;
  const picked = await show(
    words.join(' '),
    ...(conflicts.length > 0 ? [open] : []),
    ...(left.length > 0 ? [details] : []),
  );
  if (picked === open)
    for (const { path } of conflicts.slice(0, 10))
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path), { preview: false });
  if (picked === details) {
    const lines = left.map(({ path, why }) => `${plainText(path, 1_000)}\n    ${why}`);
    await showDocument(l10n.t('Changes That Weren’t Applied'), `${lines.join('\n')}\n`, 'txt');
  }
}

/** The first few paths, and how many there are besides. */
function shortList(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => plainText(path, 80));
  return paths.length > 3
    ? l10n.t('{0}, and {1} more', shown.join(', '), paths.length - 3)
    : shown.join(', ');
}
