import type { Clock } from './clock';

/** A request's lifetime: until one of its callers' signals is aborted, or a try times out. */
export interface Life {
  readonly signal: AbortSignal;
  /** True if the time ran out before any caller's signal was aborted. */
  expired(): boolean;
  /** Limits the time of a try, in milliseconds; the function returned lifts the limit. */
  limit(ms: number): () => void;
  /** Stops listening to the callers' signals. */
  dispose(): void;
}

/** Starts a request's lifetime, which ends with any of the callers' signals. */
export function lifeOf(callers: readonly (AbortSignal | undefined)[], clock: Clock): Life {
  const controller = new AbortController();
  let expired = false;
  const end = () => controller.abort();
  for (const caller of callers) {
    if (caller?.aborted === true) end();
    else caller?.addEventListener('abort', end, { once: true });
  }
  return {
    signal: controller.signal,
    expired: () => expired,
    limit: (ms) =>
      clock.after(ms, () => {
        expired = !controller.signal.aborted;
        end();
      }),
    dispose: () => {
      for (const caller of callers) caller?.removeEventListener('abort', end);
    },
  };
}

/**
 * Settles as `work` does, but rejects at once when the signal is aborted: the editor's `fetch` looks for its proxy before
 * it looks at the signal, and that can take seconds.
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
export async function wait(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  let cancelTimer: (() => void) | undefined;
  const over = new Promise<void>((resolve) => {
    cancelTimer = clock.after(ms, resolve);
  });
  await unlessAborted(over, signal).finally(() => cancelTimer?.());
}
