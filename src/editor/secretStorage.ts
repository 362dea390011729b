/** The editor's secret storage may wait for a keyring dialog that nobody sees. */
export const storageLimitMs = 15_000;

/** Settles in time, or rejects with `refusal`: the storage's own error text may contain a secret. */
export async function inTime<T>(work: () => Thenable<T>, refusal: string, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(refusal)), limitMs);
  });
  try {
    return await Promise.race([work(), late]);
  } catch {
    throw new Error(refusal);
  } finally {
    clearTimeout(timer);
  }
}
