import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick } from '../../../platform/inputs';
import { withProgress } from '../../../platform/progress';
import { plainText } from '../../../shared/plainText';
import type { Limit } from '../../../shared/transcript';
import type { ChangedFile, ChangeSet } from '../../../state/changes/model';
import type { ConversationModel } from '../../../state/transcript/model';
import type { Handler } from '../../dependencies';
import { chooseLive } from '../live/choose';
import { type ChangesNeeds, tellFailure } from './needs';
import { openChanges } from './openChanges';
import {
  type AllChanges,
  readChanges,
  type ReadChanges,
  resumeAndRead,
} from '../../../state/changes/readChanges';

/** Show Changes: everything that an agent’s repository has against its base, in the editor for changes. */
export function show(needs: ChangesNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Show Changes');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const { model } = live;
    await showRead(needs, model, (_report, signal) => readChanges(model, signal));
  };
}

/** Show Changes of This Step: what one edit of the agent did. */
export function showStep({ conversations, shownChanges }: ChangesNeeds): Handler {
  return async (argument) => {
    const { conversation, entry } = (argument ?? {}) as { conversation?: unknown; entry?: unknown };
    const model = typeof conversation === 'string' ? conversations.model(conversation) : undefined;
    if (!model || typeof entry !== 'string') return;
    const source = model.changes.ofStep(entry);
    const { repository, files } = await source.list();
    if (files.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('The transcript has no file changes for this step.'),
      );
      return;
    }
    const origin = { conversation: model.id, from: { step: entry }, root: repository.root };
    shownChanges.add(origin, source);
    await openChanges(l10n.t('Step: {0}', titleOf(model)), origin, files);
  };
}

type Read = (report: (message: string) => void, signal: AbortSignal) => Promise<AllChanges | undefined>;

async function showRead(needs: ChangesNeeds, model: ConversationModel, read: Read): Promise<void> {
  let canceled: AbortSignal | undefined;
  try {
    const all = await withProgress(l10n.t('Reading changes…'), (report, signal) =>
      read(report, (canceled = signal)),
    );
    if (!all) return;
    const { limit, repositories } = all;
    if (repositories.length === 0 && limit === undefined) {
      void vscode.window.showInformationMessage(l10n.t('The agent hasn’t changed any files.'));
      return;
    }
    const chosen =
      repositories.length > 1
        ? await chooseRepository(repositories, l10n.t('Show Changes'))
        : repositories[0];
    if (chosen) await open(needs, model, chosen, limit);
    if (limit !== undefined) await tellLimit(needs, model, limit);
  } catch (error) {
    if (canceled?.aborted !== true) await tellFailure(error);
  }
}

/** Lets the user select one of several repositories. */
export async function chooseRepository(
  repositories: readonly ReadChanges[],
  title: string,
): Promise<ReadChanges | undefined> {
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select a repository'),
    items: repositories.map((read) => ({
      read,
      label: plainText(read.changes.repository.name, 80),
      description: fileCount(read.changes.files.length),
      detail: plainText(read.changes.repository.root, 200),
    })),
  });
  return typeof picked === 'object' ? picked.read : undefined;
}

async function open(
  { seenChanges, shownChanges }: ChangesNeeds,
  model: ConversationModel,
  { source, changes }: ReadChanges,
  limit: Limit | undefined,
): Promise<void> {
  const isWhole = limit === undefined;
  const files = isWhole ? await chooseFiles(changes, seenChanges.since(model.id, changes)) : changes.files;
  if (!files) return;
  const origin = {
    conversation: model.id,
    from: isWhole ? ('sandbox' as const) : ('events' as const),
    root: changes.repository.root,
  };
  shownChanges.add(origin, source);
  const title = titleOf(model);
  await openChanges(
    changes.complete ? l10n.t('Changes: {0}', title) : l10n.t('Changes (may be incomplete): {0}', title),
    origin,
    files,
  );
  if (!isWhole) return;
  seenChanges.remember(model.id, changes);
  if (!changes.complete)
    void vscode.window.showWarningMessage(
      l10n.t('Git couldn’t read some files in the sandbox. They’re missing from the changes.'),
    );
}

/** All files, or those that have changed since one last looked, if both are something else. */
async function chooseFiles(
  { files }: ChangeSet,
  since: ChangedFile[] | undefined,
): Promise<readonly ChangedFile[] | undefined> {
  if (!since || since.length === 0 || since.length === files.length) return files;
  const picked = await askPick({
    title: l10n.t('Show Changes'),
    placeholder: l10n.t('Some files changed since you last looked'),
    items: [
      { files, label: l10n.t('All Changes'), description: fileCount(files.length) },
      { files: since, label: l10n.t('Since You Last Looked'), description: fileCount(since.length) },
    ],
  });
  return typeof picked === 'object' ? picked.files : undefined;
}

async function tellLimit(needs: ChangesNeeds, model: ConversationModel, limit: Limit): Promise<void> {
  const incomplete = l10n.t(
    'These changes come from the transcript: files that commands changed are missing, because the sandbox can’t be reached.',
  );
  if (limit !== 'asleep') {
    void vscode.window.showWarningMessage(incomplete);
    return;
  }
  const resume = l10n.t('Resume and Show All');
  const asleep = l10n.t(
    'These changes come from the transcript: files that commands changed are missing, because the sandbox is paused.',
  );
  if ((await vscode.window.showWarningMessage(asleep, resume)) !== resume) return;
  await showRead(needs, model, (report, signal) =>
    resumeAndRead(model, signal, () => report(l10n.t('Resuming the sandbox…'))),
  );
}

const titleOf = ({ head }: ConversationModel) => plainText(head.title, 80) || l10n.t('Conversation');

const fileCount = (count: number) => (count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count));
