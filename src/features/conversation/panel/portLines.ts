import type { Entry } from '../../../shared/transcript';

type Separator = Extract<Entry, { kind: 'separator' }>;

/** The lines of a transcript that say on which ports programs of the agent began to listen. */
export class PortLines {
  private readonly lines = new Map<string, Separator[]>();
  private drawn: { entries: readonly Entry[]; all: readonly Entry[] } | undefined;

  /** @param after the entry that the line comes after */
  add(port: number, { id, at }: Pick<Entry, 'id' | 'at'>): void {
    const line: Separator = { kind: 'separator', id: `port-${port}`, at, what: 'listening', text: '', port };
    this.lines.set(id, [...(this.lines.get(id) ?? []), line]);
    this.drawn = undefined;
  }

  /** The port that a line is about. */
  portOf(id: string): number | undefined {
    return [...this.lines.values()].flat().find((line) => line.id === id)?.port;
  }

  /** The entries with these lines. The same ones have the same answer. */
  among(entries: readonly Entry[]): readonly Entry[] {
    if (this.lines.size === 0) return entries;
    if (this.drawn?.entries !== entries)
      this.drawn = {
        entries,
        all: entries.flatMap((entry) => [entry, ...(this.lines.get(entry.id) ?? [])]),
      };
    return this.drawn.all;
  }
}
