/** Hands out unique names by appending a number to repeated ones. */
export class UniqueNames {
  readonly #taken: Set<unknown>;
  /** The last number tried for each name, so that repeated names don't count from 1 every time. */
  readonly #last = new Map<string, number>();

  constructor(taken: Iterable<unknown> = []) {
    this.#taken = new Set(taken);
  }

  take(wanted: string): string {
    let name = wanted;
    let count = this.#last.get(wanted) ?? 1;
    while (this.#taken.has(name)) name = `${wanted}-${++count}`;
    this.#last.set(wanted, count);
    this.#taken.add(name);
    return name;
  }
}
