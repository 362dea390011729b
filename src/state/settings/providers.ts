import * as l10n from '@vscode/l10n';
import { ApiError } from '../../api/errors';
import type { ProviderTokensBody } from '../../api/schemas/providerTokens';
import type { Provider } from '../../shared/form';
import { settingsPost } from './body';
import { mayHaveHappened, requestError, type SettingsClient } from './client';
import { isObject, member, type JsonObject } from './json';
import { inTurn } from './queue';
import { readSettings } from './record';

/** How a change of git provider tokens ended. */
export type ProvidersOutcome =
  /** `notes` say in words what turned out otherwise than meant. */
  | { kind: 'done'; providers: Provider[]; notes: string[] }
  /** `error` of a refused git token is a 401 or 400 with the service's words. `applied` as in `SaveOutcome`. */
  | { kind: 'failed'; error: ApiError; applied: 'no' | 'yes' | 'unknown' };

/** The providers whose tokens the service holds (specification: `provider_tokens_set`), each with its host or null. */
export function readProviders(record: JsonObject): Provider[] {
  const set = member(record, 'provider_tokens_set');
  if (!isObject(set)) return [];
  return Object.entries(set)
    .filter(([, host]) => host !== false)
    .map(([name, host]) => ({ name, host: typeof host === 'string' ? host : null }));
}

type Entries = ProviderTokensBody['provider_tokens'];

/**
 * Stores a git provider's token, or with an empty `token` only its host, and leaves every other provider as it is. The
 * service replaces its whole map, so all of them are sent; an empty token keeps the stored one.
 */
export function connectProvider(
  client: SettingsClient,
  { name, token, host }: { name: string; token: string; host: string | null },
  signal?: AbortSignal,
): Promise<ProvidersOutcome> {
  const wanted = (held: Provider[]) => {
    const others = held.filter((provider) => provider.name !== name);
    return [...others, { name, host: host === '' ? null : host }];
  };
  return change(
    client,
    wanted,
    (providers) => client.addGitProviders(bodyOf(providers, { name, token }), signal),
    signal,
  );
}

/** Makes the service forget one provider's token. All others are sent without their tokens, and so keep them. */
export function disconnectProvider(
  client: SettingsClient,
  name: string,
  signal?: AbortSignal,
): Promise<ProvidersOutcome> {
  const wanted = (held: Provider[]) => held.filter((provider) => provider.name !== name);
  return change(client, wanted, (providers) => client.addGitProviders(bodyOf(providers), signal), signal);
}

/** Makes the service forget every token. */
export function disconnectAll(client: SettingsClient, signal?: AbortSignal): Promise<ProvidersOutcome> {
  const send = async () => {
    try {
      await client.unsetProviderTokens(signal);
    } catch (error) {
      const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 405);
      if (!isMissing) throw error;
      // The specification has no other way than a map without providers.
      await client.addGitProviders({ provider_tokens: {} }, signal);
    }
  };
  return change(client, () => [], send, signal);
}

function bodyOf(wanted: readonly Provider[], replaced?: { name: string; token: string }): ProviderTokensBody {
  const entries = wanted.map(({ name, host }): [string, Entries[string]] => [
    name,
    { token: name === replaced?.name ? replaced.token : '', host },
  ]);
  return { provider_tokens: Object.fromEntries(entries) };
}

async function change(
  client: SettingsClient,
  wantedOf: (held: Provider[]) => Provider[],
  send: (wanted: Provider[]) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<ProvidersOutcome> {
  const failed = (error: ApiError, applied: 'no' | 'yes' | 'unknown'): ProvidersOutcome => ({
    kind: 'failed',
    error,
    applied,
  });
  const run = async (): Promise<ProvidersOutcome> => {
    const before = await heldProviders(client, signal);
    const wanted = wantedOf(before);
    let failure: ApiError | undefined;
    try {
      await send(wanted);
    } catch (error) {
      failure = requestError(error);
      if (!mayHaveHappened(failure)) return failed(failure, 'no');
    }
    let after: Provider[];
    try {
      // Without the signal: what was sent cannot be taken back, so what came of it is told.
      after = readProviders((await readSettings(client)).record);
    } catch (error) {
      return failed(failure ?? requestError(error), 'unknown');
    }
    if (failure === undefined) return { kind: 'done', providers: after, notes: notesOn(wanted, after) };
    // A token put in place of another does not show.
    if (same(wanted, before)) return failed(failure, 'unknown');
    return failed(failure, same(wanted, after) ? 'yes' : 'no');
  };
  try {
    return await inTurn(client.origin, run, signal);
  } catch (error) {
    return failed(requestError(error), 'no');
  }
}

/**
 * The providers that must not be forgotten. For a user who never saved, the service tells of none although it may hold
 * some; so the settings are saved first, with nothing but defaults.
 */
async function heldProviders(client: SettingsClient, signal: AbortSignal | undefined): Promise<Provider[]> {
  const reading = await readSettings(client, signal);
  if (reading.saved) return readProviders(reading.record);
  const fresh = { ...reading, servers: [] };
  await client.postSettings(
    settingsPost({ fresh, values: {}, secrets: {}, servers: [], changes: false }).body,
    signal,
  );
  return readProviders((await readSettings(client, signal)).record);
}

function same(wanted: readonly Provider[], held: readonly Provider[]): boolean {
  return (
    wanted.length === held.length &&
    wanted.every((provider) =>
      held.some((other) => other.name === provider.name && sameHost(other, provider)),
    )
  );
}

/** An empty host is the public one too. */
function sameHost(one: Provider, other: Provider): boolean {
  return (one.host ?? '') === (other.host ?? '');
}

function notesOn(wanted: readonly Provider[], held: readonly Provider[]): string[] {
  const lost = wanted.filter(({ name }) => !held.some((provider) => provider.name === name));
  const left = held.filter(({ name }) => !wanted.some((provider) => provider.name === name));
  const moved = wanted.filter((provider) =>
    held.some((other) => other.name === provider.name && !sameHost(other, provider)),
  );
  return [
    ...lost.map(({ name }) => l10n.t('The service holds no token of {0} now.', name)),
    ...left.map(({ name }) => l10n.t('The service still holds a token of {0}.', name)),
    ...moved.map(({ name }) => l10n.t('The service holds another host of {0} than was sent.', name)),
  ];
}
