import * as l10n from '@vscode/l10n';
import { confirmed } from '../../platform/inputs';
import type { CommandDependencies, Handler } from '../dependencies';

/** Clear Session Key: forgets the key of the present connection's origin in every window. */
export function clearKey({ session, keys }: Pick<CommandDependencies, 'session' | 'keys'>): Handler {
  return async () => {
    const { current } = session;
    if (!('connection' in current)) return;
    const { name, origin } = current.connection;
    const agreed = await confirmed(
      l10n.t('Clear the session key of {0}?', name),
      l10n.t(
        'This computer forgets the key for {0}, in every window. Nothing changes on the service.',
        origin,
      ),
      l10n.t('Clear Key'),
    );
    if (!agreed) return;
    await keys.clear(origin);
    await session.reload();
  };
}
