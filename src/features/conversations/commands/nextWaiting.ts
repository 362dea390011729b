import * as l10n from '@vscode/l10n';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { nextWaiting as nextOf } from '../../../core/lists/status';
import type { Handler } from '../../../editor/handler';
import { tellNone } from '../../targets/editor';

interface Needs {
  model: ServiceModel;
  others: ConversationsElsewhere;
  activeTab: () => ConversationAt | undefined;
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
}

/**
 * Open Next Waiting Conversation: the one after that in the active tab, around to the first; on the window’s connection,
 * and then on the others.
 */
export function openNextWaiting({ model, others, activeTab, showConversation }: Needs): Handler {
  const waiting = () => [
    { service: model.service, conversations: model.waitingConversations },
    ...others.waiting.map(({ connection, conversations }) => ({
      service: connection.baseUrl,
      conversations,
    })),
  ];
  return async () => {
    if (waiting().every(({ conversations }) => conversations.length === 0))
      await model.refresh('conversations');
    const active = activeTab();
    const next = nextOf(waiting(), active && { id: active.id, service: active.service ?? model.service });
    if (!next) await tellNone(model, 'conversations', l10n.t('No agent is waiting for you.'));
    else if (next.service === model.service) await showConversation(next.id, 'pending');
    else await showConversation(next.id, 'pending', next.service);
  };
}
