import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { isMissing } from '../../../api/service/calls';
import type { ProviderTokensBody } from '../../../api/service/schemas/providerTokens';
import type { Provider } from '../shared/form';
import { isJsonObject, member, type JsonObject } from '../../../shared/json';
import { requestError, type SettingsClient, readSettings, type SettingsReading } from './record';
import { assertHeld, inTurn } from '../../../core/settings/queue';
import type { Hold, Safeguards } from '../../../core/settings/safeguards';

/** How a change of git provider tokens ended. */
export type ProvidersOutcome =
  /** `notes` say in words what turned out differently than intended. */
  | { kind: 'done'; providers: Provider[]; notes: string[] }
  /**
   * Nothing was sent: the service doesn't say which tokens it holds, and the change makes it forget all but those of
   * `kept`. The user has to agree first.
   */
  | { kind: 'needsConfirmation'; about: 'otherTokens'; kept: Provider[] }
  /**
   * `error` of a refused git token is a 401 or 400 with the service's words; `busy` and `noneSaved` as in `SaveOutcome`,
   * and so is `applied`. `after` is what the service holds, where that was read.
   */
  | { kind: 'failed'; error: ApiError; applied: 'no' | 'yes' | 'unknown'; after?: Provider[] | undefined };

/** One service's git provider tokens, as a change of them needs it. */
export interface ProvidersAccess {
  readonly client: SettingsClient;
  readonly safeguards: Safeguards;
  /** The providers that were last known to have a token, for a service that doesn't say. */
  readonly known: readonly Provider[];
  /** The user agrees that unknown tokens are removed. */
  readonly othersMayGo?: boolean;
}

/**
 * The providers whose tokens the service holds (docs/protocol/service.md, “Settings”), each with its host or null.
 * Undefined when the service doesn't say: the member is optional, and absent until settings are saved.
 */
export function readProviders(record: JsonObject): Provider[] | undefined {
  const set = member(record, 'provider_tokens_set');
  if (!isJsonObject(set)) return undefined;
  return Object.entries(set)
    .filter(([, host]) => host !== false)
    .map(([name, host]) => ({ name, host: typeof host === 'string' ? host : null }));
}

/**
 * Stores a git provider's token, or with an empty `token` only its host, and leaves every other provider as it is. The
 * service replaces its whole map, so all of them are sent; an empty token keeps the stored one.
 */
export function connectProvider(
  access: ProvidersAccess,
  { name, token, host }: { name: string; token: string; host: string | null },
): Promise<ProvidersOutcome> {
  const wanted = (held: readonly Provider[]) => {
    const others = held.filter((provider) => provider.name !== name);
    return [...others, { name, host: host === '' ? null : host }];
  };
  return change(access, wanted, (providers, before) => {
    if (token === '' && !before.abilities.movesTokens) mustStay(before, name, host);
    return access.client.addGitProviders(bodyOf(providers, { name, token }));
  });
}

/** Throws ApiError when the provider's host changes: the service would lose its token. */
function mustStay({ record }: SettingsReading, name: string, host: string | null): void {
  const held = readProviders(record)?.find((provider) => provider.name === name);
  if (held === undefined || sameHost(held, { name, host })) return;
  const msg = l10n.t('This service keeps a token only for its host. Enter the token again with the new one.');
  throw new ApiError('invalid', 'POST', '/api/v1/secrets/git-providers', {
    issues: [{ loc: ['body', name], msg, type: '' }],
  });
}

/** Makes the service forget one provider's token. All others are sent without their tokens, and so keep them. */
export function disconnectProvider(access: ProvidersAccess, name: string): Promise<ProvidersOutcome> {
  const wanted = (held: readonly Provider[]) => held.filter((provider) => provider.name !== name);
  return change(access, wanted, (providers) => access.client.addGitProviders(bodyOf(providers)));
}

/** Makes the service forget every token, whichever it holds. */
export function disconnectAll(access: ProvidersAccess): Promise<ProvidersOutcome> {
  const { client } = access;
  const send = async () => {
    try {
      await client.unsetProviderTokens();
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The specification has no other way than a map without providers (docs/protocol/service.md, “Provider tokens”).
      await client.addGitProviders({ provider_tokens: {} });
    }
  };
  return change({ ...access, othersMayGo: true }, () => [], send);
}

function bodyOf(wanted: readonly Provider[], replaced?: { name: string; token: string }): ProviderTokensBody {
  const token = (name: string) => (name === replaced?.name ? replaced.token : '');
  return {
    provider_tokens: Object.fromEntries(wanted.map(({ name, host }) => [name, { token: token(name), host }])),
  };
}

async function change(
  { client, safeguards, known, othersMayGo }: ProvidersAccess,
  wantedOf: (held: readonly Provider[]) => Provider[],
  send: (wanted: Provider[], before: SettingsReading) => Promise<void>,
): Promise<ProvidersOutcome> {
  const failed = (
    error: ApiError,
    applied: 'no' | 'yes' | 'unknown',
    after?: Provider[],
  ): ProvidersOutcome => ({ kind: 'failed', error, applied, after });
  const run = async (hold: Hold): Promise<ProvidersOutcome> => {
    const reading = await readSettings(client, safeguards);
    const before = readProviders(reading.record);
    const wanted = wantedOf(before ?? known);
    if (before === undefined && !othersMayGo)
      return { kind: 'needsConfirmation', about: 'otherTokens', kept: wanted };
    assertHeld(hold);
    let failure: ApiError | undefined;
    try {
      await send(wanted, reading);
    } catch (error) {
      failure = requestError(error);
      if (!failure.outcomeUnknown) return failed(failure, 'no');
    }
    let after: Provider[] | undefined;
    try {
      after = readProviders((await readSettings(client, safeguards)).record);
    } catch (error) {
      return failed(failure ?? requestError(error), 'unknown');
    }
    // A service that doesn't say which tokens it holds has at least accepted these.
    if (failure === undefined)
      return { kind: 'done', providers: after ?? wanted, notes: after ? notesOn(wanted, after) : [] };
    // Replacing a token doesn't show.
    if (before === undefined || after === undefined || notesOn(wanted, before).length === 0)
      return failed(failure, 'unknown', after);
    return failed(failure, notesOn(wanted, after).length === 0 ? 'yes' : 'no', after);
  };
  try {
    return await inTurn(client.origin, safeguards.lock, run);
  } catch (error) {
    return failed(requestError(error), 'no');
  }
}

/** An empty host is the public one too. */
function sameHost(one: Provider, other: Provider): boolean {
  return (one.host ?? '') === (other.host ?? '');
}

/** Where `held` isn't as `wanted`, in words. */
function notesOn(wanted: readonly Provider[], held: readonly Provider[]): string[] {
  const lost = wanted.filter(({ name }) => !held.some((provider) => provider.name === name));
  const left = held.filter(({ name }) => !wanted.some((provider) => provider.name === name));
  const moved = wanted.filter((provider) =>
    held.some((other) => other.name === provider.name && !sameHost(other, provider)),
  );
  return [
    ...lost.map(({ name }) => l10n.t('The service has no token for {0} now.', name)),
    ...left.map(({ name }) => l10n.t('The service still has a token for {0}.', name)),
    ...moved.map(({ name }) => l10n.t('The service has a different host for {0} than was sent.', name)),
  ];
}
