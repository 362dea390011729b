import type * as z from 'zod/mini';

/** Why `rule` refuses `value`, in words; undefined if it accepts it. */
export function refusal(rule: z.ZodMiniType, value: unknown): string | undefined {
  return rule.safeParse(value).error?.issues[0]?.message;
}
