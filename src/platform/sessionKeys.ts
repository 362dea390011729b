import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionKeySecret } from '../ids';

/**
 * Session keys, one per origin, in the editor's secret storage. Where that fails, a key lasts for the window and the
 * user is told so once.
 */
export class SessionKeys implements vscode.Disposable {
  private readonly forThisWindow = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when a key changed, in this window or another. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;
  private warned = false;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const prefix = sessionKeySecret('');
    this.subscription = secrets.onDidChange(({ key }) => {
      if (!key.startsWith(prefix)) return;
      // Another window's word is newer than what this one holds for itself.
      this.forThisWindow.delete(key.slice(prefix.length));
      this.changed.fire();
    });
  }

  async get(origin: string): Promise<string | undefined> {
    const own = this.forThisWindow.get(origin);
    if (own !== undefined) return own;
    try {
      return await this.secrets.get(sessionKeySecret(origin));
    } catch {
      this.log.warn('The secret storage could not be read.');
      return undefined;
    }
  }

  async set(origin: string, sessionKey: string): Promise<void> {
    try {
      await this.secrets.store(sessionKeySecret(origin), sessionKey);
      this.forThisWindow.delete(origin);
    } catch {
      this.log.warn('The secret storage could not be written.');
      this.forThisWindow.set(origin, sessionKey);
      this.warnOnce();
    }
    this.changed.fire();
  }

  async clear(origin: string): Promise<void> {
    this.forThisWindow.delete(origin);
    await this.secrets.delete(sessionKeySecret(origin));
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private warnOnce(): void {
    if (this.warned) return;
    this.warned = true;
    void vscode.window.showWarningMessage(
      l10n.t(
        'The editor’s secret storage does not work, so the session key lasts only until this window closes. Check the keyring of your system.',
      ),
    );
  }
}
