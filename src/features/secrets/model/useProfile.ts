import * as l10n from '@vscode/l10n';
import type { ModelProfiles, ProfileCalls } from '../../../api/service/current/profiles';
import { Refusal } from '../../../core/basics/refusal';

/** What is lost when a profile is used. */
interface ProfileLosses {
  /** The model, base URL, and key in use aren’t in a profile. */
  model: boolean;
  /** The profile has no key, so the service won’t have one. */
  key: boolean;
}

/** What is lost when the profile with this name is used (docs/protocol/generations.md, “Model profiles”). */
export function profileLosses({ profiles, active_profile }: ModelProfiles, name: string): ProfileLosses {
  const profile = profiles.find((one) => one.name === name);
  return { model: !active_profile, key: profile?.api_key_set === false };
}

/**
 * Uses a profile. Throws `Refusal` if more would be lost than the user knows, because somebody has changed the model or
 * the profile since, and `ApiError`.
 */
export async function useProfile(
  client: Pick<ProfileCalls, 'listProfiles' | 'activateProfile'>,
  name: string,
  agreed: ProfileLosses,
): Promise<void> {
  const now = profileLosses(await client.listProfiles(), name);
  if ((now.model && !agreed.model) || (now.key && !agreed.key))
    throw new Refusal(l10n.t('The settings on the service changed. Try again.'));
  await client.activateProfile(name);
}
