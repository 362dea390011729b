import type * as vscode from 'vscode';
import { seenSettingsState } from '../ids';

/** Remembers for all windows of which services saved settings were seen. A plain flag each, without content. */
export class SeenSettings {
  /** What this window saw, even if the memento fails. */
  private readonly here = new Map<string, boolean>();

  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  has(baseUrl: string): boolean {
    return this.here.get(baseUrl) ?? this.memento.get(seenSettingsState(baseUrl)) === true;
  }

  add(baseUrl: string): void {
    if (!this.has(baseUrl)) this.set(baseUrl, true);
  }

  delete(baseUrl: string): void {
    this.set(baseUrl, false);
  }

  private set(baseUrl: string, isSeen: boolean): void {
    this.here.set(baseUrl, isSeen);
    void this.memento.update(seenSettingsState(baseUrl), isSeen ? true : undefined);
  }
}
