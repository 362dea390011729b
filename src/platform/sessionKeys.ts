import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, sessionKeySecret, stateIds } from '../ids';
import { sentences } from '../shared/joined';

/** A keyring that asks the user for its password may take its time; one that hangs must not hold everything up. */
export const secretTimeoutMs = 5_000;

type Attempt<T> = { ok: true; value: T } | { ok: false };

/**
 * Session keys, one per origin, in the editor's secret storage. A key that was entered in this window is used from
 * memory; where the storage throws, hangs or forgets, it lasts for the window and the user is told so once.
 */
export class SessionKeys implements vscode.Disposable {
  private readonly forThisWindow = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when a key changed, in this window or another. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;
  private readonly told = new Set<string>();
  /** How many of the storage's events about an origin are still to come that tell of this window's own writing. */
  private readonly echoes = new Map<string, number>();

  /** `memento` remembers for which origins a key was stored, and never a key. */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly log: vscode.LogOutputChannel,
    private readonly timeoutMs = secretTimeoutMs,
  ) {
    const prefix = sessionKeySecret('');
    this.subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) void this.followStorage(key.slice(prefix.length));
    });
  }

  async get(origin: string): Promise<string | undefined> {
    const own = this.forThisWindow.get(origin);
    if (own !== undefined) return own;
    const read = await this.read(origin);
    if (!read.ok) {
      this.log.warn('The secret storage could not be read.');
      this.tell(
        l10n.t('The editor’s secret storage could not be read, so the session key is not known here.'),
      );
      return undefined;
    }
    if (read.value === undefined && this.expected().includes(origin)) {
      this.log.warn('The secret storage has forgotten a session key.');
      await this.expect(origin, false);
      this.tell(l10n.t('The editor’s secret storage has forgotten the session key for {0}.', origin));
    }
    return read.value;
  }

  async set(origin: string, sessionKey: string): Promise<void> {
    this.forThisWindow.set(origin, sessionKey);
    this.addEcho(origin, 1);
    const stored = await this.attempt(() => this.secrets.store(sessionKeySecret(origin), sessionKey));
    if (!stored.ok) this.addEcho(origin, -1);
    // A storage that takes a key and does not give it back has forgotten it already.
    const kept = stored.ok ? await this.read(origin) : stored;
    if (kept.ok && kept.value === sessionKey) {
      await this.expect(origin, true);
    } else {
      this.log.warn('The secret storage could not be written.');
      this.tell(
        l10n.t(
          'The editor’s secret storage does not work, so the session key lasts only until this window closes.',
        ),
      );
    }
    this.changed.fire();
  }

  /** Throws when the storage may still hold the key. */
  async clear(origin: string): Promise<void> {
    this.forThisWindow.delete(origin);
    await this.expect(origin, false);
    const deleted = await this.attempt(() => this.secrets.delete(sessionKeySecret(origin)));
    this.changed.fire();
    if (!deleted.ok) {
      throw new Error(
        l10n.t('The editor’s secret storage did not delete the session key; it may still be there.'),
      );
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** What another window wrote is newer than what this one holds for itself. */
  private async followStorage(origin: string): Promise<void> {
    const isEcho = this.addEcho(origin, -1);
    const read = await this.read(origin);
    const own = this.forThisWindow.get(origin);
    if (!read.ok || (own !== undefined && (read.value ?? (isEcho ? own : undefined)) === own)) return;
    this.forThisWindow.delete(origin);
    await this.expect(origin, read.value !== undefined);
    this.changed.fire();
  }

  /** Counts echoes up or down; false when there were none to take away. */
  private addEcho(origin: string, change: 1 | -1): boolean {
    const count = (this.echoes.get(origin) ?? 0) + change;
    this.echoes.set(origin, Math.max(0, count));
    return count >= 0;
  }

  private read(origin: string): Promise<Attempt<string | undefined>> {
    return this.attempt(() => this.secrets.get(sessionKeySecret(origin)));
  }

  /** Settles within the time-out, whatever the storage does. */
  private attempt<T>(work: () => Thenable<T>): Promise<Attempt<T>> {
    return new Promise((resolve) => {
      const end = (result: Attempt<T>) => {
        clearTimeout(timer);
        resolve(result);
      };
      const timer = setTimeout(() => end({ ok: false }), this.timeoutMs);
      Promise.resolve()
        .then(work)
        .then(
          (value) => end({ ok: true, value }),
          () => end({ ok: false }),
        );
    });
  }

  private expected(): readonly string[] {
    return this.memento.get<string[]>(stateIds.storedKeys) ?? [];
  }

  private async expect(origin: string, stored: boolean): Promise<void> {
    const others = this.expected().filter((other) => other !== origin);
    await this.attempt(() => this.memento.update(stateIds.storedKeys, stored ? [...others, origin] : others));
  }

  private tell(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    const setKey = l10n.t('Set Session Key');
    void vscode.window
      .showWarningMessage(
        sentences(message, l10n.t('Check the keyring of your system, or set the key again.')),
        setKey,
      )
      .then((picked) => picked === setKey && vscode.commands.executeCommand(commandIds.sessionSetKey));
  }
}
