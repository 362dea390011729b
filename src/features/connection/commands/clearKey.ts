import * as l10n from '@vscode/l10n';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { confirmed } from '../../../editor/inputs';
import type { SessionKeys } from '../../../editor/sessionKeys';

/** Clear Session Key: deletes the key for the origin of the current connection, for all windows. */
export function clearKey({ session, keys }: { session: SessionStore; keys: SessionKeys }): Handler {
  return async () => {
    const { current } = session;
    if (!('connection' in current)) return;
    const { name, origin } = current.connection;
    const agreed = await confirmed(
      l10n.t('Clear the session key for {0}?', name),
      l10n.t(
        'This deletes the key for {0} from this computer, in all windows. Nothing changes on the service.',
        origin,
      ),
      l10n.t('Clear Key'),
    );
    if (!agreed) return;
    await keys.clear(origin);
    await session.reload();
  };
}
