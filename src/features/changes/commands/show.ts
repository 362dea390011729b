import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import type { Limit } from '../../../shared/transcript';
import { chooseLive, type Live, titleOf } from '../../live/editor';
import type { Basis, ChangedFile, ReadChanges } from '../../sandboxChanges';
import { ownRepositories } from '../model/ownRepositories';
import { type AllChanges, mayBeMissing, readChanges, resumeAndRead } from '../model/readChanges';
import { chooseAmong, chooseRepositories, fileCount } from './chooseRepository';
import { incompleteWords, nothingWords } from './incompleteWords';
import { type ChangesNeeds, tellFailure } from './needs';
import { openChanges, type ShownFiles } from './openChanges';
import { shortList } from './shortList';

/** Show Changes: everything in an agent’s repository that differs from its base, in the editor for changes. */
export function showChanges(needs: ChangesNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Show Changes');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    await showRead(needs, live, (_report, signal) => readChanges(live.model, signal));
  };
}

/** Show Changes of This Step: what one edit of the agent did. */
export function showStep({ conversations, shownChanges }: ChangesNeeds): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    const { entry } = (argument ?? {}) as { entry?: unknown };
    if (ref?.kind !== 'conversation' || typeof entry !== 'string') return;
    const service = ref.service ?? conversations.service;
    const model = conversations.model(ref.id, service);
    if (!model) return;
    try {
      await openStep(shownChanges, { model, service }, entry);
    } catch (error) {
      await tellFailure(error);
    }
  };
}

async function openStep(
  shownChanges: ChangesNeeds['shownChanges'],
  { model, service }: Pick<Live, 'model' | 'service'>,
  entry: string,
): Promise<void> {
  const source = await model.changes.ofStep(entry);
  const { repository, files } = await source.list();
  if (files.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('The transcript has no file changes for this step.'));
    return;
  }
  const { id } = model;
  const origin = { conversation: id, service, from: { step: entry }, root: repository.root };
  shownChanges.add(origin, source);
  await openChanges(l10n.t('Step: {0}', titleOf(model)), { id, service }, [{ origin, files }]);
}

type Read = (report: (message: string) => void, signal: AbortSignal) => Promise<AllChanges | undefined>;

async function showRead(needs: ChangesNeeds, live: Live, read: Read): Promise<void> {
  try {
    const all = await unlessCanceled(l10n.t('Reading changes…'), read);
    if (!all) return;
    const { limit, repositories } = all;
    if (repositories.length === 0 && limit === undefined) {
      if (mayBeMissing(all)) tellUnread(all.unread);
      else void vscode.window.showInformationMessage(nothingWords(all.branches));
      return;
    }
    const asking = { title: l10n.t('Show Changes'), own: live.repository };
    const isLive = limit === undefined;
    const showThese = async (chosen: readonly ReadChanges[] | undefined, isOne: boolean) => {
      if (!chosen || chosen.length === 0) return;
      const isShown = await open(needs, live, chosen, { isOne, isLive });
      if (isShown && isLive) tellDoubts(all, chosen);
    };
    const own = ownRepositories(repositories, live.repository);
    const others = own.length > 0 ? repositories.filter((one) => !own.includes(one)) : [];
    if (others.length > 0)
      void offerOthers(others).then(async (isAsked) => {
        if (isAsked) await showThese(await chooseAmong(others, asking), false).catch(tellFailure);
      });
    const chosen = await chooseRepositories(repositories, asking);
    await showThese(chosen, repositories.length - others.length === 1);
    if (limit !== undefined) await tellLimit(needs, live, limit);
  } catch (error) {
    await tellFailure(error);
  }
}

/**
 * @param isOne whether there is one repository only
 * @param isLive whether the changes come from the sandbox
 */
