import type { ApiClient } from '../../../../api/service/client';
import type { SaveNote } from '../../shared/form';
import { mcpLabel, type McpServer } from '../../../../shared/mcp';

/**
 * MCP servers known to come from the administrator's configuration because they came back after being deleted. Nothing
 * else distinguishes them.
 */
export class OperatorServers {
  private readonly known = new WeakMap<ApiClient, Set<string>>();

  /** Learns from the notes of a save which of the servers read back came back. */
  learn(client: ApiClient, servers: readonly McpServer[], notes: readonly SaveNote[]): void {
    for (const { kind, target } of notes) {
      const server = target.at === 'mcp' && servers.find(({ id }) => id === target.id);
      if (kind === 'returned' && server) this.add(client, server);
    }
  }

  /** Records `server` as one of them. */
  add(client: ApiClient, server: McpServer): void {
    const known = this.known.get(client) ?? new Set();
    this.known.set(client, known.add(keyOf(server)));
  }

  /** Ids of the known ones among `servers`, which are all servers the service has. */
  among(client: ApiClient, servers: readonly McpServer[]): string[] {
    const present = servers.filter((server) => this.known.get(client)?.has(keyOf(server)));
    // If one is gone, the administrator removed it; if it comes back, it may be the user's own.
    this.known.set(client, new Set(present.map(keyOf)));
    return present.map(({ id }) => id);
  }
}

/** Ids change when the settings are read again. */
const keyOf = (server: McpServer) => `${server.kind} ${mcpLabel(server)}`;
