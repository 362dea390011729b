/** Turns any text into a short name the service accepts for stdio servers: letters, digits, hyphens, underscores. */
export function plainName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, 64)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}

/** Hands out unique names by appending a number to repeated ones. */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The last number tried for each name, so that repeated names don't count from 1 every time. */
  readonly #last = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
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
