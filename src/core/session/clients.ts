import type { ApiClient } from '../../api/service/client';
import type { Connection } from '../../shared/connection';

/**
 * Creates the clients of this window, and ends those whose session key was cleared or replaced, or whose connection is
 * gone: from then on, no request carries the old key, whatever was in progress.
 */
export class Clients {
  /** By origin and key. */
  private readonly lives = new Map<string, Map<string, AbortController>>();

  constructor(
    private readonly make: (connection: Connection, sessionKey: string, ended: AbortSignal) => ApiClient,
  ) {}

  /** A client that lasts as long as its key. */
  readonly create = (connection: Connection, sessionKey: string): ApiClient =>
    this.make(connection, sessionKey, this.endOf(connection.origin, sessionKey));

  /** Aborted when the key of `origin` is no longer `sessionKey`. */
  readonly endOf = (origin: string, sessionKey: string): AbortSignal => {
    const keys = this.lives.get(origin) ?? new Map<string, AbortController>();
    const life = keys.get(sessionKey) ?? new AbortController();
    this.lives.set(origin, keys.set(sessionKey, life));
    return life.signal;
  };

  /** Ends all clients of origins without a connection anymore: one was removed, or has another address. */
  connectionsChanged(connections: readonly Connection[]): void {
    for (const known of this.lives.keys())
      if (!connections.some(({ origin }) => origin === known)) this.keyChanged(known, undefined);
  }

  /** Ends all clients of `origin` with another key than `sessionKey`; undefined means that the key was cleared. */
  keyChanged(origin: string, sessionKey: string | undefined): void {
    const keys = this.lives.get(origin);
    for (const [key, life] of keys ?? []) {
      if (key === sessionKey) continue;
      keys?.delete(key);
      life.abort();
    }
  }
}
