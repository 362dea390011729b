/** Takes turns if not all can be served each time: picks those that have waited longest. */
export class Rotation<T> {
  private readonly servedAt = new Map<T, number>();
  private turn = 0;

  /** Picks at most `most` of `all`. Those never served come first, in the order of `all`. */
  next(all: readonly T[], most: number): T[] {
    this.turn += 1;
    const last = (one: T) => this.servedAt.get(one) ?? 0;
    const chosen = all.toSorted((a, b) => last(a) - last(b)).slice(0, most);
    for (const one of chosen) this.servedAt.set(one, this.turn);
    return chosen;
  }
}
