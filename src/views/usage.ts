import * as l10n from '@vscode/l10n';
import type { Conversation } from '../api/service/schemas/conversation';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** What the agent has cost so far; undefined where the service doesn’t report it. */
export function costWords({ metrics }: Pick<Conversation, 'metrics'>): string | undefined {
  const cost = amount(metrics, 'accumulated_cost');
  return cost === undefined ? undefined : `$${cost.toFixed(2)}`;
}

/** What the agent has used so far, as facts for a tooltip; undefined where the service doesn't report it. */
export function usageFacts({
  metrics,
}: Pick<Conversation, 'metrics'>): [label: string, value: string | undefined][] {
  const tokens = metrics?.['accumulated_token_usage'];
  const read = amount(tokens, 'prompt_tokens');
  const written = amount(tokens, 'completion_tokens');
  return [
    [l10n.t('Cost'), costWords({ metrics })],
    [
      l10n.t('Tokens'),
      read === undefined || written === undefined
        ? undefined
        : l10n.t('{0} input, {1} output', compact.format(read), compact.format(written)),
    ],
  ];
}

function amount(from: unknown, name: string): number | undefined {
  if (typeof from !== 'object' || from === null) return undefined;
  const value = (from as Record<string, unknown>)[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
