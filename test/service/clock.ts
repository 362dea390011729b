/** The service's clock, in milliseconds: the machine's own, or one that tests advance by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once, `ms` from now. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
  /** Resolves `ms` from now, or when the clock is stopped. */
  wait(ms: number): Promise<void>;
  /** Drops every planned action, as when the service resets. Waits continue. */
  dropActions(): void;
  /** Drops every planned action and ends every wait. */
  stop(): void;
}

/** A clock that stands still until `advance` is called. */
export interface SteppableClock extends Clock {
  /** Advances the time by `ms`, running in order everything that falls due, including what gets planned on the way. */
  advance(ms: number): Promise<void>;
}

/** The machine's clock. */
export function realClock(): Clock {
  const actions = new Set<NodeJS.Timeout>();
  const waits = new Map<NodeJS.Timeout, () => void>();
  const dropActions = () => {
    for (const timer of actions) clearTimeout(timer);
    actions.clear();
  };
  return {
    now: () => Date.now(),
    after(ms, action) {
      const timer = setTimeout(() => {
        actions.delete(timer);
        action();
      }, ms);
      actions.add(timer);
      return () => {
        clearTimeout(timer);
        actions.delete(timer);
      };
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waits.delete(timer);
          resolve();
        }, ms);
        waits.set(timer, resolve);
      }),
    dropActions,
    stop() {
      dropActions();
      for (const [timer, resolve] of waits) {
        clearTimeout(timer);
        resolve();
      }
      waits.clear();
    },
  };
}

interface Due {
  at: number;
  run: () => void;
  isWait: boolean;
}

/** A clock that starts at the current time and moves only when advanced. */
export function manualClock(): SteppableClock {
  let now = Date.now();
  let due: Due[] = [];
  const plan = (ms: number, run: () => void, isWait: boolean) => {
    const entry: Due = { at: now + Math.max(0, ms), run, isWait };
    due.push(entry);
    return entry;
  };
  const takeNext = (until: number): Due | undefined => {
    let next: Due | undefined;
    // Strictly earlier, so that of two entries due at the same time, the one planned first runs first.
    for (const entry of due) if (entry.at <= until && (!next || entry.at < next.at)) next = entry;
    if (next) due.splice(due.indexOf(next), 1);
    return next;
  };
  return {
    now: () => now,
    after(ms, action) {
      const entry = plan(ms, action, false);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    wait: (ms) => new Promise((resolve) => plan(ms, resolve, true)),
    dropActions() {
      due = due.filter((entry) => entry.isWait);
    },
    stop() {
      const waits = due.filter((entry) => entry.isWait);
      due = [];
      for (const entry of waits) entry.run();
    },
    async advance(ms) {
      // Lets requests that arrived before this call plan their timers first.
      await turn();
      const until = now + ms;
      for (let next = takeNext(until); next; next = takeNext(until)) {
        now = next.at;
        next.run();
        // Lets code that was waiting for this moment plan its next timer before time moves on.
        await turn();
      }
      now = until;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
