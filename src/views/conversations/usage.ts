import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** What the agent has used so far, a line each; only what the service tells in the members known to be used for it. */
export function usageWords({ metrics }: Conversation): string[] {
  if (!metrics) return [];
  const cost = metrics['accumulated_cost'];
  const tokens = metrics['accumulated_token_usage'];
  const amount = (name: string): number | undefined => {
    const value: unknown =
      typeof tokens === 'object' && tokens !== null ? (tokens as Record<string, unknown>)[name] : undefined;
    return isAmount(value) ? value : undefined;
  };
  const read = amount('prompt_tokens');
  const written = amount('completion_tokens');
  return [
    ...(isAmount(cost) ? [l10n.t('Cost: {0}', `$${cost.toFixed(2)}`)] : []),
    ...(read !== undefined && written !== undefined
      ? [l10n.t('Tokens: {0} read, {1} written', compact.format(read), compact.format(written))]
      : []),
  ];
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
