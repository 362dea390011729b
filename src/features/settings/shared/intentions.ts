import type { FormEdits, SecretTarget } from './form';
import type { McpEnvEntry, McpServer } from '../../../shared/mcp';
import { secretFields, type SecretIntention } from '../../../shared/settings';

/** The name by which the extension host knows the value of a variable. */
export function identityOf(entry: McpEnvEntry): string {
  return entry.originalName ?? entry.name;
}

/** The entry with another name. */
export function renamed(entry: McpEnvEntry, name: string): McpEnvEntry {
  const { originalName: _before, ...rest } = entry;
  const identity = identityOf(entry);
  return identity === name ? { ...rest, name } : { ...rest, name, originalName: identity };
}

/**
 * The server with another intention for one of its secrets.
 * @param identity identity of the variable, or null for the server's key
 */
export function withServerIntention(
  server: McpServer,
  identity: string | null,
  intention: SecretIntention,
): McpServer {
  if (identity === null) return { ...server, apiKey: { ...server.apiKey, intention } };
  const env = server.env.map((entry) => (identityOf(entry) === identity ? { ...entry, intention } : entry));
  return { ...server, env };
}

/**
 * The edits with another intention for the secret that `target` names.
 * @param held the MCP servers as the service holds them, for a list that was not touched yet
 */
export function withIntention(
  edits: FormEdits,
  held: readonly McpServer[],
  target: SecretTarget,
  intention: SecretIntention,
): FormEdits {
  if (target.at === 'field') {
    const { [target.field]: _before, ...rest } = edits.secrets;
    return { ...edits, secrets: intention === 'keep' ? rest : { ...rest, [target.field]: intention } };
  }
  // In an unchanged list, every secret is kept.
  if (edits.mcpServers === null && intention === 'keep') return edits;
  const identity = target.at === 'mcpEnv' ? target.name : null;
  const servers = edits.mcpServers ?? held;
  // The server may have been removed from the list.
  if (!servers.some(({ id }) => id === target.id)) return edits;
  return {
    ...edits,
    mcpServers: servers.map((server) =>
      server.id === target.id ? withServerIntention(server, identity, intention) : server,
    ),
  };
}

/** What saving the edits would do to secrets, except for those it keeps. */
export function intentionsOf({ secrets, mcpServers }: FormEdits): Intended[] {
  const fields = secretFields.map((field): Intended => ({
    target: { at: 'field', field },
    intention: secrets[field] ?? 'keep',
  }));
  const servers = (mcpServers ?? []).flatMap(({ id, apiKey, env }): Intended[] => [
    { target: { at: 'mcpApiKey', id }, intention: apiKey.intention },
    ...env.map((entry): Intended => {
      return { target: { at: 'mcpEnv', id, name: identityOf(entry) }, intention: entry.intention };
    }),
  ]);
  return [...fields, ...servers].filter(({ intention }) => intention !== 'keep');
}

interface Intended {
  target: SecretTarget;
  intention: SecretIntention;
}
