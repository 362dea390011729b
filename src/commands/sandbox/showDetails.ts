import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import { detailsOf } from '../../state/sandboxDetails';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseSandboxes } from './chooseSandboxes';

/** Show Sandbox Details: a read-only document with what the service says, secrets left out. */
export function showDetails({
  model,
  showDocument,
}: Pick<CommandDependencies, 'model' | 'showDocument'>): Handler {
  return async (...args) => {
    const [sandbox] = await chooseSandboxes(model, args, {
      title: l10n.t('Show the details of a sandbox'),
      fits: () => true,
      none: l10n.t('There is no sandbox.'),
    });
    if (!sandbox) return;
    await showDocument(l10n.t('Sandbox {0}', plainText(sandbox.id, 64)), detailsOf(sandbox));
  };
}
