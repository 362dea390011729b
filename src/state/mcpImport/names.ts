/** Makes of any text a short name as the service takes it for stdio servers: letters, digits, hyphen and underscore. */
export function plainName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, 64)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}

/** Gives out names that are all different, counting up where one is wanted again. */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The last number tried for a name, so that many alike do not all count from the start. */
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
