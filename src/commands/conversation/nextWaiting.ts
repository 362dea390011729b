import * as l10n from '@vscode/l10n';
import { nextWaiting as nextOf } from '../../state/lists/status';
import { tellNone } from '../tellNone';
import type { CommandDependencies, Handler } from '../dependencies';

type Needs = Pick<CommandDependencies, 'model' | 'activeConversation' | 'showConversation'>;

/** Open Next Waiting Conversation: the one after that in the active tab, around to the first. */
export function nextWaiting({ model, activeConversation, showConversation }: Needs): Handler {
  return async () => {
    if (model.waitingConversations.length === 0) await model.refresh('conversations');
    const next = nextOf(model.waitingConversations, activeConversation());
    if (next) await showConversation(next.id, 'pending');
    else await tellNone(model, 'conversations', l10n.t('No agent is waiting for you.'));
  };
}
