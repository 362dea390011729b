import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Refusal } from '../../../../core/basics/refusal';
import { checkOutBranch, fetchRepository, gitProgram, tellGitElsewhere } from '../../../../editor/git';
import type { Handler } from '../../../../editor/handler';
import { askText, confirmed, needsText } from '../../../../editor/inputs';
import { unlessCanceled } from '../../../../editor/progress';
import { plainText } from '../../../../shared/plainText';
import { chooseLive, type Live, titleOf, workOn } from '../../../live/editor';
import type { ConversationChanges, ReadChanges } from '../../../sandboxChanges';
import { tellFailed } from '../../../targets/editor';
import { planBranch } from '../../model/branchPlan';
import { notAppliedWords } from '../../model/notApplied';
import { mayBeMissing, readChanges } from '../../model/readChanges';
import { chooseFolder } from '../chooseFolder';
import { chooseRepository } from '../chooseRepository';
import { incompleteWords, nothingWords } from '../incompleteWords';
import type { ChangesNeeds } from '../needs';
import { shortList } from '../shortList';
import { type History, historyWords, keptHistory } from './keptHistory';
import { branchNameFor, LocalBranches, type MadeBranch } from './localBranches';

type Needs = ChangesNeeds & {
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
};

/**
 * Create Branch from Changes…: puts an agent’s commits, plus one with what it hasn’t committed, on a new branch in the
 * local repository. Nothing else changes there.
 */
export function createBranch(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('Create Branch from Changes');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    try {
      await createFrom(needs, live, title);
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t create the branch. Your folder is unchanged.'), error);
    }
  };
}

async function createFrom(needs: Needs, { model, repository: own }: Live, title: string): Promise<void> {
  const all = await workOn(model, l10n.t('Reading changes…'), (signal) => readChanges(model, signal));
  if (!all) return;
  const { repositories, limit } = all;
  if (limit !== undefined)
    throw new Refusal(
      l10n.t(
        'Only the sandbox knows the commit that the agent began with, and it can’t be reached. Resume it and try again.',
      ),
    );
  if (repositories.length === 0) {
    if (mayBeMissing(all)) throw new Refusal(incompleteWords(limit, all.unread));
    void vscode.window.showInformationMessage(nothingWords(all.branches));
    return;
  }
  const read = await chooseRepository(repositories, { title, own });
  if (!read) return;
  const { name, remote, base } = read.changes.repository;
  if (base === null)
    throw new Refusal(
      l10n.t('{0} had no commit when the agent began, so no branch can start there.', plainText(name, 80)),
    );
  const folder = await chooseFolder({ name, remote: remote ?? own ?? null }, title);
  if (!folder) return;
  const program = folder.scheme === 'file' ? await gitProgram() : undefined;
  if (program === undefined) {
    if (!tellGitElsewhere()) throw new Refusal(l10n.t('Git isn’t available for this folder.'));
    return;
  }
  const branches = await LocalBranches.at(program, folder.fsPath);
  if (!branches) throw new Refusal(l10n.t('This folder isn’t in a Git repository. Select one that is.'));
  if (!(await hasBase(branches, folder, base))) return;
  if (!read.changes.complete) {
    const doubt = incompleteWords(limit, all.unread);
    if (
      !(await confirmed(l10n.t('Create the branch without these changes?'), doubt, l10n.t('Create Branch')))
    )
      return;
  }
  const branch = await askName(branches, title, titleOf(model));
  if (branch !== undefined)
    await make(needs, read, {
      ...{ folder, program, base, branch, message: titleOf(model) },
      commits: model.changes,
    });
}

