import type * as vscode from 'vscode';
import { parseExactly, stringifyExactly } from '../api/http/exactNumbers';
import { keptServersSecret } from '../ids';
import type { Json } from '../shared/json';
import { inTime, storageLimitMs } from './secretStorage';

/** MCP servers with their secrets that the user lets this computer keep: one secret for each base URL. Never rejects. */
export class KeptServers {
  constructor(
    private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
    private readonly limitMs = storageLimitMs,
  ) {}

  /** Undefined if none are kept; null if they can't be read now. */
  async read(baseUrl: string): Promise<Json | undefined> {
    const stored = await this.attempt(() => this.secrets.get(keptServersSecret(baseUrl)));
    if (stored === undefined || stored === null) return stored;
    try {
      return parseExactly(stored) as Json;
    } catch {
      this.log.warn('Can’t read the secrets that are kept for MCP servers.');
      return undefined;
    }
  }

  /** Reads back, because a storage may claim to have stored a secret when it hasn't. */
  async write(baseUrl: string, config: Json): Promise<boolean> {
    const key = keptServersSecret(baseUrl);
    const text = stringifyExactly(config);
    await this.attempt(() => this.secrets.store(key, text));
    return (await this.attempt(() => this.secrets.get(key))) === text;
  }

  /** False if they may still be there. */
  async remove(baseUrl: string): Promise<boolean> {
    const key = keptServersSecret(baseUrl);
    const done = await this.attempt(() => this.secrets.delete(key).then(() => true));
    return done === true;
  }

  private async attempt<T>(work: () => Thenable<T>): Promise<T | null> {
    try {
      return await inTime(work, 'The secret storage failed.', this.limitMs);
    } catch {
      this.log.warn('The secret storage failed for the secrets of MCP servers.');
      return null;
    }
  }
}
