import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { withoutQuotedInput } from '../http/errorBody';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { optional, record } from './calls';

/** A sign-in to an MCP server that was begun. */
export interface McpSignIn {
  /** The name of the server on the service. */
  readonly name: string;
  /** Its id on the service, which forgets it after 15 minutes. */
  readonly job: string;
  /** Where to sign in; undefined if an earlier sign-in still holds. */
  readonly address: string | undefined;
}

/** How far a sign-in is. */
export type McpSignInState =
  | { kind: 'waiting' }
  /** `state` is for `keepSignIn` only: it has the tokens, encrypted by the service. */
  | { kind: 'done'; tools: number; state: JsonMembers | undefined }
  /** `error` is in the server’s words, without what these quote. */
  | { kind: 'failed'; error: string };

/**
 * Signing in to an MCP server where agents run (docs/protocol/agent-server.md, “MCP servers of an agent server”). The
 * browser that the user signs in with ends at an address of the service’s computer. Throws ApiError.
 */
export interface McpSignInCalls {
  /** `POST /api/mcp/oauth/start`, for a server with a URL that the service has. */
  startSignIn(name: string, signal?: AbortSignal): Promise<McpSignIn | { error: string }>;
  /** `GET /api/mcp/oauth/status/<job>`. */
  signInState(signIn: McpSignIn, signal?: AbortSignal): Promise<McpSignInState>;
  /** `POST /api/mcp/oauth/callback/<job>`: the address that the browser ended at, for a browser that can’t reach it. */
  returnSignIn(signIn: McpSignIn, address: string, signal?: AbortSignal): Promise<McpSignInState>;
  /** `PATCH /api/settings`: agents use the sign-in from their next conversation on, in place of any key. */
  keepSignIn(name: string, state: JsonMembers, signal?: AbortSignal): Promise<void>;
}

const members = z.custom<JsonMembers>(isJsonObject);
const heldSchema = z.object({
  agent_settings: z.object({ mcp_config: maybe(lenientMembers(members)) }),
});
const startSchema = z.object({
  ok: z.boolean(),
  job_id: maybeText,
  authorization_url: maybeText,
  error: maybeText,
});
const stateSchema = z.object({
  status: z.string(),
  tools: maybe(lenientList(z.string())),
  oauth_state: maybe(members),
  error: maybeText,
});

/** Seconds that the service waits for the MCP server, and for the user. */
const patience = 120;

const strategy = 'oauth2';

/** The calls that sign in to MCP servers of a standalone agent server. */
export function mcpSignInCalls(transport: Transport): McpSignInCalls {
  const held = async (name: string, signal?: AbortSignal): Promise<JsonMembers> => {
    const headers = { 'X-Expose-Secrets': 'encrypted' };
    const call = { method: 'GET', route: '/api/settings', headers, read: record(heldSchema) } as const;
    return (await transport.request(call, signal)).agent_settings.mcp_config?.[name] ?? {};
  };
  const stateOf = ({ status, tools, oauth_state: state, error }: z.infer<typeof stateSchema>) => {
    if (status === 'failed') return { kind: 'failed', error: withoutQuotedInput(error ?? '') } as const;
    if (status !== 'succeeded') return { kind: 'waiting' } as const;
    return { kind: 'done', tools: tools?.length ?? 0, state: state ?? undefined } as const;
  };
  const signInState = async ({ job }: McpSignIn, signal?: AbortSignal): Promise<McpSignInState> => {
    const call = { method: 'GET', route: '/api/mcp/oauth/status/{id}', id: job } as const;
    return stateOf(await transport.request({ ...call, read: record(stateSchema) }, signal));
  };
  /** 1.49 waits in vain for an address if an earlier sign-in still holds. */
  const isDone = async (begun: McpSignIn, signal?: AbortSignal) =>
    (await signInState(begun, signal)).kind === 'done';
  return {
    startSignIn: async (name, signal) => {
      const { url, transport: how, headers, auth } = await held(name, signal);
      const server = {
        url,
        type: how === 'sse' ? 'sse' : 'http',
        headers: isJsonObject(headers) ? withoutAuthorization(headers) : {},
        auth: isJsonObject(auth) && auth['strategy'] === strategy ? auth : { strategy },
      };
      const body = { name, server, timeout: patience };
      const call = { method: 'POST', route: '/api/mcp/oauth/start', body, ...optional } as const;
      const started = await transport.request({ ...call, read: record(startSchema) }, signal);
      const { ok, job_id: job, authorization_url: address, error } = started;
      const begun = job ? { name, job, address: address ?? undefined } : undefined;
      if (begun && (ok || (await isDone(begun, signal)))) return begun;
      return { error: withoutQuotedInput(error ?? '') };
    },
    signInState,
    returnSignIn: async ({ job }, address, signal) => {
      const call = { method: 'POST', route: '/api/mcp/oauth/callback/{id}', id: job } as const;
      const body = { callback_url: address };
      const how = { body, secrets: [address], once: true, read: record(stateSchema) };
      return stateOf(await transport.request({ ...call, ...how }, signal));
    },
    keepSignIn: async (name, state, signal) => {
      const { headers } = await held(name, signal);
      const known = isJsonObject(headers) ? Object.keys(headers) : [];
      const keys = known.filter(isAuthorization);
      const server = {
        auth: { strategy, state },
        ...(keys.length > 0 && { headers: nulls(keys) }),
      };
      const body = { agent_settings_diff: { mcp_config: { [name]: server } } };
      await transport.request({ method: 'PATCH', route: '/api/settings', body }, signal);
    },
  };
}

const isAuthorization = (name: string) => name.toLowerCase() === 'authorization';

const withoutAuthorization = (headers: JsonMembers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isAuthorization(name)));

const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
