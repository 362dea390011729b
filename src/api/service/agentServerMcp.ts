import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import type { McpKind } from '../../shared/mcp';
import { concealing, withoutQuotedInput } from '../http/errorBody';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { ifThere, record } from './calls';
import { mapSecrets, maskedServers, toMap, withHeldSecrets } from './current/mcp';

/** An MCP server to test, as an object of the list of its kind. Contains secrets, or masks for what the service holds. */
export interface ServerToTest {
  kind: McpKind;
  server: JsonMembers;
  /** The name of the server on the service that masks stand for. */
  heldName: string | undefined;
}

/** How a test by the agent server ended. */
type ServerTestOutcome =
  | { ok: true; tools: readonly string[] }
  /** `error` is in the server’s words, without secrets. */
  | { ok: false; reason: 'timeout' | 'failed'; error: string }
  /** Nothing was tested: the release can’t, or a secret isn’t known. */
  | { ok: false; reason: 'unsupported' | 'masked' };

/** The test of an MCP server where agents run (docs/protocol/agent-server.md, “MCP servers of an agent server”). Throws ApiError. */
export interface ServerTestCalls {
  /** `POST /api/mcp/test`: connects to the server, or starts its command. */
  testServer(about: ServerToTest, signal?: AbortSignal): Promise<ServerTestOutcome>;
}

const outcomeSchema = z.object({
  ok: z.boolean(),
  tools: maybe(lenientList(z.string())),
  error: maybeText,
  error_kind: maybeText,
});

const heldSchema = z.object({
  agent_settings: z.object({ mcp_config: maybe(lenientMembers(z.custom<JsonMembers>(isJsonObject))) }),
});

/** Seconds. A command may have to be downloaded first. */
export const testSeconds = { sse: 15, shttp: 15, stdio: 60 } as const satisfies Record<McpKind, number>;

const types = { sse: 'sse', shttp: 'http', stdio: 'stdio' } as const;
const members = ['url', 'headers', 'auth', 'command', 'args', 'env', 'cwd'];
const empty = { sse_servers: [], stdio_servers: [], shttp_servers: [] };

/** The call that tests an MCP server on a standalone agent server. */
export function serverTestCalls(transport: Transport): ServerTestCalls {
  const held = async (name: string, signal?: AbortSignal) => {
    const headers = { 'X-Expose-Secrets': 'encrypted' };
    const call = { method: 'GET', route: '/api/settings', headers, read: record(heldSchema) } as const;
    return (await transport.request(call, signal)).agent_settings.mcp_config?.[name];
  };
  return {
    testServer: async ({ kind, server, heldName }, signal) => {
      let [entry = {}] = Object.values(toMap({ ...empty, [`${kind}_servers`]: [server] }).map);
      const isMasked = () => maskedServers({ '': entry }).length > 0;
      if (isMasked() && heldName !== undefined)
        entry = withHeldSecrets(entry, (await held(heldName, signal)) ?? {});
      if (isMasked()) return { ok: false, reason: 'masked' };
      const known = Object.entries(entry).filter(([name]) => members.includes(name));
      const timeout = testSeconds[kind];
      const secrets = mapSecrets({ '': entry });
      const body = { server: { ...Object.fromEntries(known), type: types[kind] }, timeout };
      const call = { method: 'POST', route: '/api/mcp/test', body, secrets } as const;
      const how = { timeoutMs: (timeout + 15) * 1000, read: record(outcomeSchema) };
      const outcome = await ifThere(transport, { ...call, ...how }, signal);
      if (!outcome) return { ok: false, reason: 'unsupported' };
      const { ok, tools, error, error_kind: failure } = outcome;
      if (ok) return { ok, tools: tools ?? [] };
      const words = withoutQuotedInput(concealing(secrets)(error ?? ''));
      return { ok, reason: failure === 'timeout' ? 'timeout' : 'failed', error: words };
    },
  };
}
