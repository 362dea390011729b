import * as l10n from '@vscode/l10n';
import { openAddress } from '../../platform/openAddress';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseConversation } from './chooseConversation';
import { chooseHere } from './chooseHere';

/** Open Conversation in Browser: the service's page for people. */
export function open({ session, model }: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (argument) => {
    const title = l10n.t('Open Conversation in Browser');
    const answer = await chooseHere(session, () => chooseConversation(model, argument, { title }));
    if (!answer) return;
    await openAddress(new URL(answer.client.conversationPageUrl(answer.chosen.id)));
  };
}
