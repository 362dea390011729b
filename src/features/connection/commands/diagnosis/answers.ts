import { type ApiClient, createClient, type ClientOptions } from '../../../../api/service/client';
import { checkConnection, type ConnectionCheck } from '../../../../api/service/connectionCheck';
import { concealing } from '../../../../api/http/errorBody';
import { ApiError, isSettingsNotFound, refusesKey } from '../../../../api/http/errors';
import { ownMemory } from '../../../../api/service/generation';
import type { RequestEvent } from '../../../../api/http/transport';
import type { Network } from '../../../../editor/network';

/** One request of the diagnosis and its outcome; `expected` as in RequestEvent. */
export interface EndpointAnswer extends Pick<
  RequestEvent,
  'method' | 'route' | 'status' | 'ms' | 'bytes' | 'expected'
> {
  tries: number;
  /** As the service names it, without parameters. */
  contentType: string | undefined;
  error: ApiError | undefined;
}

/** Who asks, and over which network. */
export interface Caller {
  sessionKey: string | undefined;
  /** As in TransportOptions. */
  authentication?: ClientOptions['authentication'];
  organization?: string | undefined;
  /** Aborted when the key is cleared or replaced. */
  ended?: AbortSignal | undefined;
  network: Network;
  /** The computer's time and the limits of all clients by default. */
  timing?: Pick<ClientOptions, 'clock' | 'limiter'> | undefined;
}

/** Whether the service asks for the session key. */
type KeyEnforcement = { kind: 'yes' | 'no' } | { kind: 'unknown'; error: ApiError };

export interface DiagnosisAnswers {
  check: ConnectionCheck;
  enforcement: KeyEnforcement;
  /** Whether it asks for the key where sandboxes and conversations are; up to release 1.4, it doesn’t. */
  listsEnforcement: KeyEnforcement;
  /** What the service can do; undefined where no answer told it. */
  service: ApiClient | undefined;
  /** As the service names it; undefined if it doesn't. */
  release: string | undefined;
  endpoints: EndpointAnswer[];
}

/** What a client for a diagnosis is made with. */
interface Means extends Pick<ClientOptions, 'authentication' | 'organization' | 'generations' | 'ended'> {
  network: Network;
  timing: Caller['timing'];
  /** Blots out the key. */
  hide: (text: string) => string;
}

/** Sent where no key is stored: only the probe goes without one. */
const madeUpKey = 'diagnosis';

/** Asks each endpoint that only reads, one after the other, and one of them without the key. */
export async function askEndpoints(
  baseUrl: string,
  { sessionKey, authentication, organization, ended, network, timing }: Caller,
  signal: AbortSignal,
): Promise<DiagnosisAnswers> {
  const endpoints: EndpointAnswer[] = [];
  const generations = ownMemory();
  const key = sessionKey ?? madeUpKey;
  const hide = concealing([key]);
  const keyless = { authentication, organization, network, timing, generations, hide };
  const { client, events, types } = watchedClient(baseUrl, key, { ...keyless, ended });
  const ask = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    let error: ApiError | undefined;
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason === 'canceled') throw thrown;
      error = thrown;
      return undefined;
    } finally {
      endpoints.push(...answersOf(events.splice(0), types, error));
    }
  };
  const check = await checkConnection(client, signal);
  const failed = 'error' in check ? check.error : undefined;
  if (failed?.reason === 'canceled') throw failed;
  endpoints.push(...answersOf(events.splice(0), types, failed));
  // An agent server identifies itself with any key.
  const recognized =
    check.kind === 'refused' ? await ask(() => client.recognizeAgentServer(signal)) : undefined;
  const service = generations.get(client.baseUrl) && client;
  const { sandboxes } = client;
  const one = { limit: 1 };
  if (!sandboxes) await ask(() => client.listConversations(one, signal));
  // If nothing answers at all, more requests would say the same.
  else if (failed === undefined || failed.status !== undefined) {
    await ask(() => sandboxes.searchSandboxes(one, signal));
    await ask(() => sandboxes.searchSandboxSpecs(one, signal));
    await ask(() => client.listConversations(one, signal));
    await ask(() => client.listModels(signal));
    await ask(() => client.listAgents(signal));
    await ask(() => client.listSecurityAnalyzers(signal));
  }
  const release =
    sandboxes === undefined
      ? (check.kind === 'agentServer' ? check : recognized)?.release
      : service && (await ask(() => client.getRelease(signal)));
  const { client: keyFree } = watchedClient(baseUrl, null, keyless);
  return {
    check,
    enforcement: await keyEnforcement(keyFree.getSettings(signal)),
    listsEnforcement: await keyEnforcement(
      keyFree.sandboxes?.searchSandboxes(one, signal) ?? keyFree.listConversations(one, signal),
    ),
    service,
    release: release && hide(release),
    endpoints,
  };
}

/** @param answer of a request without a key */
async function keyEnforcement(answer: Promise<unknown>): Promise<KeyEnforcement> {
  try {
    await answer;
    return { kind: 'no' };
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason === 'canceled') throw error;
    if (refusesKey(error)) return { kind: 'yes' };
    const isAnswered = isSettingsNotFound(error) || error.reason === 'agentServer';
    return isAnswered ? { kind: 'no' } : { kind: 'unknown', error };
  }
}

/** A client whose requests are recorded, with the content types of the answers by path. */
function watchedClient(
  baseUrl: string,
  sessionKey: string | null,
  { network, timing, hide, ...means }: Means,
) {
  const events: RequestEvent[] = [];
  const types = new Map<string, string>();
  const { pathname: prefix } = new URL(`${baseUrl}/`);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await (network.fetch ?? globalThis.fetch)(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    types.set(pathname.slice(prefix.length - 1), hide(response.headers.get('content-type') ?? ''));
    return response;
  };
  const log = (event: RequestEvent) => void events.push(event);
  const { proxyFor } = network;
  const client = createClient({ baseUrl, sessionKey, ...means, fetch, proxyFor, log, ...timing });
  return { client, events, types };
}

/** The last try of each route. */
function answersOf(
  events: readonly RequestEvent[],
  types: ReadonlyMap<string, string>,
  error: ApiError | undefined,
): EndpointAnswer[] {
  const last = new Map(events.map((event) => [event.route, event]));
  return [...last.values()].map(({ attempt, reason, ...event }) => {
    const { method, route, status, expected } = event;
    return {
      ...event,
      tries: attempt,
      contentType: types.get(route)?.split(';')[0],
      error:
        reason === undefined || expected
          ? undefined
          : error?.route === route
            ? error
            : new ApiError(reason, method, route, { status }),
    };
  });
}
