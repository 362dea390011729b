/** Random values that are the same in every run. */
export interface Random {
  /** From 0 up to but not including `below`. */
  int(below: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  hex(digits: number): string;
}

/** A small seeded generator (mulberry32): quick, and good enough for sample data. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const int = (below: number) => next() % below;
  return {
    int,
    pick: (items) => items[int(items.length)] ?? items[0],
    hex(digits) {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}
