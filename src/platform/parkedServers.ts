import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { jsonSchema, type Json } from '../shared/json';
import {
  parkedServerSchema,
  secretNames,
  type ParkableServer,
  type ParkedServer,
  type TakenServer,
} from '../shared/parked';

/** A secret storage that waits for a keyring dialogue nobody sees would hold everything up. */
const storageLimitMs = 15_000;

const listPrefix = 'agentWorkspace.parkedServer:';
const secretPrefix = 'agentWorkspace.parkedServerSecrets:';
/** No base URL has a fragment. */
const place = (baseUrl: string, id: string) => `${baseUrl}#${id}`;

const secretSchema = z.object({ wire: jsonSchema });

/**
 * MCP servers that were taken off a service, by its base URL. What may be shown is in the editor's global state, an entry
 * of its own for each server; its wire object, secrets and all, is one secret in the editor's secret storage.
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

  /** The servers parked for a service, the oldest first. What cannot be read is left where it is. */
  list(baseUrl: string): ParkedServer[] {
    const prefix = listPrefix + place(baseUrl, '');
    const keys = this.memento.keys().filter((key) => key.startsWith(prefix));
    const servers = keys.flatMap((key) => this.read(key, key.slice(prefix.length)) ?? []);
    return servers.sort((one, other) => Date.parse(one.parkedAt) - Date.parse(other.parkedAt));
  }

  /**
   * Keeps a server, its secrets first. Throws an error in words for the user when they, or the entry, are not kept; then
   * nothing is left behind.
   *
   * @param wire the server's object as the service has it, secrets included
   */
  async park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer> {
    const parked = { ...server, id: randomUUID(), parkedAt: new Date().toISOString() };
    const at = place(baseUrl, parked.id);
    try {
      if (secretNames(server).length > 0) await this.keepSecret(secretPrefix + at, wire);
      await this.memento.update(listPrefix + at, parked);
      if (this.read(listPrefix + at, parked.id) === undefined)
        throw new Error(l10n.t('The editor did not keep the server, so it is not parked.'));
    } catch (error) {
      await this.forget(at);
      throw error;
    }
    this.changed.fire();
    return parked;
  }

  /**
   * A server with its secrets, which stays parked. Undefined when it is not there any more. Throws an error in words for
   * the user when the secret storage cannot be read, which does not mean that the secrets are gone.
   */
  async take(baseUrl: string, id: string): Promise<TakenServer | undefined> {
    const at = place(baseUrl, id);
    const server = this.read(listPrefix + at, id);
    if (server === undefined) return undefined;
    if (secretNames(server).length === 0) return { server, wire: undefined };
    const stored = await this.attempt(
      () => this.secrets.get(secretPrefix + at),
      l10n.t('The editor’s secret storage cannot be read now, so the server stays parked. Try again later.'),
    );
    return { server, wire: stored === undefined ? undefined : this.wireIn(stored) };
  }

  /** Forgets a server and its secrets; throws when it is still there afterwards. */
  async remove(baseUrl: string, id: string): Promise<void> {
    const at = place(baseUrl, id);
    // First what shows it: a secret that stays behind is better than a server without its secrets.
    await this.memento.update(listPrefix + at, undefined);
    await this.forgetSecret(at);
    this.changed.fire();
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
    this.log.warn('The entry of a parked MCP server cannot be read; it is left as it is.');
    return undefined;
  }

  private wireIn(stored: string): Json | undefined {
    try {
      return secretSchema.parse(JSON.parse(stored)).wire;
    } catch {
      this.log.warn('The secrets of a parked MCP server cannot be read.');
      return undefined;
    }
  }

  /** A storage may say that it kept a secret and not have done so. */
  private async keepSecret(key: string, wire: Json): Promise<void> {
    const refusal = l10n.t(
      'The editor’s secret storage does not work, so the server is not parked: its secrets would be lost. Check the keyring of your system.',
    );
    const text = JSON.stringify({ wire });
    await this.attempt(() => this.secrets.store(key, text), refusal);
    if ((await this.attempt(() => this.secrets.get(key), refusal)) !== text) throw new Error(refusal);
  }

  private async forget(at: string): Promise<void> {
    try {
      await this.memento.update(listPrefix + at, undefined);
    } catch {
      this.log.warn('The entry of an MCP server that was not parked could not be taken back.');
    }
    await this.forgetSecret(at);
  }

  private async forgetSecret(at: string): Promise<void> {
    try {
      await this.attempt(() => this.secrets.delete(secretPrefix + at), '');
    } catch {
      this.log.warn('The secrets of an MCP server that is not parked any more could not be deleted.');
    }
  }

  /** What the secret storage answers in time; rejects with `refusal` otherwise, as the storage's own words may tell a secret. */
  private async attempt<T>(work: () => Thenable<T>, refusal: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(refusal)), this.limitMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch {
      throw new Error(refusal);
    } finally {
      clearTimeout(timer);
    }
  }
}
