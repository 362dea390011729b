/** Runs works with the same key one after the other, in the order in which they were asked for. */
export class InOrder {
  /** The last pending work of each key; never rejects. */
  private readonly tails = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier ones with this key have ended, however they did; settles as it does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = (this.tails.get(key) ?? Promise.resolve()).then(work);
    const tail: Promise<void> = run.then(noop, noop).then(() => {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    this.tails.set(key, tail);
    return run;
  }
}

const noop = () => undefined;
