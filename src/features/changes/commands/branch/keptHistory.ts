import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../../api/http/errors';
import { largestPack } from '../../../sandboxChanges';
import type { BranchPlan } from '../../model/branchPlan';
import type { LocalBranches } from './localBranches';

/** The agent’s commits, if they are kept. */
export interface History {
  /** The last one; undefined if none is kept. */
  head?: string;
  /** How many are kept. */
  count: number;
  /** Why they aren’t kept; undefined if there’s nothing to say. */
  lost?: () => string;
}

interface Histories {
  base: string;
  head: string | null;
  plan: BranchPlan;
  /** Whether the computer treats names as Windows does. */
  windows: boolean;
}

/**
 * Brings the agent’s commits here, as they are, if nothing in them has to be left out. Throws what `pack` throws if the
 * user cancels.
 * @param pack reads what this repository doesn’t have
 */
export async function keptHistory(
  branches: Pick<LocalBranches, 'count' | 'take'>,
  { base, head, plan, windows }: Histories,
  pack: (head: string) => Promise<Uint8Array>,
): Promise<History> {
  if (head === null || head === base) return { count: 0 };
  try {
    const isPlain = await branches.take(base, head, () => pack(head), windows);
    const isPlainNow = plan.refused.every(({ why }) => why !== 'collision');
    const count = await branches.count(base, head);
    if (count === 0) return { count };
    return isPlain && isPlainNow ? { head, count } : { count: 0, lost: notPlain };
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'canceled') throw error;
    return { count: 0, lost: error instanceof ApiError && error.reason === 'tooLarge' ? tooLarge : notRead };
  }
}

/** What a new branch has, in words. @param isAdded whether it has one more commit, with what the agent didn’t commit */
export function historyWords(branch: string, { count, lost }: History, isAdded: boolean): string {
  if (count === 0)
    return [l10n.t('“{0}” has the agent’s changes in one commit.', branch), ...(lost ? [lost()] : [])].join(
      ' ',
    );
  if (isAdded)
    return count === 1
      ? l10n.t('“{0}” has the agent’s commit, and one more with what it didn’t commit.', branch)
      : l10n.t('“{0}” has the agent’s {1} commits, and one more with what it didn’t commit.', branch, count);
  return count === 1
    ? l10n.t('“{0}” has the agent’s commit.', branch)
    : l10n.t('“{0}” has the agent’s {1} commits.', branch, count);
}

const notPlain = () =>
  l10n.t(
    'Its own commits aren’t kept: they have links, submodules, or names that can’t be on a branch here.',
  );
const tooLarge = () =>
  l10n.t('Its own commits aren’t kept: they’re larger than {0} MB.', largestPack / (1024 * 1024));
const notRead = () => l10n.t('Its own commits aren’t kept, because they couldn’t be read or are damaged.');
