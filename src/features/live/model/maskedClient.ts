import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Json } from '../../../shared/json';
import { hidesSomething } from '../../../core/settings/masks';
import { type KnownSecrets, secretValues } from '../../transcript';

/**
 * Wraps a client so that titles of conversations, which services make of their first messages, have no known secrets
 * wherever they're shown; and learns the secrets in its answers.
 */
export function maskedClient(client: ApiClient, known: KnownSecrets): ApiClient {
  const masked = (conversation: Conversation): Conversation => {
    known.learn([conversation.session_api_key]);
    const { title } = conversation;
    return title ? { ...conversation, title: known.mask(title) } : conversation;
  };
  return {
    ...client,
    getConversation: async (...args) => {
      const conversation = await client.getConversation(...args);
      return conversation && masked(conversation);
    },
    listConversations: async (...args) => {
      const page = await client.listConversations(...args);
      return { ...page, items: page.items.map(masked) };
    },
    searchSandboxes: async (...args) => {
      const page = await client.searchSandboxes(...args);
      known.learn(page.items.map((sandbox) => sandbox.session_api_key));
      return page;
    },
    getSettings: async (...args) => {
      const settings = await client.getSettings(...args);
      const secrets = secretValues((settings as { mcp_config?: Json }).mcp_config ?? null);
      // What stands for a secret would be masked wherever it stands for another.
      known.learn(secrets.filter((secret) => !hidesSomething(secret)));
      return settings;
    },
  };
}
