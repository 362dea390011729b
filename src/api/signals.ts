import type { Clock } from './clock';

/** A signal that ends with the caller's signal or with its time, and lets go of both when it is disposed. */
export interface Deadline {
  signal: AbortSignal;
  /** True once the time was up before the caller cancelled. */
  expired(): boolean;
  /** Lets go of the caller's signal and of the timer. */
  dispose(): void;
}

/** Makes a signal that ends after `ms` milliseconds, or with the caller's. */
export function deadline(ms: number, caller: AbortSignal | undefined, clock: Clock): Deadline {
  const controller = new AbortController();
  let expired = false;
  const onAbort = () => controller.abort(caller?.reason);
  const cancelTimer = clock.after(ms, () => {
    expired = !controller.signal.aborted;
    controller.abort();
  });
  caller?.addEventListener('abort', onAbort, { once: true });
  if (caller?.aborted === true) onAbort();
  return {
    signal: controller.signal,
    expired: () => expired,
    dispose: () => {
      cancelTimer();
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * Settles as `work` does, but rejects at once when the signal is aborted: the editor's `fetch` finds its proxy before it
 * looks at the signal, and that can take seconds.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancelTimer();
      reject(signal?.reason as Error);
    };
    const cancelTimer = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
  });
}
