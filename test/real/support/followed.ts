import type { OpenSocket } from '../../../src/api/agent/socket';
import type { Head } from '../../../src/shared/transcript';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { TranscriptPorts } from '../../../src/features/live/model/ports';
import { real, realClient } from './suite';
import { conversationPorts } from '../../support/builders/ports';

/** A conversation’s model as in a window; `own` replaces ports that belong to the window. */
export function follow(
  id: string,
  openSocket: OpenSocket,
  client = realClient(),
  own: Partial<TranscriptPorts> = {},
): LiveConversation {
  const readSecrets = () => Promise.resolve([real().service.sessionKey]);
  return new LiveConversation(id, conversationPorts(client, { openSocket }, { readSecrets, ...own }));
}

/** Resolves once the head fits. */
export function until(model: LiveConversation, fits: (head: Head) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!fits(model.head)) return;
      following.dispose();
      resolve();
    };
    const following = model.onDidChange(look);
    look();
  });
}
