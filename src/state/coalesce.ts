/**
 * Runs `work` one at a time: a call that comes while it runs is served by one more run afterwards, so the last call
 * always counts. The promise settles when no run is left to do.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const runAll = async () => {
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    again = true;
    running ??= runAll();
    return running;
  };
}
