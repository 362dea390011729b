import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { listOf, longText, shortText } from './bounded';
import { secretIntention, secretPresence } from './settings';
import { isAmbiguous, parseUrl } from './url';

/**
 * MCP servers as the form sees them: one list over the three lists of MCPConfig (docs/protocol/service.md,
 * “MCPConfig”). `api_key` and the values of `env` are secrets, so only whether they are set is here.
 */

/** The member of MCPConfig that a server belongs to. */
export const mcpKinds = ['sse', 'stdio', 'shttp'] as const;
export type McpKind = (typeof mcpKinds)[number];

/** Name of the list of a kind in `mcp_config`. */
export const listOfKind = { sse: 'sse_servers', stdio: 'stdio_servers', shttp: 'shttp_servers' } as const;

/** Wire names of the members of each kind. */
export const membersOfKind = {
  sse: { url: 'url', apiKey: 'api_key', enabled: 'enabled' },
  stdio: { name: 'name', command: 'command', args: 'args', env: 'env', enabled: 'enabled' },
  shttp: { url: 'url', apiKey: 'api_key', timeout: 'timeout', enabled: 'enabled' },
} as const;

/** A kind of server in words. */
export function kindLabel(kind: McpKind): string {
  const labels = { shttp: l10n.t('HTTP'), sse: l10n.t('SSE'), stdio: l10n.t('Command') };
  return labels[kind];
}

/** Why a bundle can’t be imported, and what to do. */
export const bundleWords = () =>
  l10n.t(
    'This is a bundle, which has the server’s program in it, so agents can’t run it. Add the server by its command or address, which its documentation has.',
  );

/** A secret of a server: whether the service has it, and what the next save does to it. */
const mcpSecret = z.strictObject({ presence: secretPresence, intention: secretIntention });
export type McpSecret = z.infer<typeof mcpSecret>;

/** An environment variable of a stdio server; the value stays in the extension host. */
const mcpEnvEntry = z.strictObject({
  ...mcpSecret.shape,
  name: longText,
  /**
   * Set once the entry was renamed in the form: the name under which the extension host has its value. Prompts for the
   * entry's secret still use it. If absent, that's `name`.
   */
  originalName: z.exactOptional(longText),
});
export type McpEnvEntry = z.infer<typeof mcpEnvEntry>;

/**
 * One server in the form. `id` is given by the extension host and stays the same while the server is edited, moved or
 * changes kind; a server added in the form has an id that begins with `new-`.
 */
export const mcpServer = z.strictObject({
  id: shortText,
  kind: z.enum(mcpKinds),
  /** sse and shttp. Kept for stdio too, so that a change of kind and back loses nothing. */
  url: longText,
  apiKey: mcpSecret,
  /** shttp only: seconds from 1 to 3600, null when the service's default applies. */
  timeout: z.nullable(z.number()),
  /** stdio. */
  name: longText,
  command: longText,
  args: listOf(longText),
  env: listOf(mcpEnvEntry),
  /** False if agents don’t get it; absent where the service can’t turn the server off. */
  enabled: z.exactOptional(z.boolean()),
  /** Only on a server added in the form: id of the server it's a copy of. Secrets that it keeps come from there. */
  copiedFrom: z.exactOptional(shortText),
});
export type McpServer = z.infer<typeof mcpServer>;

/** Everything a test of the server depends on, as far as the form knows. */
export function testedAs({ kind, url, apiKey, command, args, env }: McpServer): string[] {
  if (kind !== 'stdio') return [kind, url, apiKey.presence, apiKey.intention];
  return [kind, command, ...args, ...env.map((one) => [one.name, one.presence, one.intention].join(' '))];
}

/** URLs with these schemes always have a host. */
const schemes = ['http:', 'https:', 'ws:', 'wss:'];

/** The URL of an SSE or HTTP server. */
export const mcpUrlSchema = z.string().check(
  z.refine((value) => !isAmbiguous(value) && schemes.includes(parseUrl(value)?.protocol ?? ''), {
    error: () =>
      l10n.t('Enter an http, https, ws, or wss address with a host, such as https://mcp.example.com/mcp.'),
  }),
);

/** The name of a stdio server. */
export const mcpNameSchema = z.string().check(
  z.regex(/^[A-Za-z0-9_-]+$/, {
    error: () => l10n.t('Use only letters, digits, hyphens, and underscores.'),
  }),
);

/** The command of a stdio server. */
export const mcpCommandSchema = z.string().check(
  z.regex(/^\S+$/, {
    error: () => l10n.t('Enter a command without spaces. Its arguments go in the list below.'),
  }),
);

/** The timeout of an HTTP server, in seconds. */
export const mcpTimeoutSchema = z.nullable(
  z.number().check(
    z.refine((value) => Number.isInteger(value) && value >= 1 && value <= 3600, {
      error: () => l10n.t('Enter a whole number from 1 to {0}.', 3600),
    }),
  ),
);

/** The name of an environment variable. */
export const mcpEnvNameSchema = z
  .string()
  .check(z.regex(/^[^=\0\s]+$/, { error: () => l10n.t('Enter a name without spaces or “=”.') }));

/** In an `ErrorTarget`, the member that stands for the server as a whole. */
export const wholeServer = 'server';

/** What identifies a server to people and to the duplicate check: the URL, or the name of a stdio server. */
export function mcpLabel(server: Pick<McpServer, 'kind' | 'url' | 'name'>): string {
  return server.kind === 'stdio' ? server.name : server.url;
}
