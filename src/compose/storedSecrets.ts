import type { ApiClient } from '../api/service/client';
import type { Connection } from '../shared/connection';
import type { Json } from '../shared/json';
import { type KnownSecrets, secretValues } from '../features/transcript';

/** The MCP servers with secrets that this computer has for a connection. */
interface StoredServers {
  servers: Json[];
  /** Whether some couldn’t be read. */
  unread: boolean;
}

interface Needs {
  known: KnownSecrets;
  readKey: (origin: string) => Promise<string | undefined>;
  readServers: (connection: Connection) => Promise<StoredServers>;
}

/** Makes the secrets known that this computer and the service have for a connection. */
export class StoredSecrets {
  private readonly readings = new Map<string, Promise<void>>();
  private readonly asked = new WeakSet<object>();
  /** Whether the last reading failed for some. */
  unread = false;

  constructor(private readonly needs: Needs) {}

  /** Reads them, unless they were read and haven’t changed since. Never rejects. */
  async read(connection: Connection, client: Pick<ApiClient, 'getSettings' | 'sandboxes'>): Promise<void> {
    this.askService(client);
    const { baseUrl } = connection;
    const reading = this.readings.get(baseUrl) ?? this.readStored(connection);
    this.readings.set(baseUrl, reading);
    await reading;
    if (this.unread) this.forget();
  }

  /** They have changed, or another try may succeed. */
  forget(): void {
    this.readings.clear();
  }

  private async readStored(connection: Connection): Promise<void> {
    const { known, readKey, readServers } = this.needs;
    const [key, { servers, unread }] = await Promise.all([
      readKey(connection.origin),
      readServers(connection),
    ]);
    this.unread = unread;
    known.learn([key, ...servers.flatMap((server) => secretValues(server))]);
  }

  /** The service’s own MCP servers become known with its settings; nothing waits for them. */
  private askService(client: Pick<ApiClient, 'getSettings' | 'sandboxes'>): void {
    if (this.asked.has(client) || !client.sandboxes) return;
    this.asked.add(client);
    void client.getSettings().catch(() => this.asked.delete(client));
  }
}
