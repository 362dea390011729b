import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import type { CustomSecret, CustomSecretCalls } from '../../../api/service/current/customSecrets';
import type { NewModel, ProfileCalls } from '../../../api/service/current/profiles';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { NewProviderConnection, ProviderConnection } from '../../../api/service/providerConnections';
import type { JsonMembers } from '../../../shared/json';
import { sentences } from '../../../shared/joined';
import { Refusal } from '../../../core/basics/refusal';

/** Why something can’t be added under this name; undefined if it can. */
export function nameTaken(name: string, others: readonly { name: string }[]): string | undefined {
  return others.some((other) => other.name === name)
    ? l10n.t('There’s already one with this name.')
    : undefined;
}

/**
 * The thing that's already there may be the one to add: an earlier try may have stored it. The message says everything.
 */
export class MaybeAdded extends Refusal {}

/** The tries to add the same thing. */
export interface Tries {
  /** Whether one of them may have stored it, though its answer was lost. */
  mayHaveStored: boolean;
}

/**
 * Adds a custom secret. If somebody else has added one with that name while the user was asked, the service would
 * replace it (docs/protocol/generations.md, “Custom secrets”). Throws `Refusal` in that case, or `MaybeAdded` if one of
 * the earlier `tries` may have added it, and `ApiError`.
 */
export async function addSecret(
  client: Pick<CustomSecretCalls, 'listSecrets' | 'saveSecret'>,
  secret: CustomSecret & { value: string },
  tries: Tries,
): Promise<void> {
  const problem = nameTaken(secret.name, await client.listSecrets());
  await add(problem, tries, () => client.saveSecret(secret));
}

/**
 * Saves a model, by default the service’s current one, as a new profile (docs/protocol/generations.md, “Model profiles”). Throws like
 * `addSecret` if somebody else has added one with that name.
 */
export async function addProfile(
  client: Pick<ProfileCalls, 'listProfiles' | 'saveProfile'>,
  name: string,
  tries: Tries,
  model?: NewModel,
): Promise<void> {
  const problem = nameTaken(name, (await client.listProfiles()).profiles);
  await add(problem, tries, () => client.saveProfile(name, undefined, model));
}

/** Adds an agent profile to an agent server. Throws like `addSecret` if somebody else has added one with that name. */
export async function addAgent(
  server: Pick<AgentServerCalls, 'listAgentProfiles' | 'addAgentProfile'>,
  name: string,
  members: JsonMembers,
  tries: Tries,
): Promise<void> {
  const problem = nameTaken(name, (await server.listAgentProfiles()).profiles);
  await add(problem, tries, () => server.addAgentProfile(name, members));
}

/** The same for a provider connection. */
export const providerTaken = (name: string, connections: readonly ProviderConnection[]) =>
  nameTaken(
    name,
    connections.map((one) => ({ name: one.display_name })),
  );

/** Adds a provider connection to an agent server, which would add a second one of the same name. Throws like `addSecret`. */
export async function addProvider(
  server: Pick<AgentServerCalls, 'listProviders' | 'addProvider'>,
  connection: NewProviderConnection,
  tries: Tries,
): Promise<void> {
  const problem = providerTaken(connection.name, (await server.listProviders()) ?? []);
  await add(problem, tries, () => server.addProvider(connection));
}

async function add(problem: string | undefined, tries: Tries, save: () => Promise<void>): Promise<void> {
  if (problem !== undefined) {
    if (!tries.mayHaveStored) throw new Refusal(problem);
    throw new MaybeAdded(sentences(l10n.t('The change may have gone through.'), problem));
  }
  try {
    await save();
  } catch (error) {
    tries.mayHaveStored ||= error instanceof ApiError && error.outcomeUnknown;
    throw error;
  }
}
