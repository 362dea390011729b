import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf, type SessionStore } from '../../../core/session/session';
import type { StartedDelivery } from '../../changes';
import type { StartTasks } from '../model/startTasks';
import { finishDelivery, isOpen, unsentWords, type FinishNeeds } from './finishDelivery';

type Needs = FinishNeeds & { session: SessionStore; starts: StartTasks };

/**
 * Follows the changes that were on their way when the window closed. Once their conversation exists, offers to
 * continue.
 */
export function followLeftDeliveries(needs: Needs): vscode.Disposable {
  const { session, starts, deliveries, patches } = needs;
  const look = () => {
    const service = clientOf(session.current)?.baseUrl;
    if (service === undefined) return;
    for (const delivery of deliveries.left(service)) {
      const conversationId = delivery.conversationId ?? starts.conversationOf(delivery.startId);
      // A start that failed has its message in its row.
      if (conversationId === undefined && starts.get(delivery.startId)) continue;
      deliveries.takeUp(delivery.id);
      if (conversationId !== undefined) {
        deliveries.started(delivery.id, conversationId);
        void offer(needs, { ...delivery, conversationId });
      } else if (!delivery.isAccepted) {
        // Its start was never sent, so the message is still in its editor.
        deliveries.remove(delivery.id);
        void patches.remove(delivery.id);
      }
    }
  };
  look();
  return vscode.Disposable.from(session.onDidChange(look), starts.onDidChange(look));
}

async function offer(needs: Needs, delivery: StartedDelivery): Promise<void> {
  const goOn = l10n.t('Continue');
  const picked = await vscode.window.showWarningMessage(unsentWords(delivery), goOn);
  if (picked === goOn && isOpen(needs.deliveries, delivery)) await finishDelivery(needs, delivery, true);
}
