import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askMany, confirmed, listed } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import {
  isSentByDefault,
  largestOutgoing,
  type NotSent,
  type Outgoing,
  type OutgoingFile,
} from '../../../state/changes/outgoing';
import type { SecretSign } from '../../../state/changes/secretFiles';

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
  lfs: () => l10n.t('in Git LFS, push it first'),
  filter: () => l10n.t('its Git filter or encoding fails on this computer'),
};

/**
 * Lets the user select and confirm what is sent; undefined if they left.
 * @param former what they selected before
 */
export async function chooseOutgoing(
  { files, left, commits }: Outgoing,
  repository: string,
  former: readonly string[] | undefined,
): Promise<OutgoingFile[] | undefined> {
  const leftOut = left.map(({ path, why }) => l10n.t('{0}: {1}', plainText(path, 200), notSentWords[why]()));
  if (files.length === 0) {
    const none = l10n.t('You have no changes that {0} doesn’t have.', repository);
    void vscode.window.showInformationMessage(
      none,
      ...(leftOut.length > 0 ? [{ title: listed(leftOut) }] : []),
    );
    return undefined;
  }
  const picked = await askMany({
    title: l10n.t('Start Conversation with My Changes'),
    placeholder: l10n.t('Select the files to send'),
    items: files.map((file) => ({
      file,
      label: plainText(file.path, 200),
      description: kindWords[file.kind](),
      ...(file.secret && { detail: `$(warning) ${secretWords[file.secret]()}` }),
      picked: former ? former.includes(file.path) : isSentByDefault(file),
    })),
  });
  if (!Array.isArray(picked)) return undefined;
  const chosen = picked.map(({ file }) => file);
  const detail = [
    listed(chosen.map(({ path }) => plainText(path, 200))),
    commits > 0 && l10n.t('Includes your unpushed commits as changes: {0}', commits),
    leftOut.length > 0 && `${l10n.t('These can’t be sent:')}\n${listed(leftOut)}`,
    chosen.some(({ secret }) => secret) &&
      l10n.t('Some of these files may contain secrets. The agent will be able to read them.'),
  ].filter((part) => typeof part === 'string' && part !== '');
  const question =
    chosen.length === 1
      ? l10n.t('Send 1 file to the sandbox?')
      : l10n.t('Send {0} files to the sandbox?', chosen.length);
  return (await confirmed(question, detail.join('\n\n'), l10n.t('Send and Start'))) ? chosen : undefined;
}
