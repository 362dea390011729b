import * as vscode from 'vscode';

/** Sets context keys, telling the editor only what changed. */
export class ContextKeys {
  private readonly present = new Map<string, unknown>();

  set(key: string, value: unknown): void {
    if (this.present.has(key) && this.present.get(key) === value) return;
    this.present.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
