import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorWords } from '../../../platform/errorText';
import { plainText } from '../../../shared/plainText';
import { Refusal } from '../../../state/basics/refusal';
import type { Delivery, StartedDelivery } from '../../../state/changes/deliveries';
import { deliver, type DeliveryStep } from '../../../state/changes/delivering';
import type { CommandDependencies } from '../../dependencies';
import { tell } from '../live/steer';
import { workOn } from '../live/work';

export type FinishNeeds = Pick<
  CommandDependencies,
  'conversations' | 'deliveries' | 'patches' | 'showConversation'
>;

const stepWords: Readonly<Record<DeliveryStep, () => string>> = {
  reaching: () => l10n.t('Connecting to the sandbox…'),
  uploading: () => l10n.t('Uploading your changes…'),
  applying: () => l10n.t('Applying your changes…'),
};

/** Brings changes into the sandbox of a conversation that exists, and then sends its message. Can be tried again. */
export async function finishDelivery(needs: FinishNeeds, delivery: StartedDelivery): Promise<void> {
  const { conversations, deliveries, patches, showConversation } = needs;
  const { conversationId, message } = delivery;
  deliveries.keep(delivery);
  try {
    // The window may have switched while the conversation started.
    if (conversations.service !== delivery.service) throw elsewhere();
    const model = conversations.model(conversationId);
    if (!model)
      throw new Refusal(l10n.t('Conversations of this service can only be continued in the browser.'));
    const outcome = await deliveries.during(delivery.id, async () => {
      const patch = await patches.read(delivery.id);
      return workOn(model, l10n.t('Sending your changes'), async (signal, report) => {
        const tellStep = (step: DeliveryStep) => report(stepWords[step]());
        await deliver(delivery, patch, () => model.changes.place(), tellStep, signal);
        // It may also have switched since: that model would drop the message.
        if (model.signal.aborted) throw elsewhere();
        // From here on, the conversation keeps the message, even if sending fails.
        deliveries.remove(delivery.id);
        return message === '' ? undefined : model.send(message);
      });
    });
    // The user stopped waiting.
    if (isOpen(deliveries, delivery)) {
      void vscode.window.showInformationMessage(unsentWords(delivery));
      return;
    }
    await patches.remove(delivery.id);
    if (!model.signal.aborted) await showConversation(conversationId);
    tell(outcome);
  } catch (error) {
    await tellProblem(needs, delivery, error);
  }
}

const elsewhere = () => new Refusal(l10n.t('The changes belong to another service. Connect to it first.'));

/** Whether it still needs to be delivered and nobody else is doing so. */
export function isOpen(deliveries: FinishNeeds['deliveries'], { service, id }: Delivery): boolean {
  return deliveries.of(service).some((one) => one.id === id);
}

/** Says what is left of a delivery that nobody works on anymore. */
export function unsentWords({ label }: Delivery): string {
  return l10n.t(
    'Your message to “{0}” wasn’t sent, and your changes may not be in its sandbox. Run Start Conversation with My Changes to continue.',
    plainText(label, 80) || l10n.t('New conversation'),
  );
}

async function tellProblem(needs: FinishNeeds, delivery: StartedDelivery, error: unknown): Promise<void> {
  const again = l10n.t('Try Again');
  const show = l10n.t('Show Conversation');
  const picked = await vscode.window.showErrorMessage(
    l10n.t(
      'Couldn’t send your changes to “{0}”: {1} The conversation exists, and your message wasn’t sent.',
      plainText(delivery.label, 80),
      error instanceof Refusal ? error.message : errorWords(error),
    ),
    again,
    show,
  );
  if (picked === again && isOpen(needs.deliveries, delivery)) await finishDelivery(needs, delivery);
  if (picked === show) await needs.showConversation(delivery.conversationId);
}
