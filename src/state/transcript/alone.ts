import * as l10n from '@vscode/l10n';
import { InOrder } from '../basics/inOrder';
import { Refusal } from '../basics/refusal';
import type { WindowLock } from '../settings/safeguards';

/** What this window does itself waits here: the lock is waited for only for a while, and resuming a sandbox takes longer. */
const own = new InOrder();

/**
 * Runs work while no other window of this computer changes the same conversation, and after what this one began earlier.
 * Throws a Refusal if another window keeps it.
 */
export function alone<T>(lock: WindowLock, name: string, work: () => Promise<T>): Promise<T> {
  return own.run(name, async () => {
    const turn = await lock.take(name);
    if (!turn) {
      throw new Refusal(l10n.t('Another window is working with this conversation. Try again in a moment.'));
    }
    try {
      return await work();
    } finally {
      turn.release();
    }
  });
}
