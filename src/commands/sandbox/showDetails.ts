import * as l10n from '@vscode/l10n';
import { sandboxLabel } from '../../state/sandboxes/names';
import { detailsOf } from '../../state/sandboxes/sandboxDetails';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseSandboxes } from './chooseSandboxes';

/** Show Sandbox Details: a read-only document without secrets. */
export function showDetails({
  model,
  showDocument,
}: Pick<CommandDependencies, 'model' | 'showDocument'>): Handler {
  return async (...args) => {
    const [sandbox] = await chooseSandboxes(model, args, { title: l10n.t('Show Sandbox Details') });
    if (!sandbox) return;
    const conversations = model.conversations.state.items;
    const text = detailsOf(sandbox, conversations, Date.now());
    await showDocument(sandboxLabel(sandbox, conversations), text, 'txt');
  };
}
