import type * as vscode from 'vscode';

/**
 * What the editor keeps for all its windows. The editor's own memento takes back what was written to it between a write
 * and the echo of that write, in memory at once and for good if something else is written before the next echo
 * (`ExtensionMemento` in VS Code 1.105 to 1.139). So here one write follows the other, and what isn't written yet counts.
 */
export class GlobalState implements vscode.Memento {
  private readonly unsaved = new Map<string, { value: unknown }>();
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly memento: vscode.Memento) {}

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
    this.unsaved.set(key, {
      value: typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as unknown) : value,
    });
    if (!this.next) {
      this.next = this.last.then(() => this.save());
      this.last = this.next.catch(() => undefined);
    }
    return this.next;
  }

  private async save(): Promise<void> {
    this.next = undefined;
    const changes = [...this.unsaved];
    try {
      await Promise.all(changes.map(([key, { value }]) => this.memento.update(key, value)));
    } finally {
      for (const [key, change] of changes) if (this.unsaved.get(key) === change) this.unsaved.delete(key);
    }
  }
}
