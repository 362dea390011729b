import * as l10n from '@vscode/l10n';
import type { Limit } from '../../../shared/transcript';
import { shortList } from './shortList';

/** What may be missing from changes, in words. */
export function incompleteWords(limit: Limit | undefined, unread: readonly string[]): string {
  return limit !== undefined || unread.length === 0
    ? l10n.t('Not all of the agent’s changes could be read. Files that commands changed may be missing.')
    : l10n.t('Git couldn’t read these in the sandbox: {0}. Their changes are missing.', shortList(unread));
}

/** That nothing has changed, as far as that is so. A notice without buttons is cut, so names come first. */
export const nothingWords = (branches: readonly string[]): string =>
  branches.length === 0
    ? l10n.t('The agent hasn’t changed any files.')
    : l10n.t(
        'There are new commits on {0}, but nothing that’s checked out has changed. Ask the agent to check that out.',
        shortList(branches),
      );
