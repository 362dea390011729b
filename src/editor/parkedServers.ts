import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseExactly, stringifyExactly } from '../api/http/exactNumbers';
import { inTime, storageLimitMs } from './secretStorage';
import type { Json } from '../shared/json';
import {
  parkedServerSchema,
  secretNames,
  type ParkableServer,
  type ParkedServer,
  type TakenServer,
} from '../shared/parked';

const listPrefix = 'agentWorkspace.parkedServer:';
const secretPrefix = 'agentWorkspace.parkedServerSecrets:';
/** No base URL has a fragment. */
const place = (baseUrl: string, id: string) => `${baseUrl}#${id}`;

/** Read from JSON. */
const secretSchema = z.object({ wire: z.custom<Json>((wire: unknown) => wire !== undefined) });

/**
 * Parked MCP servers by the base URL of their service. What may be shown is in the editor's global state, one entry per
 * server; the wire object with its secrets is one secret in the editor's secret storage.
 */
export class ParkedServers implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when a server was parked or removed, in this window or another. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly memento: Pick<vscode.Memento, 'get' | 'keys' | 'update'>,
    private readonly secrets: vscode.SecretStorage,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
    private readonly limitMs = storageLimitMs,
  ) {
    this.subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(secretPrefix)) this.changed.fire();
    });
  }

  /** The servers parked for a service, oldest first. Unreadable entries are skipped but kept. */
  list(baseUrl: string): ParkedServer[] {
    const prefix = listPrefix + place(baseUrl, '');
    const keys = this.memento.keys().filter((key) => key.startsWith(prefix));
    const servers = keys.flatMap((key) => this.read(key, key.slice(prefix.length)) ?? []);
    return servers.sort((one, other) => Date.parse(one.parkedAt) - Date.parse(other.parkedAt));
  }

  /**
   * Stores a server, its secrets first. If anything isn't stored, removes the rest and throws an error with a message
   * for the user.
   *
   * @param wire the server's object on the service, secrets included
   */
  async park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer> {
    const parked = { ...server, id: randomUUID(), parkedAt: new Date().toISOString() };
    const at = place(baseUrl, parked.id);
    try {
      if (secretNames(server).length > 0) await this.keepSecret(secretPrefix + at, wire);
      await this.memento.update(listPrefix + at, parked);
      if (this.read(listPrefix + at, parked.id) === undefined)
        throw new Error(l10n.t('The editor didn’t store the server, so it wasn’t parked.'));
    } catch (error) {
      await this.forget(at);
      throw error;
    }
    this.changed.fire();
    return parked;
  }

  /**
   * Reads a server with its secrets; it stays parked. Undefined if it's gone. Throws an error with a message for the
   * user if the secret storage can't be read, which doesn't mean that the secrets are gone.
   */
  async take(baseUrl: string, id: string): Promise<TakenServer | undefined> {
    const at = place(baseUrl, id);
    const server = this.read(listPrefix + at, id);
    if (server === undefined) return undefined;
    if (secretNames(server).length === 0) return { server, wire: undefined };
    const stored = await this.attempt(
      () => this.secrets.get(secretPrefix + at),
      l10n.t(
        'The editor’s secret storage can’t be read right now, so the server stays parked. Try again later.',
      ),
    );
    return { server, wire: stored === undefined ? undefined : this.wireIn(stored) };
  }

  /**
   * Deletes a server and its secrets; throws if the server is still there afterwards. Returns false if a secret may
   * still be there.
   */
  async remove(baseUrl: string, id: string): Promise<boolean> {
    const at = place(baseUrl, id);
    const server = this.read(listPrefix + at, id);
    const hasNone = server !== undefined && secretNames(server).length === 0;
    // The visible entry first: a leftover secret is better than a server without its secrets.
    await this.memento.update(listPrefix + at, undefined);
    const isGone = (await this.forgetSecret(at)) || hasNone;
    this.changed.fire();
    return isGone;
  }

  /**
   * Deletes every server of a service with its secrets, even unreadable ones. Returns false if a secret may still be
   * there; its server stays, so that both can be deleted later.
   */
  async removeAll(baseUrl: string): Promise<boolean> {
    const prefix = listPrefix + place(baseUrl, '');
    const keys = this.memento.keys().filter((key) => key.startsWith(prefix));
    let areGone = true;
    for (const key of keys) {
      if (await this.forgetSecret(key.slice(listPrefix.length))) await this.memento.update(key, undefined);
      else areGone = false;
    }
    if (keys.length > 0) this.changed.fire();
    return areGone;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private read(key: string, id: string): ParkedServer | undefined {
    const stored = this.memento.get<unknown>(key);
    if (stored === undefined) return undefined;
    const parsed = parkedServerSchema.safeParse(stored);
    if (parsed.success && parsed.data.id === id) return parsed.data;
    this.log.warn('Can’t read the entry of a parked MCP server; leaving it as it is.');
    return undefined;
  }

  private wireIn(stored: string): Json | undefined {
    try {
      return secretSchema.parse(parseExactly(stored)).wire;
    } catch {
      this.log.warn('Can’t read the secrets of a parked MCP server.');
      return undefined;
    }
  }

  /** Reads back, because a storage may claim to have stored a secret when it hasn't. */
  private async keepSecret(key: string, wire: Json): Promise<void> {
    const refusal = l10n.t(
      'The editor’s secret storage isn’t working, so the server wasn’t parked: its secrets would be lost. Check your system’s keyring.',
    );
    const text = stringifyExactly({ wire });
    await this.attempt(() => this.secrets.store(key, text), refusal);
    if ((await this.attempt(() => this.secrets.get(key), refusal)) !== text) throw new Error(refusal);
  }

  private async forget(at: string): Promise<void> {
    try {
      await this.memento.update(listPrefix + at, undefined);
    } catch {
      this.log.warn('Couldn’t remove the entry of an MCP server that wasn’t parked.');
    }
    await this.forgetSecret(at);
  }

  private async forgetSecret(at: string): Promise<boolean> {
    try {
      await this.attempt(() => this.secrets.delete(secretPrefix + at), '');
      return true;
    } catch {
      this.log.warn('Couldn’t delete the secrets of an MCP server that is no longer parked.');
      return false;
    }
  }

  private attempt<T>(work: () => Thenable<T>, refusal: string): Promise<T> {
    return inTime(work, refusal, this.limitMs);
  }
}
