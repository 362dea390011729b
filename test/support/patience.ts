/** Milliseconds that tests of windows wait for what they expect: only a failure takes that long, and computers are busy. */
export const patienceMs = Number(process.env['TEST_PATIENCE_MS'] ?? 60_000);

/** Likewise, for a whole test. */
export const testMs = 240_000;

/** Waits until something holds that no event tells. Rejects with what `describe` says if it takes longer than that. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  describe: () => string | Promise<string>,
): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await holds());) {
    if (Date.now() > end) throw new Error(`After ${patienceMs} ms ${await describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
