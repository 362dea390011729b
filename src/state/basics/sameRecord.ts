/** Whether two JSON values are equal. Fast for records of one service, which have their members in the same order. */
export function sameRecord(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(
      ([name, value]) =>
        Object.hasOwn(other, name) && sameRecord(value, (other as Record<string, unknown>)[name]),
    )
  );
}

/** Records to compare without a break: a service without pages may return 10,000 at once. */
const burst = 1_000;

/** The records that were read, without duplicates. Unchanged ones are the same objects as in `former`. */
export async function unchangedKept<T extends { id: string }>(
  read: readonly T[],
  former: readonly T[],
): Promise<T[]> {
  const before = new Map(former.map((item) => [item.id, item]));
  const items = new Map<string, T>();
  for (const [index, item] of read.entries()) {
    if (index > 0 && index % burst === 0) await new Promise((resolve) => setImmediate(resolve));
    const known = before.get(item.id);
    items.set(item.id, known && sameRecord(known, item) ? known : item);
  }
  return [...items.values()];
}
