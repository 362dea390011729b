import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askMany, confirmed, listed, type Answer } from '../../../editor/inputs';
import { nameList, joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { largestOutgoing, type NotSent, type Outgoing, type OutgoingFile } from '../../changes';
import type { SecretSign } from '../../../core/secretFiles';

/** The user’s changes, and those of them that are sent. */
export interface ChosenChanges {
  readonly outgoing: Outgoing;
  files: readonly OutgoingFile[];
}

const kindWords: Readonly<Record<OutgoingFile['kind'], () => string>> = {
  added: () => l10n.t('added'),
  deleted: () => l10n.t('deleted'),
  modified: () => l10n.t('modified'),
  untracked: () => l10n.t('untracked'),
};
const secretWords: Readonly<Record<SecretSign, () => string>> = {
  name: () => l10n.t('May contain secrets, judging by its name'),
  content: () => l10n.t('Looks like it contains a key'),
};
const notSentWords: Readonly<Record<NotSent, () => string>> = {
  tooLarge: () => l10n.t('larger than {0} MB', largestOutgoing / (1024 * 1024)),
  submodule: () => l10n.t('a submodule or another repository'),
  unreadable: () => l10n.t('can’t be read'),
  git: () => l10n.t('The path is in Git’s own folder.'),
  lfs: () => l10n.t('in Git LFS; push it first'),
  filter: () => l10n.t('its Git filter or encoding fails on this computer'),
};

/** Says that there is nothing to send. */
export function tellNothing({ left }: Outgoing, repository: string): void {
  const none = l10n.t('You have no changes that {0} doesn’t have.', repository);
  const leftOut = leftWords(left);
  void vscode.window.showInformationMessage(
    none,
    ...(leftOut.length > 0 ? [{ title: listed(leftOut) }] : []),
  );
}

/** Lets the user select what is sent. */
export async function askOutgoing(changes: ChosenChanges): Promise<Answer<unknown>> {
  const { files } = changes.outgoing;
  const chosen = new Set(changes.files);
  const picked = await askMany({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select the files to send'),
    items: files.map((file) => ({
      file,
      label: plainText(file.path, 200),
      description: kindWords[file.kind](),
      ...(file.secret && { detail: `$(warning) ${secretWords[file.secret]()}` }),
      picked: chosen.has(file),
    })),
  });
  if (Array.isArray(picked)) changes.files = picked.map(({ file }) => file);
  return picked;
}

/** The files that are sent, in a few words, and anything else to know about them. */
export function chosenFilesWords({ files, outgoing: { left, commits } }: ChosenChanges): {
  description: string;
  detail: string;
} {
  const description = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
  const leftOut = leftWords(left);
  const detail = [
    nameList(files.slice(0, 5).map(({ path }) => plainText(path, 80))),
    files.length > 5 && l10n.t('and {0} more', files.length - 5),
    commits > 0 && l10n.t('Includes your unpushed commits as changes: {0}', commits),
    leftOut.length > 0 && l10n.t('Can’t be sent: {0}', leftOut.slice(0, 3).join(', ')),
  ];
  return { description, detail: joined(...detail) };
}

/** Asks only about files that may contain secrets. */
export async function confirmFlagged(files: readonly OutgoingFile[]): Promise<boolean> {
  const flagged = files.filter(({ secret }) => secret !== undefined);
  if (flagged.length === 0) return true;
  const names = flagged.map(({ path, secret }) =>
    secret === undefined ? path : l10n.t('{0}: {1}', plainText(path, 200), secretWords[secret]()),
  );
  return confirmed(
    flagged.length === 1
      ? l10n.t('Send a file that may contain secrets?')
      : l10n.t('Send {0} files that may contain secrets?', flagged.length),
    `${listed(names)}\n\n${l10n.t('The agent will be able to read them.')}`,
    l10n.t('Send and Start'),
  );
}

const leftWords = (left: Outgoing['left']) =>
  left.map(({ path, why }) => l10n.t('{0}: {1}', plainText(path, 200), notSentWords[why]()));
