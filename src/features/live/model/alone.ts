import * as l10n from '@vscode/l10n';
import { bareId } from '../../../api/http/ids';
import { InOrder } from '../../../core/basics/inOrder';
import { Refusal } from '../../../core/basics/refusal';
import type { SettingsLock } from '../../../core/settings/safeguards';

/** This window's own work waits here: waiting for the lock is limited, and resuming a sandbox takes longer. */
const own = new InOrder();

/**
 * Runs work after what this window started earlier, and while no other window on this computer changes the same
 * conversation. Throws a Refusal if another window keeps the lock.
 */
export function alone<T>(
  lock: SettingsLock,
  origin: string,
  conversationId: string,
  work: () => Promise<T>,
): Promise<T> {
  const name = `${origin} ${bareId(conversationId)}`;
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
