/** Runs tasks with the same key one after the other, in the order in which they were asked for. */
export class InOrder {
  /** The last pending task of each key; never rejects. */
  private readonly tails = new Map<string, Promise<void>>();

  /** Runs `task` once all earlier ones with this key have ended, however they did; settles as it does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const run = (this.tails.get(key) ?? Promise.resolve()).then(task);
    const tail: Promise<void> = run.then(noop, noop).then(() => {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    this.tails.set(key, tail);
    return run;
  }
}

const noop = () => undefined;
