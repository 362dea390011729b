import { observedProfile } from './observed';
import type { Profile, ProfileSource } from './profile';

/**
 * The generation that people update to. Its settings and git providers are under /api/v1, the only paths that check the
 * key.
 */
export function currentProfile(source: ProfileSource): Profile {
  return {
    ...observedProfile(source),
    name: 'current',
    asksKey: (path, exists) => exists && path.startsWith('/api/v1/'),
  };
}
