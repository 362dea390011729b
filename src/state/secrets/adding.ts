import * as l10n from '@vscode/l10n';
import type { CustomSecret, CustomSecretCalls } from '../../api/service/current/customSecrets';
import type { ModelProfile, ProfileCalls } from '../../api/service/current/profiles';
import { Refusal } from '../basics/refusal';

/** Why a secret can’t be added under this name; undefined if it can. */
export function secretTaken(name: string, secrets: readonly CustomSecret[]): string | undefined {
  return secrets.some((secret) => secret.name === name)
    ? l10n.t('There’s already a secret with this name.')
    : undefined;
}

/** Why a profile can’t be added under this name; undefined if it can. */
export function profileTaken(name: string, profiles: readonly ModelProfile[]): string | undefined {
  return profiles.some((profile) => profile.name === name)
    ? l10n.t('There’s already a profile with this name.')
    : undefined;
}

/**
 * Adds a custom secret. The service would replace one that somebody else has added while the user was asked (generations:
 * “Custom secrets”). Throws `Refusal` then, and `ApiError`.
 */
export async function addSecret(
  client: Pick<CustomSecretCalls, 'listSecrets' | 'saveSecret'>,
  secret: CustomSecret & { value: string },
): Promise<void> {
  refuse(secretTaken(secret.name, await client.listSecrets()));
  await client.saveSecret(secret);
}

/** Saves the service’s current model as a new profile, likewise (generations: “Model profiles”). */
export async function addProfile(
  client: Pick<ProfileCalls, 'listProfiles' | 'saveProfile'>,
  name: string,
): Promise<void> {
  refuse(profileTaken(name, (await client.listProfiles()).profiles));
  await client.saveProfile(name);
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Refusal(problem);
}
