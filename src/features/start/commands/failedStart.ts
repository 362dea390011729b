import type * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { refOf } from '../../../core/lists/ref';
import { clientOf, type SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { errorLines } from '../../../editor/logLine';
import type { MessageEditor } from '../../../editor/messageEditor';
import type { MessageContext } from '../../../shared/keptMessage';
import { membersOf } from '../../../shared/membersOf';
import { hasChanges } from '../../changes';
import type { Start } from '../model/startTasks';
import { finishDelivery, isOpen } from './finishDelivery';
import { followStart, pauseAndRetryNow, tellLeft, type OutcomeNeeds } from './startOutcome';

type Needs = OutcomeNeeds & { session: SessionStore; message: MessageEditor; log: vscode.LogOutputChannel };

/**
 * Edit Message and Try Again, on the row of a failed start: back to the editor of the message and its options. From the
 * composer of its tab, tries again at once with the message that is there.
 */
export function retryStart(needs: Needs): Handler {
  return async (argument) => {
    const { message: text } = membersOf(argument);
    if (typeof text === 'string') await retryNow(needs, idOf(argument), text);
    else {
      const failed = startOf(needs, argument);
      if (!failed) return;
      const context = await forgetDelivery(needs, failed);
      await needs.message.restore(failed.message, { ...context, ...contextOf(failed) });
      needs.starts.dismiss(failed.id);
    }
  };
}

async function retryNow(needs: Needs, id: string, text: string): Promise<void> {
  const { session, starts, deliveries, message } = needs;
  const client = clientOf(session.current);
  const delivery = deliveries.ofStart(id);
  const failed = starts.get(id);
  if (failed && client) {
    if (delivery) deliveries.keep({ ...delivery, message: text });
    const begun = starts.retry(id, client, text);
    // The composer waits only until the start has the message.
    if (begun) void followStart(needs, begun).catch((error: unknown) => needs.log.error(errorLines(error)));
    // An earlier version didn't keep the options.
    else await message.restore(text);
  } else if (delivery?.conversationId && isOpen(deliveries, delivery)) {
    const { conversationId } = delivery;
    void finishDelivery(needs, { ...delivery, conversationId, message: text });
  }
}

/** Pause a Sandbox and Try Again, on the row and in the tab of a start that the service had no room for. */
export function pauseAndRetry(needs: Needs): Handler {
  return async (argument) => {
    const failed = startOf(needs, argument);
    if (failed) await pauseAndRetryNow(needs, failed.id);
  };
}

/** Dismiss, on the row of a start; on its tab Cancel, or Continue Without Changes. */
export function dismissStart(needs: Needs): Handler {
  return async (argument) => {
    const start = startOf(needs, argument);
    if (!start) {
      const id = idOf(argument);
      const delivery = needs.deliveries.ofStart(id);
      // The message stays in the composer.
      if (delivery && !needs.deliveries.cancel(delivery.id)) await forgetDelivery(needs, { id });
      return;
    }
    const context = await forgetDelivery(needs, start);
    const outcome = needs.starts.dismiss(start.id);
    if (start.failure !== undefined) return;
    // Nobody waits for this conversation anymore, so the user gets back what wasn't sent to it.
    if (context || outcome !== 'goesOn')
      await needs.message.restore(start.message, { ...context, ...contextOf(start) });
    await tellLeft(
      outcome,
      l10n.t(
        'The conversation is still starting on the service and appears in Conversations when it’s ready.',
      ),
    );
  };
}

function idOf(argument: unknown): string {
  const ref = refOf(argument);
  return ref?.kind === 'start' ? ref.id : '';
}

function startOf({ starts }: Needs, argument: unknown): Start | undefined {
  return starts.get(idOf(argument));
}

/** The options of a start, so that they are offered again. */
const contextOf = ({ choice }: Start): MessageContext => (choice ? { choice } : {});

/** Forgets what was to follow a start; returns the context needed to select the same changes again. */
async function forgetDelivery(
  { deliveries, patches }: Needs,
  { id }: Pick<Start, 'id'>,
): Promise<MessageContext | undefined> {
  const delivery = deliveries.ofStart(id);
  if (!delivery) return undefined;
  deliveries.remove(delivery.id);
  if (!hasChanges(delivery)) return {};
  await patches.remove(delivery.id);
  return { changes: delivery.root, selected: delivery.paths };
}
