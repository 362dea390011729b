import { same } from '../../shared/same';

/** Records to compare without a break: a service without pages may return 10,000 at once. */
const burst = 1_000;

/** The records that were read, without duplicates. Unchanged ones are the same objects as in `previous`. */
export async function unchangedKept<T extends { id: string }>(
  read: readonly T[],
  previous: readonly T[],
): Promise<T[]> {
  const before = new Map(previous.map((item) => [item.id, item]));
  const items = new Map<string, T>();
  for (const [index, item] of read.entries()) {
    if (index > 0 && index % burst === 0) await new Promise((resolve) => setImmediate(resolve));
    const known = before.get(item.id);
    items.set(item.id, known && same(known, item) ? known : item);
  }
  return [...items.values()];
}
