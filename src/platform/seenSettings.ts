import type * as vscode from 'vscode';
import { seenSettingsState } from '../ids';

/** Remembers for all windows at which origins saved settings were seen. A plain flag each, without content. */
export class SeenSettings {
  /** What this window saw, even if the memento fails. */
  private readonly here = new Map<string, boolean>();

  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  has(origin: string): boolean {
    return this.here.get(origin) ?? this.memento.get(seenSettingsState(origin)) === true;
  }

  add(origin: string): void {
    if (!this.has(origin)) this.set(origin, true);
  }

  delete(origin: string): void {
    this.set(origin, false);
  }

  private set(origin: string, isSeen: boolean): void {
    this.here.set(origin, isSeen);
    void this.memento.update(seenSettingsState(origin), isSeen ? true : undefined);
  }
}
