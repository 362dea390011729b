import * as l10n from '@vscode/l10n';
import type { MessageContext } from '../../../shared/keptMessage';
import type { Start } from '../../../state/conversations/startTasks';
import { refOf } from '../../../state/lists/ref';
import type { CommandDependencies, Handler } from '../../dependencies';
import { tellLeft } from './startOutcome';

type Needs = Pick<CommandDependencies, 'message' | 'starts' | 'deliveries' | 'patches'>;

/** Edit Message and Try Again, on the row of a failed start. */
export function retryStart(needs: Needs): Handler {
  return async (argument) => {
    const failed = startOf(needs, argument);
    if (!failed) return;
    const context = await forgetDelivery(needs, failed);
    await needs.message.restore(failed.message, context);
    needs.starts.dismiss(failed.id);
  };
}

/** Dismiss, on the row of a start. */
export function dismissStart(needs: Needs): Handler {
  return async (argument) => {
    const start = startOf(needs, argument);
    if (!start) return;
    const context = await forgetDelivery(needs, start);
    const outcome = needs.starts.dismiss(start.id);
    if (start.failure !== undefined) return;
    // Nobody waits for this conversation anymore, so the user gets back what was to be sent to it.
    if (context) await needs.message.restore(start.message, context);
    await tellLeft(
      outcome,
      l10n.t(
        'The conversation is still starting on the service and appears in Conversations when it’s ready.',
      ),
    );
  };
}

function startOf({ starts }: Needs, argument: unknown): Start | undefined {
  const ref = refOf(argument);
  return ref?.kind === 'start' ? starts.get(ref.id) : undefined;
}

/** Forgets the changes that were to follow a start; returns the context to select the same ones again. */
async function forgetDelivery(
  { deliveries, patches }: Needs,
  { id }: Start,
): Promise<MessageContext | undefined> {
  const delivery = deliveries.ofStart(id);
  if (!delivery) return undefined;
  deliveries.remove(delivery.id);
  await patches.remove(delivery.id);
  return { changes: delivery.root, selected: delivery.paths };
}
