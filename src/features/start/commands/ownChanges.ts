import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { gitProgram, tellGitElsewhere } from '../../../editor/git';
import { unlessCanceled } from '../../../editor/progress';
import { isSentByDefault, type OutgoingFile } from '../../changes';
import type { RepositoryProposal } from '../../../core/gitRemote';
import { tellFailed } from '../../targets/editor';
import { type ChosenChanges, confirmFlagged, tellNothing } from './chooseOutgoing';
import { LocalGit } from './localGit';

/** The user’s changes that are sent with a new conversation. */
export interface OwnChanges extends ChosenChanges {
  readonly proposal: RepositoryProposal;
  readonly git: LocalGit;
}

/**
 * Lists what the remote doesn’t have; undefined if there is nothing, or if the user left.
 * @param previous the paths that were selected before
 */
export async function ownChanges(
  proposal: RepositoryProposal | undefined,
  previous: readonly string[] | undefined,
): Promise<OwnChanges | undefined> {
  if (!proposal) {
    tellNoRepository();
    return undefined;
  }
  const { root, remote, repository, branch, pushed } = proposal;
  const program = await gitProgram();
  const folder = vscode.Uri.parse(root);
  if (program === undefined || folder.scheme !== 'file') {
    if (tellGitElsewhere()) return undefined;
    void vscode.window.showWarningMessage(
      l10n.t('Git isn’t available for this folder, so its changes can’t be sent.'),
    );
    return undefined;
  }
  const git = new LocalGit(program, folder.fsPath);
  const upstream = pushed && branch !== undefined ? `${remote}/${branch}` : undefined;
  const outgoing = await readOrTell(l10n.t('Looking for your changes…'), (signal) =>
    git.outgoing(remote, upstream, signal),
  );
  if (!outgoing) return undefined;
  if (outgoing.files.length === 0) {
    tellNothing(outgoing, repository);
    return undefined;
  }
  const isSent = (file: OutgoingFile) => (previous ? previous.includes(file.path) : isSentByDefault(file));
  return { proposal, git, outgoing, files: outgoing.files.filter(isSent) };
}

/** Packs the selected files, after a question if some may contain secrets; undefined if the user left. */
export async function pack({
  proposal: { repository, root },
  git,
  outgoing: { base, branch },
  files,
}: OwnChanges) {
  if (!(await confirmFlagged(files))) return undefined;
  const patch = await readOrTell(l10n.t('Packing your changes…'), (signal) =>
    git.patch(base, [...files], signal),
  );
  if (!patch) return undefined;
  const { content, tree } = patch;
  const paths = files.map(({ path }) => path);
  return { content, parcel: { id: randomUUID(), repository, base, branch, tree, root, paths } };
}

async function readOrTell<T>(
  title: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await unlessCanceled(title, (_report, signal) => read(signal));
  } catch (error) {
    await tellFailed(
      l10n.t('Couldn’t read your changes. Nothing was sent, and your message is still here.'),
      error,
    );
    return undefined;
  }
}

/** The repository of the message was closed, or has no remote. */
function tellNoRepository(): void {
  if (tellGitElsewhere()) return;
  void vscode.window.showWarningMessage(
    l10n.t('The repository isn’t open anymore, or has no remote. Your message is still here.'),
  );
}
