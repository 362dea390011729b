import * as l10n from '@vscode/l10n';

/** Largest file that is read, in bytes; larger ones are listed, but left alone. */
export const largestApplied = 20 * 1024 * 1024;

/** Each reason not to apply a changed file, in words. */
export const notAppliedWords = {
  outside: () => l10n.t('The path leads outside the folder.'),
  /** As at least one file system sees it. */
  git: () => l10n.t('The path is in Git’s own folder.'),
  windows: () => l10n.t('Windows doesn’t allow a file with this name.'),
  name: () => l10n.t('The name can’t be used for a file here.'),
  unreadableName: () => l10n.t('The name isn’t UTF-8.'),
  collision: () => l10n.t('Another changed file has the same name except for case, or is its folder.'),
  /** Before or after the change. */
  link: () => l10n.t('It’s a symbolic link.'),
  submodule: () => l10n.t('It’s a submodule.'),
  tooLarge: () => l10n.t('It’s larger than {0} MB.', largestApplied / (1024 * 1024)),
  tooMuch: () => l10n.t('Together, the changes are too large.'),
  /** Also if the content isn’t what git says. */
  unread: () => l10n.t('Its content couldn’t be read from the sandbox.'),
  masked: () =>
    l10n.t('A known secret in it is masked in the transcript. Resume the sandbox to read the file itself.'),
  lfs: () => l10n.t('Its content is in Git LFS, not in the repository.'),
  /** Git fails to convert it to the form that it has in the folder. */
  filter: () => l10n.t('Its Git filter or encoding fails on this computer.'),
  linkHere: () => l10n.t('A symbolic link is on its path in your folder.'),
  folderHere: () =>
    l10n.t('Your folder has a folder in place of this file, or a file in place of its folder.'),
  otherCaseHere: () => l10n.t('Your folder has a file whose name differs only in case.'),
  unreadHere: () => l10n.t('The file in your folder can’t be read.'),
  unsavedHere: () => l10n.t('It has unsaved changes in your editor. Save it and apply again.'),
  changedHere: () => l10n.t('The agent deleted it, but you changed it.'),
  goneHere: () => l10n.t('The agent changed it, but you deleted or moved it.'),
  existsHere: () => l10n.t('Your folder already has another file there.'),
  binary: () => l10n.t('You and the agent both changed it, and it can’t be merged by lines.'),
};

/** Why a changed file isn’t applied. */
export type NotApplied = keyof typeof notAppliedWords;