/** Whether the agent’s first commit is here; if not, offers to fetch it. */
async function hasBase(branches: LocalBranches, folder: vscode.Uri, base: string): Promise<boolean> {
  if (await branches.hasCommit(base)) return true;
  const fetch = l10n.t('Fetch and Try Again');
  const words = l10n.t(
    'The commit that the agent began with, {0}, isn’t in your repository yet.',
    base.slice(0, 7),
  );
  if ((await vscode.window.showWarningMessage(words, fetch)) !== fetch) return false;
  const isFetched = await unlessCanceled(l10n.t('Fetching…'), () =>
    fetchRepository(folder.toString()).then(() => true),
  );
  if (!isFetched) return false;
  if (await branches.hasCommit(base)) return true;
  throw new Refusal(
    l10n.t('The remote doesn’t have the commit {0} either. Ask the agent to push it.', base.slice(0, 7)),
  );
}

async function askName(branches: LocalBranches, title: string, about: string): Promise<string | undefined> {
  const name = await askText({
    title,
    prompt: l10n.t('Name of the new branch. What is checked out stays as it is.'),
    placeholder: 'agent/fix-checkout',
    value: await branches.freeName(branchNameFor(about)),
    validate: needsText,
    accept: async (value) => {
      if (!(await branches.isAllowed(value.trim()))) return l10n.t('Git doesn’t allow this name.');
      const rival = await branches.rival(value.trim());
      return rival === undefined
        ? undefined
        : l10n.t('The branch “{0}” exists already. Enter another name.', plainText(rival, 80));
    },
  });
  return typeof name === 'string' ? name.trim() : undefined;
}

interface Making {
  folder: vscode.Uri;
  /** Path of git. */
  program: string;
  base: string;
  branch: string;
  message: string;
  commits: Pick<ConversationChanges, 'pack'>;
}

async function make(needs: Needs, { source, changes }: ReadChanges, making: Making): Promise<void> {
  const { folder, program, base, branch, message } = making;
  const windows = process.platform === 'win32';
  const made = await unlessCanceled(l10n.t('Creating branch…'), async (report, signal) => {
    const tell = (done: number, of: number) => report(l10n.t('{0} of {1} files', done, of));
    const content = source.content.bind(source);
    const plan = await planBranch(changes, content, windows, tell, signal);
    const branches = await LocalBranches.at(program, folder.fsPath, signal);
    if (!branches) return undefined;
    report(l10n.t('Reading commits…'));
    const { root, head } = changes.repository;
    const pack = (of: string) => making.commits.pack(root, base, of, signal);
    const history = await keptHistory(branches, { base, head, windows, plan }, pack);
    signal.throwIfAborted();
    return { ...(await branches.create(branch, base, plan, message, history.head)), history };
  });
  if (made) await tellMade(needs, making, made);
}

/** Tells the user what the branch has and what it lacks; offers to switch to it or delete it. */
async function tellMade(
  { showDocument }: Needs,
  { folder, program, branch }: Making,
  { history, commit, isAdded, refused }: MadeBranch & { history: History },
): Promise<void> {
  const [checkOut, undo, details] = [l10n.t('Switch to Branch'), l10n.t('Undo'), l10n.t('Show Details')];
  const words = [
    historyWords(plainText(branch, 80), history, isAdded),
    ...(refused.length > 0 ? [l10n.t('Not in it: {0}.', shortList(refused.map(({ path }) => path)))] : []),
  ].join(' ');
  const show = refused.length > 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const picked = await show(words, checkOut, ...(refused.length > 0 ? [details] : []), undo);
  if (picked === checkOut)
    await checkOutBranch(folder.toString(), branch).catch((error: unknown) =>
      tellFailed(l10n.t('Couldn’t switch to “{0}”. The branch is there.', plainText(branch, 80)), error),
    );
  if (picked === details) {
    const lines = refused.map(({ path, why }) => `${plainText(path, 1_000)}\n    ${notAppliedWords[why]()}`);
    await showDocument(l10n.t('Changes That Aren’t on the Branch'), `${lines.join('\n')}\n`, 'txt');
  }
  if (picked !== undo) return;
  const isGone = await (await LocalBranches.at(program, folder.fsPath))?.remove(branch, commit);
  void vscode.window.showInformationMessage(
    isGone
      ? l10n.t('The branch is deleted.')
      : l10n.t('The branch stays: it has changed since, or is checked out.'),
  );
}
