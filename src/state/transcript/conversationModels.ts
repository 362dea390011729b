import { clientOf, type SessionStore } from '../session/session';
import type { ConversationModels } from './models';

/** The models of the conversations of the connected service. There are none yet, so they open in the browser. */
export function conversationModels(session: SessionStore): ConversationModels {
  return {
    get service() {
      return clientOf(session.current)?.baseUrl;
    },
    model: () => undefined,
    onDidChange: (listener) => session.onDidChange(listener),
    transcript: () => Promise.resolve(''),
    reconnect: () => Promise.resolve(),
  };
}
