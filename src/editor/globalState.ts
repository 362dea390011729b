import type * as vscode from 'vscode';
import type { Clock } from '../api/http/clock';
import { same } from '../shared/same';

/** A change of a key. */
interface Change {
  value: unknown;
  isRepeated: boolean;
}

/** Milliseconds after a write in which one of another window, which didn’t know of it yet, may undo it. */
const unsettledMs = 2_000;

/**
 * What the editor keeps for all its windows. The editor's own memento takes back what was written to it between a write
 * and the echo of that write, in memory at once and for good if something else is written before the next echo
 * (`ExtensionMemento` in VS Code 1.105 to 1.139). So here one write follows the other, and what isn't written yet counts.
 *
 * Each window writes all keys as one piece, with the values that it knows. So a change that a write of another window has
 * undone is repeated, but only once: two windows that disagree must not go on forever.
 */
export class GlobalState implements vscode.Memento {
  private readonly unsaved = new Map<string, Change>();
  /** The last change of each key. */
  private readonly latest = new Map<string, Change>();
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly memento: vscode.Memento,
    private readonly after: Clock['after'],
  ) {}

  keys(): readonly string[] {
    const others = this.memento.keys().filter((key) => !this.unsaved.has(key));
    return [...others, ...[...this.unsaved].flatMap(([key, { value }]) => (value === undefined ? [] : key))];
  }

  readonly get = ((key: string, otherwise?: unknown): unknown => {
    const change = this.unsaved.get(key);
    const value: unknown = change ? change.value : this.memento.get(key);
    return value === undefined ? otherwise : value;
  }) as vscode.Memento['get'];

  /** Rejects if the editor can't write. Changes that are made during a write share the next one. */
  update(key: string, value: unknown): Promise<void> {
    const kept = typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
    return this.write(key, { value: kept, isRepeated: false });
  }

  private write(key: string, change: Change): Promise<void> {
    this.unsaved.set(key, change);
    this.latest.set(key, change);
    if (!this.next) {
      this.next = this.last.then(() => this.save());
      this.last = this.next.catch(() => undefined);
    }
    return this.next;
  }

  private async save(): Promise<void> {
    this.next = undefined;
    const changes = [...this.unsaved].map(([key, change]) => ({
      ...{ key, change, before: this.memento.get<unknown>(key) },
    }));
    try {
      await Promise.all(changes.map(({ key, change }) => this.memento.update(key, change.value)));
    } finally {
      for (const { key, change } of changes) if (this.unsaved.get(key) === change) this.unsaved.delete(key);
    }
    this.after(unsettledMs, () => {
      for (const { key, change, before } of changes) {
        const isLatest = this.latest.get(key) === change && !change.isRepeated;
        const isUndone = same(this.memento.get(key), before) && !same(before, change.value);
        if (isLatest && isUndone)
          void this.write(key, { ...change, isRepeated: true }).catch(() => undefined);
      }
    });
  }
}
