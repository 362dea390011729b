import { isJsonObject } from '../../shared/json';
import { ApiError, isSettingsNotFound } from '../http/errors';
import type { Transport } from '../http/transport';
import { recognizeAgentServer, type ServerMemory } from './agentServer';
import { agentServerSettings } from './agentServerSettings';
import { hasStatus } from './calls';
import { currentSettings } from './current/settings';
import { firstSettings, firstSettingsRoute } from './firstSettings';
import type { ServiceSettings } from './schemas/settings';
import type { SettingsCalls } from './settingsCalls';
import { isRouteMissing } from './storedEvents';

/**
 * The generations of the service, as far as this client speaks to them in different ways (docs/protocol/generations.md,
 * “Telling generations apart”):
 * - `first`: settings at `/api/settings`, replaced by each save; the specification describes it
 * - `current`: settings at `/api/v1/settings`, of which a save changes only a part
 * - `agentServer`: no such service, but the server of a sandbox by itself
 */
export const allGenerations = ['first', 'current', 'agentServer'] as const;
/** One of `allGenerations`. */
export type Generation = (typeof allGenerations)[number];

/** Remembers what the service at each base URL is, for as long as it likes. */
export interface GenerationMemory extends ServerMemory {
  /** Undefined if none was seen. */
  get(baseUrl: string): Generation | undefined;
  /** The generation that an answer has just shown. */
  set(baseUrl: string, generation: Generation): void;
}

/** A memory for one client. */
export function ownMemory(): GenerationMemory {
  const generations = new Map<string, Generation>();
  const containers = new Map<string, boolean>();
  return {
    get: (baseUrl) => generations.get(baseUrl),
    set: (baseUrl, generation) => void generations.set(baseUrl, generation),
    hasContainers: (baseUrl) => containers.get(baseUrl) === true,
    setHasContainers: (baseUrl, has) => void containers.set(baseUrl, has),
  };
}

/** The generations of services proper. */
type Spoken = Exclude<Generation, 'agentServer'>;

/**
 * The settings of a service of any generation. Detecting it costs no extra request: the route of the remembered
 * generation (by default the first) is asked first, and the other one only if that doesn't have the settings or refuses
 * them. A proxy can answer in place of a service, so only settings, or that there are none yet, prove a generation: a
 * refusal never does, and one that was remembered wrongly is found out.
 */
export function settingsOf(transport: Transport, memory: GenerationMemory): SettingsCalls {
  const { baseUrl } = transport;
  const calls: Readonly<Record<Generation, SettingsCalls>> = {
    first: firstSettings(transport),
    current: currentSettings(transport),
    agentServer: agentServerSettings(transport),
  };
  const known = (): Generation => memory.get(baseUrl) ?? 'first';
  const remember = (generation: Generation) => {
    if (memory.get(baseUrl) !== generation) memory.set(baseUrl, generation);
  };

  const readAs = async (
    generation: Spoken,
    signal: AbortSignal | undefined,
    forEditing: boolean | undefined,
  ): Promise<ServiceSettings> => {
    try {
      const settings = await calls[generation].getSettings(signal, forEditing);
      if (generation === 'current' || !isAgentServer(settings)) {
        remember(generation);
        return settings;
      }
    } catch (error) {
      if (isSettingsNotFound(error)) remember(generation);
      throw error;
    }
    const info = await recognizeAgentServer(transport, signal);
    // A proxy may lead there from both routes.
    if (!info && (await isCurrent(signal))) return readAs('current', signal, forEditing);
    remember('agentServer');
    if (forEditing) return calls.agentServer.getSettings(signal);
    throw new ApiError('agentServer', 'GET', firstSettingsRoute, { release: info?.release });
  };

  const isCurrent = async (signal: AbortSignal | undefined): Promise<boolean> => {
    try {
      await calls.current.getSettings(signal);
      return true;
    } catch (error) {
      if (isElsewhere(error)) return false;
      throw error;
    }
  };

  return {
    getSettings: async (signal, forEditing) => {
      const expected: Spoken = known() === 'current' ? 'current' : 'first';
      try {
        if (forEditing && known() === 'agentServer') return await calls.agentServer.getSettings(signal);
      } catch (error) {
        // A service may be there by now.
        if (!isElsewhere(error)) throw error;
      }
      try {
        return await readAs(expected, signal, forEditing);
      } catch (error) {
        // Without a memory of such a service, there's nothing to correct.
        const isRefused = memory.get(baseUrl) === expected && isRefusal(error);
        if (!isElsewhere(error) && !isRefused) throw error;
        const other: Spoken = expected === 'first' ? 'current' : 'first';
        return await readAs(other, signal, forEditing).catch((otherError: unknown) => {
          if (isSettingsNotFound(otherError) || isOfAgentServer(otherError)) throw otherError;
          // There's no other route on this service, so the refusal is its own.
          throw isRefused || isElsewhere(otherError) || isOfSomethingElse(otherError) ? error : otherError;
        });
      }
    },
    postSettings: (...args) => calls[known()].postSettings(...args),
    addGitProviders: (body, signal) => calls[known()].addGitProviders(body, signal),
    unsetProviderTokens: (signal) => calls[known()].unsetProviderTokens(signal),
    describeFields: (agentKind, signal) => calls[known()].describeFields(agentKind, signal),
    listModels: (signal) => calls[known()].listModels(signal),
    listAgents: (signal) => calls[known()].listAgents(signal),
    listSecurityAnalyzers: (signal) => calls[known()].listSecurityAnalyzers(signal),
    abilities: (settings) => calls[known()].abilities(settings),
  };
}

/** The settings aren't at this route: no such route, or a web page or something else in its place. */
function isElsewhere(error: unknown): boolean {
  const isOther = error instanceof ApiError && error.reason === 'badShape';
  return isOther || (isRouteMissing(error) && !isSettingsNotFound(error));
}

/** The service, or a proxy in front of it, has the route and doesn't give the settings. */
const isRefusal = (error: unknown) => hasStatus(error, 401, 403, 500);

const isOfAgentServer = (error: unknown) => error instanceof ApiError && error.reason === 'agentServer';

/** A refusal without any text, such as a login page: it isn't about settings. */
const isOfSomethingElse = (error: unknown) =>
  error instanceof ApiError && hasStatus(error, 401, 403) && error.serverText === undefined;

/** An agent server has settings at the same route as the first generation, in the shape of the current one. */
const isAgentServer = (settings: ServiceSettings) => isJsonObject(settings['agent_settings']);
