import assert from 'node:assert/strict';

/** Checks every case of a table, and fails once for all that don’t fit, so that a table of any length is one test. */
export async function everyCase<T>(
  cases: readonly T[],
  name: (of: T) => string,
  check: (of: T) => unknown,
): Promise<void> {
  assert.ok(cases.length > 0, 'there are cases');
  const misfits: string[] = [];
  for (const one of cases) {
    try {
      await check(one);
    } catch (error) {
      misfits.push(`${name(one)}: ${(error as Error).message}`);
    }
  }
  assert.ok(misfits.length === 0, `${misfits.length} of ${cases.length}\n${misfits.join('\n')}`);
}
