import { currentProfile } from './current';
import type { Profile, ProfileSource } from './profile';

/** The current generation as a service for many: by source only. The key is asked for everywhere under /api. */
export function hostedProfile(source: ProfileSource): Profile {
  return { ...currentProfile(source), name: 'hosted', asksKey: (path) => path.startsWith('/api/') };
}
