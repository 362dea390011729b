import type { Json } from '../../../../src/shared/json';
import type { SettingsClient } from '../../../../src/features/settings/model/record';
import type { ProvidersAccess } from '../../../../src/features/settings/model/providers';
import type { Hold, Safeguards } from '../../../../src/core/settings/safeguards';

/** In-memory safeguards for tests. */
export interface TestSafeguards extends Safeguards {
  readonly kept: Safeguards['kept'] & {
    /** As text. Windows of one computer share it, whatever the origin that a test gives to each. */
    stored: string | undefined;
  };
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
    kept: keptInMemory(),
    isHeld: () => true,
    turn: () => ({ isHeld: () => guards.isHeld(), release: () => undefined }),
    lock: { take: () => Promise.resolve(guards.turn()) },
  };
  return guards;
}

function keptInMemory(): TestSafeguards['kept'] {
  const kept: TestSafeguards['kept'] = {
    stored: undefined,
    read: () => Promise.resolve(kept.stored === undefined ? undefined : (JSON.parse(kept.stored) as Json)),
    write: (_origin, config) => {
      kept.stored = JSON.stringify(config);
      return Promise.resolve(true);
    },
  };
  return kept;
}

/** Access for git provider changes, in a window that knows no tokens. */
export function accessTo(client: SettingsClient, guards: Safeguards = safeguards()): ProvidersAccess {
  return { client, safeguards: guards, known: [] };
}
