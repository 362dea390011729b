import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { unlessAborted } from '../../../api/http/signals';
import { pushBranch } from '../../../editor/git';
import { unlessCanceled } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import type { ConversationChoice } from '../model/choice';
import { unpushedProposal, type RepositoryProposal } from '../../../core/gitRemote';

type Unpushed = NonNullable<ReturnType<typeof unpushedProposal>>;

/** What happens after the question about the branch: start, choose again, or leave without a start. */
export type BranchDecision = 'start' | 'back' | 'leave';

/**
 * Asks what to do about a branch that its remote doesn't have, because an agent can't check it out: push it, use the
 * default branch (written to `choice`), or start anyway. Doesn't ask about other branches.
 */
export async function decideBranch(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
): Promise<BranchDecision> {
  const unpushed = unpushedProposal(choice, proposals);
  if (!unpushed) return 'start';
  const push = l10n.t('Push and Start');
  const useDefault = l10n.t('Start on Default Branch');
  const anyway = l10n.t('Start Anyway');
  const [branch, remote] = namesOf(unpushed);
  const picked = await vscode.window.showInformationMessage(
    l10n.t('Push “{0}” to {1} first?', branch, remote),
    {
      modal: true,
      detail: l10n.t('The branch isn’t on the remote yet, so the agent can’t check it out.'),
    },
    push,
    useDefault,
    anyway,
  );
  if (picked === undefined) return 'back';
  if (picked === push) return (await pushed(unpushed)) ? 'start' : 'leave';
  if (picked === useDefault) choice.branch = undefined;
  return 'start';
}

function namesOf({ branch, remote }: Unpushed): [branch: string, remote: string] {
  return [plainText(branch, 80), plainText(remote, 80)];
}

/** Whether the branch was pushed; if not, the user knows. */
async function pushed(unpushed: Unpushed): Promise<boolean> {
  const [branch, remote] = namesOf(unpushed);
  try {
    const isPushed = await unlessCanceled(l10n.t('Pushing {0} to {1}…', branch, remote), (_report, signal) =>
      // Git can't be stopped from here, but nothing starts after it.
      unlessAborted(
        pushBranch(unpushed.root, unpushed.remote, unpushed.branch).then(() => true),
        signal,
      ),
    );
    return isPushed === true;
  } catch {
    void tellFailure(branch, remote);
    return false;
  }
}

/** What git says can contain the password of a remote, so it stays in git's own output. */
async function tellFailure(branch: string, remote: string): Promise<void> {
  const showOutput = l10n.t('Show Git Output');
  const picked = await vscode.window.showErrorMessage(
    l10n.t(
      'Couldn’t push “{0}” to {1}, so no conversation was started. Your message is still here.',
      branch,
      remote,
    ),
    showOutput,
  );
  if (picked === showOutput) await vscode.commands.executeCommand('git.showOutput');
}
