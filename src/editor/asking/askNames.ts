import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import { askMany, askPick, type Answer } from '../inputs';

/**
 * Asks what of several things an agent gets. Null for all, also those that are added later. Chosen names that the server
 * doesn’t have stay until they’re cleared.
 */
export async function askNames({
  title,
  chosen,
  known,
  canGoBack = false,
}: {
  title: string;
  chosen: readonly string[] | null;
  known: readonly string[];
  canGoBack?: boolean;
}): Promise<Answer<readonly string[] | null>> {
  const about = { title, canGoBack, placeholder: l10n.t('Select what the agent gets') };
  const which = await askPick({
    ...about,
    items: [
      { label: l10n.t('All, Including Those Added Later'), isAll: true },
      { label: l10n.t('Only Some…'), isAll: false },
    ],
    isCurrent: ({ isAll }) => isAll === (chosen === null),
  });
  if (typeof which !== 'object') return which;
  if (which.isAll) return null;
  const picked = await askMany({
    ...about,
    items: [...new Set([...known, ...(chosen ?? [])])].map((name) => ({
      name,
      label: plainText(name, 120),
      ...(!known.includes(name) && { description: l10n.t('the server doesn’t have it') }),
      picked: chosen === null || chosen.includes(name),
    })),
  });
  return typeof picked === 'object' ? picked.map(({ name }) => name) : picked;
}
