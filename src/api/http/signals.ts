import type { Clock } from './clock';

interface Listening {
  readonly acts: Set<() => void>;
  readonly tell: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

function listenTo(signal: AbortSignal): Listening {
  const acts = new Set<() => void>();
  const tell = () => {
    for (const one of acts) one();
  };
  signal.addEventListener('abort', tell, { once: true });
  const begun = { acts, tell };
  listening.set(signal, begun);
  return begun;
}

/**
 * Calls back when a signal is aborted, unless it already is; call the returned function to cancel that. However many
 * requests share a signal, it has one listener, and none once they have ended: Node takes more than ten for a leak.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { acts, tell } = listening.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0 || listening.get(signal)?.acts !== acts) return;
    listening.delete(signal);
    signal.removeEventListener('abort', tell);
  };
}

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
  const leave = callers.map((caller) => {
    if (caller?.aborted !== true) return caller && onAbort(caller, end);
    end();
    return undefined;
  });
  return {
    signal: controller.signal,
    expired: () => expired,
    limit: (ms) =>
      clock.after(ms, () => {
        expired = !controller.signal.aborted;
        end();
      }),
    dispose: () => {
      for (const one of leave) one?.();
    },
  };
}

/**
 * Settles like `work`, but rejects at once when the signal is aborted: the editor's `fetch` looks for its proxy before
 * it looks at the signal, and that can take seconds.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    const leave = onAbort(signal, end);
    if (signal.aborted) end();
    void work.then(resolve, reject).finally(leave);
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
