import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { withoutQuotedInput } from '../http/errorBody';
import type { Transport } from '../http/transport';
import { maybe, maybeText } from '../lenient';
import { ifThere, readerOf, record } from './calls';
import { llmOf, type ModelProfiles, modelProfilesSchema, type NewModel } from './current/profiles';
import { modelCheckSchema } from './schemas/agentServer';

/** What a model profile says, besides its secrets. */
interface ModelProfileDetail {
  model: string;
  /** Null for the provider’s own. */
  baseUrl: string | null;
}

/** One change of a model profile: a member and what the user saw there, or a key. Null removes. */
export type ModelProfileChange =
  | { member: 'model' | 'base_url'; was: string | null; to: string | null }
  | { member: 'api_key'; to: string | null };

/**
 * What became of a change:
 * - `kept`
 * - `elsewhere`: nothing was sent, since another client has changed the same
 * - `unreadable`: nothing was sent, since the server can’t read the profile’s key, and would lose it
 * - `ignored`: the server has another value than the one sent
 */
export type ModelProfileOutcome = 'kept' | 'elsewhere' | 'unreadable' | 'ignored';

/** Whether a model answers the server. */
export interface ModelCheck {
  /** False for releases before 1.49, which can’t tell. */
  isSupported: boolean;
  /** What is wrong, in the server’s words without the input that they quote; undefined if nothing is known to be. */
  problem: string | undefined;
}

/** The model profiles of a standalone agent server (docs/protocol/agent-server.md, “LLM profiles of an agent server”). Throws ApiError. */
export interface ModelProfileCalls {
  /** `GET /api/profiles`. */
  listModelProfiles(signal?: AbortSignal): Promise<ModelProfiles>;
  /** `GET /api/meta-profiles`, since 1.58: the name of the one that chooses a model for each task; nothing for none. */
  activeMetaProfile(signal?: AbortSignal): Promise<string | null | undefined>;
  /** `GET /api/profiles/<name>`. */
  readModelProfile(name: string, signal?: AbortSignal): Promise<ModelProfileDetail>;
  /** `POST /api/profiles/<name>/validate`: asks the model once. */
  checkModel(model: NewModel, signal?: AbortSignal): Promise<ModelCheck>;
  /** The same for a stored profile, with the key that it has. */
  checkModelProfile(name: string, signal?: AbortSignal): Promise<ModelCheck>;
  /**
   * `POST /api/profiles/<name>`: replaces one of that name whole. Its answers come as they are written, like those of
   * what Agent Canvas starts.
   */
  saveModel(name: string, model: NewModel, signal?: AbortSignal): Promise<void>;
  /**
   * Changes one member of a profile. The profile is read with secrets that only the server can read, posted whole, and
   * read again: a post without the key would wipe it.
   */
  changeModelProfile(
    name: string,
    change: ModelProfileChange,
    signal?: AbortSignal,
  ): Promise<ModelProfileOutcome>;
}

const route = '/api/profiles';
const oneRoute = '/api/profiles/{id}';

/** Release 1.49 retries for a long time if it can’t reach a model. */
const checkTimeoutMs = 180_000;

const detailSchema = z.object({
  config: z.custom<JsonMembers>(isJsonObject),
  api_key_set: maybe(z.boolean()),
});

const metaSchema = z.object({ active_meta_profile: maybeText });

/** The calls for the model profiles of a standalone agent server. */
export function modelProfileCalls(transport: Transport): ModelProfileCalls {
  const get = readerOf(transport);
  const list = (signal?: AbortSignal) => get(route, modelProfilesSchema, signal, { elements: 'profiles' });

  const read = (name: string, signal?: AbortSignal, headers: Record<string, string> = {}) => {
    const call = { method: 'GET', route: oneRoute, id: name, exact: true, headers } as const;
    return transport.request({ ...call, read: record(detailSchema) }, signal);
  };
  const readEncrypted = async (name: string, signal?: AbortSignal) =>
    (await read(name, signal, { 'X-Expose-Secrets': 'encrypted' })).config;

  const save = (name: string, llm: object, secrets: string[], signal?: AbortSignal) => {
    const body = { llm, include_secrets: true };
    return transport.request({ method: 'POST', route: oneRoute, id: name, body, secrets }, signal);
  };

  const check = async (
    name: string,
    llm: object,
    secrets: string[],
    signal?: AbortSignal,
  ): Promise<ModelCheck> => {
    const call = { method: 'POST', route: `${oneRoute}/validate`, id: name, body: { llm } } as const;
    const how = { secrets, timeoutMs: checkTimeoutMs, read: record(modelCheckSchema) };
    const told = await ifThere(transport, { ...call, ...how }, signal);
    return {
      isSupported: told !== undefined,
      problem: !told || told.valid ? undefined : withoutQuotedInput(told.error?.message ?? ''),
    };
  };

  return {
    listModelProfiles: list,
    activeMetaProfile: async (signal) => {
      const read = record(metaSchema);
      const call = { method: 'GET', route: '/api/meta-profiles', read } as const;
      return (await ifThere(transport, call, signal))?.active_meta_profile;
    },
    readModelProfile: async (name, signal) => {
      const { config } = await read(name, signal);
      return { model: textIn(config, 'model') ?? '', baseUrl: textIn(config, 'base_url') };
    },
    checkModel: (model, signal) => check('new', llmOf(model), [model.key], signal),
    checkModelProfile: async (name, signal) => check(name, await readEncrypted(name, signal), [], signal),
    saveModel: (name, model, signal) => save(name, { ...llmOf(model), stream: true }, [model.key], signal),
    changeModelProfile: async (name, change, signal) => {
      const hasKey = (await list(signal)).profiles.find((one) => one.name === name)?.api_key_set;
      const config = await readEncrypted(name, signal);
      const { member, to } = change;
      const isLinked = textIn(config, 'provider_connection_id') !== null;
      if ('was' in change && textIn(config, member) !== change.was) return 'elsewhere';
      // The server clears the key and the address of a profile that has them from a provider connection.
      if (isLinked && member !== 'model') return 'elsewhere';
      const isUnreadable = hasKey === true && !isLinked && textIn(config, 'api_key') === null;
      if (isUnreadable && member !== 'api_key') return 'unreadable';
      const secrets = member === 'api_key' && to !== null ? [to] : [];
      await save(name, { ...config, [member]: to }, secrets, signal);
      const now = await read(name, signal);
      const isKept =
        member === 'api_key' ? now.api_key_set === (to !== null) : textIn(now.config, member) === to;
      return isKept ? 'kept' : 'ignored';
    },
  };
}

const textIn = (members: JsonMembers, name: string): string | null => {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
