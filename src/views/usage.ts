import * as l10n from '@vscode/l10n';
import type { Conversation } from '../api/service/schemas/conversation';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** What the agent has used so far, as facts for a tooltip; empty if the service doesn't report it. */
export function usageFacts({ metrics }: Conversation): [label: string, value: string][] {
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
    ...(isAmount(cost) ? [fact(l10n.t('Cost'), `$${cost.toFixed(2)}`)] : []),
    ...(read !== undefined && written !== undefined
      ? [
          fact(
            l10n.t('Tokens'),
            l10n.t('{0} input, {1} output', compact.format(read), compact.format(written)),
          ),
        ]
      : []),
  ];
}

const fact = (label: string, value: string): [string, string] => [label, value];

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
