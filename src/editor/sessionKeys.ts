import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, sessionKeySecret, stateIds } from '../ids';
import { sentences } from '../shared/joined';
import { inTime } from './secretStorage';

/** A keyring that asks for its password may take a while; one that hangs must not hold everything up. */
const secretTimeoutMs = 5_000;

type Attempt<T> = { ok: true; value: T } | { ok: false };

/** A change of an origin's key; undefined if there's no key anymore. */
export interface KeyChange {
  origin: string;
  sessionKey: string | undefined;
}

/**
 * Session keys, one per origin, in the editor's secret storage. A key that was entered in this window is used from
 * memory. If the storage throws, hangs or forgets it, the key lasts for the window, and a message says so once.
 */
export class SessionKeys implements vscode.Disposable {
  /** Keys entered in this window; undefined for one that was cleared here, whatever the storage still holds. */
  private readonly forThisWindow = new Map<string, string | undefined>();
  private readonly changed = new vscode.EventEmitter<KeyChange>();
  /** Fires when a key changed, in this window or another: in this one at once, before anything is stored. */
  readonly onDidChange = this.changed.event;
  /** How often the key of an origin has changed. */
  private readonly changes = new Map<string, number>();
  private readonly subscription: vscode.Disposable;
  private readonly told = new Set<string>();
  /**
   * How many writes of this window to an origin are under way. The storage's event comes before a write ends, or not at
   * all if the same key is stored again.
   */
  private readonly storing = new Map<string, number>();
  private readonly clearing = new Set<string>();

  /** `memento` remembers for which origins a key was stored, and never a key. */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly log: vscode.LogOutputChannel,
    private readonly timeoutMs = secretTimeoutMs,
  ) {
    this.onDidChange(({ origin }) => this.changes.set(origin, this.changesOf(origin) + 1));
    const prefix = sessionKeySecret('');
    this.subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) void this.followStorage(key.slice(prefix.length));
    });
  }

  async get(origin: string): Promise<string | undefined> {
    if (this.forThisWindow.has(origin)) return this.forThisWindow.get(origin);
    const changes = this.changesOf(origin);
    let reading: Thenable<string | undefined> | undefined;
    const read = await this.attempt(() => (reading = this.secrets.get(sessionKeySecret(origin))));
    // It may have been set or cleared here while the storage was read.
    if (this.forThisWindow.has(origin)) return this.forThisWindow.get(origin);
    if (!read.ok) {
      if (reading) void this.takeLate(origin, reading, changes);
      this.log.warn('Couldn’t read the secret storage.');
      this.tell(l10n.t('The editor’s secret storage can’t be read, so the session key isn’t available.'));
      return undefined;
    }
    if (read.value === undefined && this.expected().includes(origin)) {
      this.log.warn('The secret storage lost a session key.');
      await this.expect(origin, false);
      this.tell(l10n.t('The editor’s secret storage lost the session key for {0}.', origin));
    }
    return read.value;
  }

  /**
   * Uses the key of a read that ended after the timeout, such as when a keyring is unlocked, unless the key has changed
   * since.
   */
  private async takeLate(
    origin: string,
    reading: Thenable<string | undefined>,
    changes: number,
  ): Promise<void> {
    const sessionKey = await Promise.resolve(reading).catch(() => undefined);
    if (sessionKey === undefined || this.changesOf(origin) !== changes || this.forThisWindow.has(origin))
      return;
    // From memory: the storage may be just as slow next time.
    this.use(origin, sessionKey);
    this.changed.fire({ origin, sessionKey });
  }

  /** Whether this window has a key of an origin, or the storage was given one. Reads no secret. */
  has(origin: string): boolean {
    if (this.forThisWindow.has(origin)) return this.forThisWindow.get(origin) !== undefined;
    return this.expected().includes(origin);
  }

  /** Uses a key in this window only, without storing it. */
  use(origin: string, sessionKey: string): void {
    this.forThisWindow.set(origin, sessionKey);
  }

  async set(origin: string, sessionKey: string): Promise<void> {
    this.forThisWindow.set(origin, sessionKey);
    this.changed.fire({ origin, sessionKey });
    this.countStoring(origin, 1);
    const stored = await this.attempt(() => this.secrets.store(sessionKeySecret(origin), sessionKey));
    this.countStoring(origin, -1);
    // If the storage takes a key and doesn't return it, it has already lost the key.
    const kept = stored.ok ? await this.read(origin) : stored;
    if (kept.ok && kept.value === sessionKey) {
      await this.expect(origin, true);
    } else {
      this.log.warn('Couldn’t write to the secret storage.');
      this.tell(
        l10n.t(
          'The editor’s secret storage isn’t working, so the session key lasts only until this window closes.',
        ),
      );
    }
  }

  /** Ends the use of the key at once. Throws when the storage may still hold it. */
  async clear(origin: string): Promise<void> {
    this.forThisWindow.set(origin, undefined);
    this.changed.fire({ origin, sessionKey: undefined });
    await this.expect(origin, false);
    this.clearing.add(origin);
    const deleted = await this.attempt(() => this.secrets.delete(sessionKeySecret(origin)));
    this.clearing.delete(origin);
    if (!deleted.ok) {
      throw new Error(
        l10n.t(
          'The editor’s secret storage didn’t delete the session key. This window no longer uses it, but it may still be stored.',
        ),
      );
    }
    // Another window may have stored a key since.
    await this.followStorage(origin);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** A key that another window wrote is newer than this window's own. */
  private async followStorage(origin: string): Promise<void> {
    const isEcho = this.countStoring(origin, 0) > 0;
    const read = await this.read(origin);
    // The key read may be the one being deleted.
    if (this.clearing.has(origin)) return;
    const own = this.forThisWindow.get(origin);
    if (isEcho && (!read.ok || read.value === undefined || read.value === own)) return;
    // If the key can't be read, another window may have done anything to it, so this one must stop using it.
    const sessionKey = read.ok ? read.value : undefined;
    this.forThisWindow.delete(origin);
    if (read.ok) await this.expect(origin, sessionKey !== undefined);
    this.changed.fire({ origin, sessionKey });
  }

  private changesOf(origin: string): number {
    return this.changes.get(origin) ?? 0;
  }

  private countStoring(origin: string, change: 1 | 0 | -1): number {
    const count = (this.storing.get(origin) ?? 0) + change;
    this.storing.set(origin, count);
    return count;
  }

  private read(origin: string): Promise<Attempt<string | undefined>> {
    return this.attempt(() => this.secrets.get(sessionKeySecret(origin)));
  }

  /** Settles within the timeout, whatever the storage does. */
  private attempt<T>(work: () => Thenable<T>): Promise<Attempt<T>> {
    return inTime(work, '', this.timeoutMs).then(
      (value) => ({ ok: true, value }),
      () => ({ ok: false }),
    );
  }

  private expected(): readonly string[] {
    const stored = this.memento.get<unknown>(stateIds.storedKeys);
    return Array.isArray(stored) ? stored.filter((origin) => typeof origin === 'string') : [];
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
        sentences(message, l10n.t('Check your system’s keyring, or set the key again.')),
        setKey,
      )
      .then((picked) => picked === setKey && vscode.commands.executeCommand(commandIds.sessionSetKey));
  }
}
