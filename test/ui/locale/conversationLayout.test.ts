import { limitSchema } from '../../../src/shared/limit';
import { action, lifelike, message, smallPicture } from '../../support/conversation/entries';
import { ConversationPage } from '../conversation/conversationPage';
import { buildPage } from '../support/builtPage';
import { itFits } from './fitting';

describe('a conversation’s layout in other languages', () => {
  itFits({
    name: 'conversation-layout',
    build: () => buildPage('conversation'),
    open: (built, view) => ConversationPage.open(built, view),
    // Agents’ text scrolls or ends in “…”.
    shortened:
      '.text, pre, code, .said, .summary, .title, .live-text, .late, .facts-list, .facts-list *, #filter, .outgoing-text, .attachments span, .scroller, .visually-hidden',
    visit: async (conversation, look) => {
      await conversation.begin([...lifelike(), message('user', 'Look', { id: 'm', images: 2 })], {
        execution: 'waiting_for_confirmation',
        sendEffect: 'rejects',
        masked: 2,
        pending: [action('a', 'rm -rf build', { risk: 'HIGH' })],
        outgoing: [{ id: 'o', text: 'Next', state: 'unknown', problem: '' }],
      });
      await conversation.send({
        type: 'attachments',
        attachments: [{ id: 'p', kind: 'picture', label: 'a.png', preview: smallPicture }],
      });
      await conversation.frame();
      await look('waiting');
      for (const limit of limitSchema.options) {
        await conversation.setHead({ pending: [], execution: 'running', canInterrupt: true, limit });
        await conversation.frame();
        await look(`limit-${limit}`);
      }
    },
  });
});