async function open(
  { seenChanges, shownChanges }: ChangesNeeds,
  { model, service }: Live,
  chosen: readonly ReadChanges[],
  { isOne, isLive }: { isOne: boolean; isLive: boolean },
): Promise<boolean> {
  const all = chosen.map(({ changes, source }): Listed => {
    const { root, name } = changes.repository;
    const from = isLive ? ('sandbox' as const) : ('events' as const);
    const origin = { conversation: model.id, service, from, root };
    shownChanges.add(origin, source);
    const since = isLive ? seenChanges.since(model.id, changes) : undefined;
    return { origin, files: changes.files, since, ...(!isOne && { folder: name }) };
  });
  const shown = await chooseFiles(all);
  if (!shown) return false;
  await openChanges(listTitle(chosen, titleOf(model)), { id: model.id, service }, shown);
  if (isLive) for (const { changes } of chosen) seenChanges.remember(model.id, changes);
  return true;
}

/** The tab’s title. What may be missing is said there, too: a notification goes away. */
function listTitle(chosen: readonly ReadChanges[], title: string): string {
  if (!chosen.every(({ changes }) => changes.complete))
    return l10n.t('Changes (may be incomplete): {0}', title);
  const isUnsure = chosen.some(({ changes }) => changes.repository.basis === 'unsure');
  return isUnsure ? l10n.t('Changes (uncommitted only): {0}', title) : l10n.t('Changes: {0}', title);
}

/**
 * Tells the user that there are changes in repositories that the conversation isn’t about; resolves to whether to show
 * them.
 */
async function offerOthers(others: readonly ReadChanges[]): Promise<boolean> {
  const show = l10n.t('Show');
  const names = others.map(({ changes }) => changes.repository.name);
  const words = l10n.t('Other repositories in the sandbox have changes, too: {0}.', shortList(names));
  return (await vscode.window.showInformationMessage(words, show)) === show;
}

/** Says what may be missing from changes that are shown, or isn’t the agent’s. */
function tellDoubts({ isWhole, unread }: AllChanges, chosen: readonly ReadChanges[]): void {
  if (!isWhole) tellUnread(unread);
  const of = (basis: Basis) =>
    chosen
      .filter(({ changes }) => changes.repository.basis === basis)
      .map(({ changes }) => changes.repository.name);
  const [byTime, unsure] = [of('time'), of('unsure')];
  if (unsure.length > 0)
    void vscode.window.showWarningMessage(
      l10n.t(
        'It isn’t known when the conversation began, and there’s no remote to compare with. Only uncommitted changes are shown: {0}.',
        shortList(unsure),
      ),
    );
  if (byTime.length > 0)
    void vscode.window.showInformationMessage(
      l10n.t(
        'Shown since the conversation began: {0}. A file that the agent changed may also have earlier changes that weren’t committed.',
        shortList(byTime),
      ),
    );
}

function tellUnread(unread: readonly string[]): void {
  void vscode.window.showWarningMessage(incompleteWords(undefined, unread));
}

interface Listed extends ShownFiles {
  /** Files that are new or different since the user last looked; undefined if they never did. */
  since: ChangedFile[] | undefined;
}

/** All files, or those that have changed since the user last looked; asks if there's a difference. */
async function chooseFiles(all: readonly Listed[]): Promise<readonly ShownFiles[] | undefined> {
  const recent = all.map((one) => ({ ...one, files: one.since ?? one.files }));
  const [count, since] = [all, recent].map((list) => list.reduce((sum, { files }) => sum + files.length, 0));
  if (!since || since === count) return all;
  const picked = await askPick({
    title: l10n.t('Show Changes'),
    placeholder: l10n.t('Some files changed since you last looked'),
    items: [
      { shown: all, label: l10n.t('All Changes'), description: fileCount(count ?? 0) },
      { shown: recent, label: l10n.t('Since You Last Looked'), description: fileCount(since) },
    ],
  });
  return typeof picked === 'object' ? picked.shown : undefined;
}

async function tellLimit(needs: ChangesNeeds, live: Live, limit: Limit): Promise<void> {
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
  await showRead(needs, live, (report, signal) =>
    resumeAndRead(live.model, signal, () => report(l10n.t('Resuming the sandbox…'))),
  );
}
