import * as l10n from '@vscode/l10n';
import { nextWaiting as nextOf } from '../../state/lists/status';
import { tellNone } from '../tellNone';
import type { CommandDependencies, Handler } from '../dependencies';

type Needs = Pick<CommandDependencies, 'model' | 'others' | 'activeTab' | 'showConversation'>;

/**
 * Open Next Waiting Conversation: the one after that in the active tab, around to the first; on the window’s connection,
 * and then on the others.
 */
export function nextWaiting({ model, others, activeTab, showConversation }: Needs): Handler {
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
