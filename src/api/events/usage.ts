import * as z from 'zod/mini';
import { maybe } from '../lenient';
import { lenientMembers } from '../../shared/members';

/** What a conversation has used so far. */
export interface Usage {
  /** In the service's currency. */
  cost: number;
  /** Tokens in and out. */
  tokens: number;
  /** Tokens of the last turn, and how many the model takes; null if the model’s size is unknown. */
  context: { used: number; size: number } | null;
}

const tokenUsage = z.object({
  prompt_tokens: maybe(z.number()),
  completion_tokens: maybe(z.number()),
  context_window: maybe(z.number()),
  per_turn_token: maybe(z.number()),
});
const metrics = z.object({
  accumulated_cost: maybe(z.number()),
  accumulated_token_usage: maybe(tokenUsage),
});

/** Reads `{"usage_to_metrics": {"agent": ..., "condenser": ...}}`: costs and tokens count together. */
export const usageSchema: z.ZodMiniType<Usage> = z.pipe(
  z.object({ usage_to_metrics: lenientMembers(metrics) }),
  z.transform(({ usage_to_metrics: all }): Usage => {
    const every = Object.values(all);
    const sum = (of: (one: z.infer<typeof metrics>) => number | null | undefined) =>
      every.reduce((total, one) => total + (of(one) ?? 0), 0);
    const turn = (all['agent'] ?? every[0])?.accumulated_token_usage;
    const size = turn?.context_window ?? 0;
    return {
      cost: sum((one) => one.accumulated_cost),
      tokens:
        sum((one) => one.accumulated_token_usage?.prompt_tokens) +
        sum((one) => one.accumulated_token_usage?.completion_tokens),
      context: size > 0 ? { used: turn?.per_turn_token ?? 0, size } : null,
    };
  }),
);
