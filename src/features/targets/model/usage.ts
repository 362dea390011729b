import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { listedUsage } from '../../../core/lists/usage';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** What the agent has cost so far; undefined where the service doesn’t report it. */
export function usedCost(record: Pick<Conversation, 'metrics'>): string | undefined {
  const { cost } = listedUsage(record);
  return cost === undefined ? undefined : `$${cost.toFixed(2)}`;
}

/** What the agent has used so far, as facts for a tooltip; undefined where the service doesn't report it. */
export function usageFacts(
  record: Pick<Conversation, 'metrics'>,
): [label: string, value: string | undefined][] {
  const { input, output } = listedUsage(record);
  return [
    [l10n.t('Cost'), usedCost(record)],
    [
      l10n.t('Tokens'),
      input === undefined || output === undefined
        ? undefined
        : l10n.t('{0} input, {1} output', compact.format(input), compact.format(output)),
    ],
  ];
}
