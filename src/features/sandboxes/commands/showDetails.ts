import * as l10n from '@vscode/l10n';
import { sandboxLabel } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Handler } from '../../../editor/handler';
import { detailsOf } from '../model/sandboxDetails';
import { chooseSandboxes } from './chooseSandboxes';

/** Show Sandbox Details: a read-only document without secrets. */
export function showDetails({
  model,
  showDocument,
}: {
  model: ServiceModel;
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
}): Handler {
  return async (...args) => {
    const [sandbox] = await chooseSandboxes(model, args, { title: l10n.t('Show Sandbox Details') });
    if (!sandbox) return;
    const conversations = model.conversations.state.items;
    const text = detailsOf(sandbox, conversations, Date.now());
    await showDocument(sandboxLabel(sandbox, conversations), text, 'txt');
  };
}
