/**
 * Never runs `work` twice at a time: all calls during a run share one more run afterwards, so that the last call always
 * counts. The promise settles when no run is left.
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
