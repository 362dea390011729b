import * as l10n from '@vscode/l10n';
import type { RecordRef } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Handler } from '../../../editor/handler';
import { tellNone, chooseConversation } from '../../targets/editor';

/** Reveal Sandbox: selects the row of a conversation's sandbox. */
export function revealSandbox({
  model,
  reveal,
  activeConversation,
}: {
  model: ServiceModel;
  reveal: (ref: RecordRef) => Promise<void>;
  activeConversation: () => string | undefined;
}): Handler {
  return async (argument) => {
    const conversation = await chooseConversation(model, argument, {
      title: l10n.t('Reveal Sandbox'),
      active: activeConversation(),
    });
    if (!conversation) return;
    const id = conversation.sandbox_id;
    const [sandbox] = id ? await model.sandboxesNow([id]) : [];
    if (sandbox) await reveal({ kind: 'sandbox', id: sandbox.id });
    else await tellNone(model, 'sandboxes', id ? notListed(model) : gone());
  };
}

/** Why a sandbox isn't in the list. */
function notListed({ sandboxes }: Pick<ServiceModel, 'sandboxes'>): string {
  const { nextPageId, skipped } = sandboxes.state;
  if (nextPageId !== null) return later();
  return skipped ? l10n.t('The sandbox of this conversation can’t be read.') : gone();
}

const gone = () => l10n.t('The service no longer lists the sandbox of this conversation.');
const later = () =>
  l10n.t(
    'The sandbox of this conversation isn’t loaded. Select “Load more” in Sandboxes, and then try again.',
  );
