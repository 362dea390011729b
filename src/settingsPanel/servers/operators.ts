import type { ApiClient } from '../../api/client';
import type { SaveNote } from '../../shared/form';
import { mcpLabel, type McpServer } from '../../shared/mcp';

/**
 * MCP servers that turned out to come from the configuration of a service's operator, because they were there again
 * after they were deleted. Nothing else tells them from others.
 */
export class OperatorServers {
  private readonly known = new WeakMap<ApiClient, Set<string>>();

  /** Takes in what the notes of a save tell about the servers that it was read back with. */
  learn(client: ApiClient, servers: readonly McpServer[], notes: readonly SaveNote[]): void {
    for (const { kind, target } of notes) {
      const server = target.at === 'mcp' && servers.find(({ id }) => id === target.id);
      if (kind === 'returned' && server) this.add(client, server);
    }
  }

  /** Takes in that `server` is one of them. */
  add(client: ApiClient, server: McpServer): void {
    const known = this.known.get(client) ?? new Set();
    this.known.set(client, known.add(keyOf(server)));
  }

  /** Ids of those of `servers`, of all that the service holds, that are known to be the operator's. */
  among(client: ApiClient, servers: readonly McpServer[]): string[] {
    const present = servers.filter((server) => this.known.get(client)?.has(keyOf(server)));
    // One that is gone was taken away by the operator; if it comes again, it may be the user's own.
    this.known.set(client, new Set(present.map(keyOf)));
    return present.map(({ id }) => id);
  }
}

/** Ids change when the settings are read anew. */
const keyOf = (server: McpServer) => `${server.kind} ${mcpLabel(server)}`;
