/** What `refusal` needs of a schema. */
export interface Rule {
  safeParse(value: unknown): { error?: { issues: { message: string }[] } };
}

/** Why `rule` refuses `value`, in words; undefined if it accepts it. */
export function refusal(rule: Rule, value: unknown): string | undefined {
  return rule.safeParse(value).error?.issues[0]?.message;
}
