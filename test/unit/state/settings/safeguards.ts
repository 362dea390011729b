import type { SettingsClient } from '../../../../src/state/settings/client';
import type { ProvidersAccess } from '../../../../src/state/settings/providers';
import type { Hold, Safeguards } from '../../../../src/state/settings/safeguards';

/** In-memory safeguards for tests. */
export interface TestSafeguards extends Safeguards {
  readonly seen: Set<string>;
  /** Whether a window still holds the lock; checked before each post. */
  isHeld: () => boolean;
  /** The lock a window gets; undefined for none. */
  turn: () => Hold | undefined;
}

/** Grants every lock immediately, and has seen no settings before. */
export function safeguards(): TestSafeguards {
  const guards: TestSafeguards = {
    seen: new Set(),
    isHeld: () => true,
    turn: () => ({ isHeld: () => guards.isHeld(), release: () => undefined }),
    lock: { take: () => Promise.resolve(guards.turn()) },
  };
  return guards;
}

/** Access for git provider changes, in a window that knows no tokens. */
export function accessTo(client: SettingsClient, guards: Safeguards = safeguards()): ProvidersAccess {
  return { client, safeguards: guards, known: [] };
}
