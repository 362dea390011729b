import * as z from 'zod/mini';
import { orElse } from '../../lenient';
import { lenientMembers } from '../../../shared/members';
import { outgoingEnvValue, outgoingSecret } from './secret';

/**
 * The configuration of tool servers (docs/protocol/service.md, “MCPConfig”). Nothing says what is required, so
 * everything may be absent. `api_key` and the values of `env` come in clear and are secrets.
 */

const text = orElse(z.string(), () => '');

/** Some services send the bare address in place of a server's object. */
function orBareUrl<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.transform((server: unknown) => (typeof server === 'string' ? { url: server } : server)),
    schema,
  );
}

/** A server reached by server-sent events (docs/protocol/service.md, “MCPConfig”). Its `api_key` is a secret. */
const sseServerSchema = z.looseObject({ url: text, api_key: z.nullish(z.string()) });

/** A server reached by streamable HTTP (docs/protocol/service.md, “MCPConfig”). Its `api_key` is a secret. */
const shttpServerSchema = z.looseObject({
  url: text,
  api_key: z.nullish(z.string()),
  /** Seconds. */
  timeout: z.nullish(z.number()),
});

const envValue = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value: string | number | boolean) => String(value)),
);

/**
 * A server that the sandbox runs as a command (docs/protocol/service.md, “MCPConfig”). The values of its `env` are
 * secrets.
 */
const stdioServerSchema = z.looseObject({
  name: text,
  command: text,
  args: orElse(z.array(z.string()), () => []),
  env: orElse(lenientMembers(envValue), () => ({})),
});

/** MCPConfig as it is read. A list that is absent or null stays so: nothing says that it is empty. */
export const mcpConfigSchema = z.looseObject({
  sse_servers: z.nullish(z.array(orBareUrl(sseServerSchema))),
  stdio_servers: z.nullish(z.array(stdioServerSchema)),
  shttp_servers: z.nullish(z.array(orBareUrl(shttpServerSchema))),
});

/** MCPConfig as it is sent: the right types, no masked secret. Servers that the user did not touch go as they came. */
export const mcpConfigBodySchema = z.looseObject({
  sse_servers: z.array(z.looseObject({ url: z.string(), api_key: z.nullish(outgoingSecret) })),
  stdio_servers: z.array(
    z.looseObject({
      name: z.string(),
      command: z.string(),
      args: z.array(z.string()),
      env: lenientMembers(outgoingEnvValue),
    }),
  ),
  shttp_servers: z.array(
    z.looseObject({
      url: z.string(),
      api_key: z.nullish(outgoingSecret),
      timeout: z.nullish(z.number()),
    }),
  ),
});
/** What `mcpConfigBodySchema` lets through. */
export type McpConfigBody = z.infer<typeof mcpConfigBodySchema>;

/** Every secret of a configuration to send. */
export function mcpSecrets(config: McpConfigBody | null | undefined): string[] {
  if (config === null || config === undefined) return [];
  const keys = [...config.sse_servers, ...config.shttp_servers].map((server) => server.api_key ?? '');
  return [...keys, ...config.stdio_servers.flatMap((server) => Object.values(server.env))];
}
