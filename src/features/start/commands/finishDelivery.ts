import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Refusal } from '../../../core/basics/refusal';
import { errorWords } from '../../../editor/errorText';
import type { KeptPatches } from '../../../editor/keptPatches';
import { plainText } from '../../../shared/plainText';
import { startTabId } from '../../../shared/startTab';
import type { SettablePolicy } from '../../../shared/transcript';
import {
  hasChanges,
  type Delivery,
  type StartedDelivery,
  type Deliveries,
  deliver,
  type DeliveryStep,
} from '../../changes';
import { type ConversationModels, type ConversationModel, onceRead } from '../../live';
import { tell } from '../../live/editor';

export interface FinishNeeds {
  conversations: ConversationModels;
  deliveries: Deliveries;
  patches: KeptPatches;
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  isConversationVisible: (id: string) => boolean;
}

const stepWords: Readonly<Record<DeliveryStep | 'policy', () => string>> = {
  reaching: () => l10n.t('Connecting to the sandbox…'),
  uploading: () => l10n.t('Uploading your changes…'),
  applying: () => l10n.t('Applying your changes…'),
  policy: () => l10n.t('Changing the confirmation policy…'),
};

/**
 * Brings changes into the sandbox of an existing conversation, sets its policy, and then sends its message. The tab of
 * the start shows the progress, and becomes that of the conversation. Can be tried again.
 * @param isAsked whether the user asked for it just now; otherwise, they may be elsewhere, and the tab stays where it is
 * @returns whether it’s done; if it isn’t, the user knows why
 */
export async function finishDelivery(
  needs: FinishNeeds,
  delivery: StartedDelivery,
  isAsked = false,
): Promise<boolean> {
  const { conversations, deliveries, patches } = needs;
  const { id, conversationId, message } = delivery;
  const tab = startTabId(delivery.startId);
  const controller = new AbortController();
  const { signal: canceled } = controller;
  try {
    const outcome = await deliveries.during(
      id,
      async () => {
        // Not before: a delivery that nobody works on has failed.
        deliveries.keep(delivery);
        // The window may have switched while the conversation started.
        if (conversations.service !== delivery.service) throw elsewhere(delivery);
        const model = conversations.model(conversationId);
        if (!model)
          throw new Refusal(l10n.t('Conversations of this service can only be continued in the browser.'));
        if (isAsked) await needs.showConversation(tab);
        const isWithChanges = hasChanges(delivery);
        const patch = isWithChanges ? await patches.read(id) : undefined;
        const signal = AbortSignal.any([model.signal, canceled]);
        return onceRead(model, signal, async () => {
          const tellStep = (step: keyof typeof stepWords) =>
            deliveries.reached(id, stepWords[step](), Date.now());
          if (patch) await deliver(delivery, patch, () => model.changes.place(), tellStep, signal);
          if (delivery.policy) {
            tellStep('policy');
            await setPolicy(model, delivery.policy);
          }
          // It may also have switched since: that model would drop the message.
          if (signal.aborted) throw elsewhere(delivery);
          // From here on, the conversation keeps the message, even if sending fails.
          deliveries.remove(id);
          return message === '' ? undefined : model.send(message);
        });
      },
      controller,
    );
    if (isOpen(deliveries, delivery)) throw elsewhere(delivery);
    await patches.remove(id);
    tell(outcome);
    return true;
  } catch (error) {
    // What isn't said is in the tab anyway.
    if (canceled.aborted) return false;
    deliveries.failed(id, error instanceof Refusal ? error.message : errorWords(error));
    if (!needs.isConversationVisible(tab)) await tellProblem(needs, delivery);
    return false;
  }
}

/** Nothing is sent to an agent that would act without asking as the user chose. */
async function setPolicy(model: ConversationModel, policy: SettablePolicy): Promise<void> {
  const outcome = await model.setPolicy(policy);
  if (outcome.kind !== 'done') throw new Refusal(outcome.problem);
  if (model.head.policy !== policy)
    throw new Refusal(l10n.t('The agent server didn’t confirm the policy. Try again.'));
}

const elsewhere = (delivery: Delivery) =>
  new Refusal(
    hasChanges(delivery)
      ? l10n.t('The changes belong to another service. Connect to it first.')
      : l10n.t('The conversation is on another service. Connect to it first.'),
  );

/** Whether it still needs to be delivered and nobody else is doing so. */
export function isOpen(deliveries: FinishNeeds['deliveries'], { service, id }: Delivery): boolean {
  return deliveries.of(service).some((one) => one.id === id);
}

/** Says what is left of a delivery that nobody works on anymore. */
export function unsentWords(delivery: Delivery): string {
  const name = plainText(delivery.label, 80) || l10n.t('New conversation');
  if (!hasChanges(delivery))
    return l10n.t('Your message to “{0}” wasn’t sent, because its confirmation policy isn’t set yet.', name);
  return l10n.t(
    'Your message to “{0}” wasn’t sent, and your changes may not be in its sandbox. Run Start Conversation with My Changes to continue.',
    name,
  );
}

/** Leads to the tab, which has the reason and the message. */
async function tellProblem(needs: FinishNeeds, delivery: StartedDelivery): Promise<void> {
  const { id, startId, label } = delivery;
  const show = l10n.t('Show');
  const name = plainText(label, 80);
  const { failure } = needs.deliveries.courseOf(id);
  const picked = await vscode.window.showErrorMessage(
    hasChanges(delivery)
      ? l10n.t(
          'Couldn’t send your changes to “{0}”: {1} The conversation exists, and your message wasn’t sent.',
          name,
          failure,
        )
      : l10n.t(
          'Couldn’t set the confirmation policy of “{0}”: {1} The conversation exists, and your message wasn’t sent.',
          name,
          failure,
        ),
    show,
  );
  if (picked === show) await needs.showConversation(startTabId(startId));
}
