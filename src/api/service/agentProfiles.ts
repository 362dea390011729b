import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { same } from '../../shared/same';
import { agentProfileName } from '../../shared/serviceNames';
import { ApiError } from '../http/errors';
import type { Transport } from '../http/transport';
import { maybe } from '../lenient';
import { lenientMembers } from '../../shared/members';
import { record } from './calls';

/** What agents an agent server can start, and how (docs/protocol/agent-server.md, “Agent profiles”). Throws ApiError. */
export interface AgentProfileCalls {
  /** `GET /api/agent-profiles/<name>`: all that it says. */
  readAgentProfile(name: string, signal?: AbortSignal): Promise<JsonMembers>;
  /** `POST /api/agent-profiles/<name>`: what isn’t given gets the server’s default. Replaces one of that name. */
  addAgentProfile(name: string, members: JsonMembers, signal?: AbortSignal): Promise<void>;
  /**
   * Reads a profile and posts all of it with these members changed: what a post lacks is reset. Resolves to whether the
   * server kept them.
   */
  changeAgentProfile(name: string, change: JsonMembers, signal?: AbortSignal): Promise<boolean>;
  /** `POST /api/agent-profiles/<id>/activate`: starts use it unless another one is chosen. */
  activateAgentProfile(id: string, signal?: AbortSignal): Promise<void>;
  /** `POST /api/agent-profiles/<name>/rename`. */
  renameAgentProfile(name: string, newName: string, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/agent-profiles/<name>`: succeeds as well if there is no such profile. */
  deleteAgentProfile(name: string, signal?: AbortSignal): Promise<void>;
  /** The names of the MCP servers in the settings, by `GET /api/settings`. */
  listServerNames(signal?: AbortSignal): Promise<string[]>;
}

const route = '/api/agent-profiles/{id}';

const detailSchema = z.object({ profile: z.custom<JsonMembers>(isJsonObject) });

const serversSchema = z.object({
  agent_settings: z.object({ mcp_config: maybe(lenientMembers(z.unknown())) }),
});

/** The calls for the agent profiles of a standalone agent server. */
export function agentProfileCalls(transport: Transport): AgentProfileCalls {
  const read = async (name: string, signal?: AbortSignal) => {
    const call = { method: 'GET', route, id: name, exact: true, read: record(detailSchema) } as const;
    return (await transport.request(call, signal)).profile;
  };
  const post = (id: string, body: object | undefined, signal?: AbortSignal, below = '') =>
    transport.request({ method: 'POST', route: `${route}${below}`, id, body }, signal);
  const named = (name: string, act: () => Promise<void>) =>
    agentProfileName.test(name) ? act() : Promise.reject(new ApiError('badId', 'POST', route));
  return {
    readAgentProfile: read,
    addAgentProfile: (name, members, signal) => named(name, () => post(name, { ...members, name }, signal)),
    changeAgentProfile: async (name, change, signal) => {
      await post(name, { ...(await read(name, signal)), ...change }, signal);
      const now = await read(name, signal);
      return Object.entries(change).every(([member, value]) => same(now[member] ?? null, value));
    },
    activateAgentProfile: (id, signal) => post(id, undefined, signal, '/activate'),
    renameAgentProfile: (name, newName, signal) =>
      named(newName, () => post(name, { new_name: newName }, signal, '/rename')),
    deleteAgentProfile: (name, signal) => transport.request({ method: 'DELETE', route, id: name }, signal),
    listServerNames: async (signal) => {
      const call = { method: 'GET', route: '/api/settings', read: record(serversSchema) } as const;
      return Object.keys((await transport.request(call, signal)).agent_settings.mcp_config ?? {});
    },
  };
}
