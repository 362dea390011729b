import assert from 'node:assert/strict';
import type { ServiceSettings } from '../../src/api/service/schemas/settings';
import { sendMessage } from '../../src/features/start/commands/sendMessage';
import type { ConversationChoice } from '../../src/features/start/model/choice';
import { Deliveries } from '../../src/features/changes/model/deliveries';
import { Dismissed } from '../../src/features/start/model/startTasks';
import { windowWith } from '../support/builders/window';
import { aClient } from '../support/builders/client';
import { answering } from './answering';

const baseUrl = 'https://one.example.com';

/** What is begun for a message once its options, which are offered like this, are accepted. */
async function begunWith(offered: Partial<ConversationChoice>) {
  const client = aClient({
    baseUrl,
    searchSandboxes: () => Promise.resolve({ items: [], nextPageId: null }),
    listConversations: () => Promise.resolve({ items: [], nextPageId: null }),
    getSettings: () => Promise.resolve({} as ServiceSettings),
  });
  const { session, model, dispose } = await windowWith(client);
  let stored: unknown;
  const deliveries = new Deliveries({ read: () => stored, write: (value) => (stored = value) });
  const begun: { message: string; isMessageLater: boolean }[] = [];
  const kept: string[][] = [];
  const needs = {
    session,
    model,
    deliveries,
    message: {
      ...{ text: 'Fix it', selections: [], context: {} },
      keep: () => Promise.resolve(),
      discard: () => Promise.resolve(),
    },
    choices: {
      offered: (_service: string, choice: ConversationChoice) => ({ ...choice, ...offered }),
      keep: () => undefined,
    },
    firstMessages: { keep: (...message: string[]) => kept.push(message) },
    starts: {
      begin: ({ message, isMessageLater }: (typeof begun)[number]) => {
        begun.push({ message, isMessageLater });
        return { id: 's-1', ended: Promise.reject(new Dismissed()) };
      },
      get: () => undefined,
      limits: { of: () => undefined },
    },
    showConversation: () => Promise.resolve(),
    isConversationVisible: () => true,
  } as unknown as Parameters<typeof sendMessage>[0];
  const { restore } = answering(['Start Conversation']);
  try {
    await sendMessage(needs)();
    return { begun, kept, delivery: deliveries.ofStart('s-1') };
  } finally {
    restore();
    dispose();
  }
}

describe('starting a conversation with options', () => {
  it('puts the message into the request, and remembers it for its repository', async () => {
    const { begun, kept, delivery } = await begunWith({ repository: 'acme/shop' });
    assert.deepEqual(begun, [{ message: 'Fix it', isMessageLater: false }]);
    assert.deepEqual(kept, [['Fix it', 'acme/shop']]);
    assert.equal(delivery, undefined);
  });

  it('keeps the message back until the conversation has its policy', async () => {
    const { begun, delivery } = await begunWith({ repository: 'acme/shop', policy: 'always' });
    assert.deepEqual(begun, [{ message: 'Fix it', isMessageLater: true }]);
    assert.deepEqual([delivery?.message, delivery?.policy, delivery?.root], ['Fix it', 'always', '']);
  });
});
