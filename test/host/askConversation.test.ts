import assert from 'node:assert/strict';
import type { ServiceSettings } from '../../src/api/service/schemas/settings';
import { askConversation } from '../../src/commands/conversation/start/askConversation';
import { ServiceModel } from '../../src/state/lists/serviceModel';
import { SessionStore } from '../../src/state/session/session';
import { aClient } from '../support/builders/client';
import { quiet } from '../support/builders/quiet';
import { aConversation, aSandbox } from '../support/builders/records';
import { answering } from './answering';

describe('the options of a new conversation', () => {
  it('come back after Enter, if the service may pause a sandbox that wasn’t known yet', async () => {
    let list: (() => void) | undefined;
    const listed = new Promise<void>((resolve) => {
      list = resolve;
    });
    const client = aClient({
      searchSandboxes: async () => {
        await listed;
        const ids = ['sb-1', 'sb-2', 'sb-3', 'sb-4', 'sb-5'];
        return { items: ids.map((id) => aSandbox({ id })), nextPageId: null };
      },
      listConversations: () => Promise.resolve({ items: [aConversation()], nextPageId: null }),
      getSettings: () => Promise.resolve({} as ServiceSettings),
    });
    const baseUrl = 'https://one.example.com';
    const session = new SessionStore({
      readTarget: () =>
        Promise.resolve({ connection: { name: 'Team', baseUrl, origin: baseUrl }, sessionKey: 'k1' }),
      createClient: () => client,
    });
    await session.reload();
    const model = new ServiceModel({ session, ...quiet });
    const start = 'Start Conversation';
    const beforeListed = () => {
      list?.();
      return start;
    };
    const { rows, restore } = answering([beforeListed, start]);
    const choice = {
      repository: undefined,
      branch: undefined,
      provider: undefined,
      place: { kind: 'default' as const },
      model: undefined,
      title: undefined,
    };
    try {
      assert.deepEqual(await askConversation({ client, model, proposals: [], choice }), choice);
    } finally {
      restore();
      model.dispose();
      session.dispose();
    }
    assert.deepEqual(
      rows.map((shown) => shown.find((row) => row.startsWith('Sandbox: '))),
      ['Sandbox: New (service default)', 'Sandbox: New (service default) · may pause “Mend the login test”'],
    );
  });
});
