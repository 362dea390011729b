import type { Conversation } from '../../api/service/schemas/conversation';
import { isJsonObject } from '../../shared/json';

/** What a conversation has used. Undefined where its record doesn't say. */
export interface ListedUsage {
  cost: number | undefined;
  /** Tokens in and out. */
  input: number | undefined;
  output: number | undefined;
}

/** What the record of a conversation says that it has used. */
export function listedUsage({ metrics }: Pick<Conversation, 'metrics'>): ListedUsage {
  const tokens = metrics?.['accumulated_token_usage'];
  return {
    cost: amount(metrics, 'accumulated_cost', mostCost),
    input: amount(tokens, 'prompt_tokens', mostTokens),
    output: amount(tokens, 'completion_tokens', mostTokens),
  };
}

/** Whether a record names an amount that can’t be right, such as a negative one. */
export function hasOddUsage(record: Pick<Conversation, 'metrics'>): boolean {
  const tokens = record.metrics?.['accumulated_token_usage'];
  const { cost, input, output } = listedUsage(record);
  const isOdd = (from: unknown, name: string, known: number | undefined) =>
    known === undefined && isJsonObject(from) && from[name] !== undefined && from[name] !== null;
  return (
    isOdd(record.metrics, 'accumulated_cost', cost) ||
    isOdd(tokens, 'prompt_tokens', input) ||
    isOdd(tokens, 'completion_tokens', output)
  );
}

/** Of two sources, the one that knows more: what was used only grows. Null if neither knows. */
export function latest(...sources: readonly (number | null | undefined)[]): number | null {
  const known = sources.filter((one) => typeof one === 'number');
  return known.length === 0 ? null : Math.max(...known);
}

/** All tokens, if the record says how many. */
export function listedTokens(record: Pick<Conversation, 'metrics'>): number | undefined {
  const { input, output } = listedUsage(record);
  return input === undefined || output === undefined ? undefined : input + output;
}

/**
 * The metrics of a record after its agent said what it has used. How many tokens went in and came out is left out if the
 * agent knows of more: it reports only their sum.
 */
export function withUsage(
  record: Pick<Conversation, 'metrics'>,
  used: { cost: number | null; tokens: number | null },
): Conversation['metrics'] {
  const { metrics } = record;
  const isBehind = (used.tokens ?? 0) > (listedTokens(record) ?? 0);
  const cost = latest(used.cost, listedUsage(record).cost);
  if (cost === null && !isBehind) return metrics;
  return {
    ...metrics,
    ...(cost !== null && { accumulated_cost: cost }),
    ...(isBehind && { accumulated_token_usage: null }),
  };
}

/** No conversation has used more than that. */
const mostCost = 1e9;
const mostTokens = 1e15;

function amount(from: unknown, name: string, most: number): number | undefined {
  const value = isJsonObject(from) ? from[name] : undefined;
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}

/** An amount of money for text, rounded to cents. */
export const costText = (cost: number): string => `$${cost.toFixed(2)}`;
