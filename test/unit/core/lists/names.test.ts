import assert from 'node:assert/strict';
import { imageName } from '../../../../src/shared/imageName';
import {
  conversationLabel,
  conversationName,
  sandboxLabel,
  sandboxName,
  sandboxNameOf,
  sandboxRepository,
  titleOfMessage,
} from '../../../../src/core/lists/names';
import { aConversation, aSandbox } from '../../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');

describe('sandbox names', () => {
  it('uses the latest conversation’s title and the number of others', () => {
    const older = aConversation({ id: 'c-0', title: 'Older', updated_at: '2025-12-31T00:00:00Z' });
    const latest = aConversation({ id: 'c-1', title: 'Port tariff parser' });
    assert.equal(sandboxName(aSandbox(), [older, latest], now), 'Port tariff parser +1');
    assert.equal(sandboxName(aSandbox(), [latest], now), 'Port tariff parser');
  });

  it('counts subconversations and ignores conversations of other sandboxes', () => {
    const conversations = [
      aConversation({ title: 'Port tariff parser' }),
      aConversation({ id: 'c-2', title: 'Plan', parent_conversation_id: 'c-1' }),
      aConversation({ id: 'c-3', title: 'Elsewhere', sandbox_id: 'sb-2' }),
    ];
    assert.equal(sandboxName(aSandbox(), conversations, now), 'Port tariff parser');
  });

  it('falls back to the repository, then to the image and age', () => {
    const untitled = aConversation({ title: null, selected_repository: 'acme/shop' });
    assert.equal(sandboxName(aSandbox(), [untitled], now), 'acme/shop');
    assert.equal(sandboxRepository(aSandbox(), [untitled]), 'acme/shop');
    const sandbox = aSandbox({ sandbox_spec_id: 'ghcr.io/acme/agent-server:1.1-node' });
    assert.equal(sandboxName(sandbox, [], now), 'agent-server:1.1-node · 3 h ago');
    assert.equal(sandboxLabel(sandbox, []), 'agent-server:1.1-node');
    assert.equal(sandboxName({ id: 'sb-9' }, [], now), 'Sandbox');
  });

  it('takes title and repository of an earlier conversation where the latest has none', () => {
    const [bare, titled] = [
      aConversation({ id: 'b', title: null, selected_repository: null, updated_at: '2026-01-03T00:00:00Z' }),
      aConversation({ id: 'a', title: 'Fix it', updated_at: '2026-01-01T00:00:00Z' }),
    ];
    const about = { ...bare, id: 'c', selected_repository: 'acme/shop', updated_at: '2026-01-02T00:00:00Z' };
    assert.equal(sandboxName(aSandbox(), [bare, about, titled], now), 'Fix it +2');
    assert.equal(sandboxRepository(aSandbox(), [bare, about]), 'acme/shop');
    assert.equal(sandboxRepository(aSandbox(), [bare]), undefined);
  });

  it('takes the sandbox from the list, or only its id', () => {
    const sandbox = aSandbox({ sandbox_spec_id: 'agent:2.0' });
    const lists = {
      sandboxes: { get: (id: string) => (id === sandbox.id ? sandbox : undefined) },
      conversations: { state: { items: [] } },
    } as unknown as Parameters<typeof sandboxNameOf>[1];
    assert.equal(sandboxNameOf(sandbox.id, lists, now), 'agent:2.0 · 3 h ago');
    assert.equal(sandboxNameOf('sb-9', lists, now), 'Sandbox');
  });

  it('takes the conversation that was active last', () => {
    const conversations = [
      aConversation({ id: 'c-0', title: 'Never active', created_at: null, updated_at: null }),
      aConversation({ id: 'c-1', title: 'Updated', updated_at: '2026-01-02T00:00:00Z' }),
      aConversation({ id: 'c-2', title: 'Created', created_at: '2026-01-03T00:00:00Z', updated_at: null }),
    ];
    assert.equal(sandboxName(aSandbox(), conversations, now), 'Created +2');
    assert.equal(sandboxName(aSandbox(), conversations.slice(0, 2), now), 'Updated +1');
  });

  it('never contains the id', () => {
    const id = '0123456789abcdef0123456789abcdef';
    const madeUp = aConversation({ id, sandbox_id: 'sb-7f3', title: 'Conversation 01234' });
    const sandbox = aSandbox({ id: 'sb-7f3' });
    for (const name of [
      sandboxName(sandbox, [madeUp], now),
      sandboxName({ id: 'sb-7f3' }, [], now),
      conversationName(madeUp, now),
      conversationName({ id }, now),
    ]) {
      assert.doesNotMatch(name, /7f3|01234/);
    }
  });
});

describe('conversation names', () => {
  it('uses the title, even if it resembles a generated title', () => {
    assert.equal(conversationName(aConversation(), now), 'Mend the login test');
    assert.equal(conversationName(aConversation({ title: 'Conversation 12345' }), now), 'Conversation 12345');
  });

  it('falls back to repository and age if the title is generated', () => {
    const values = { id: '3cd7b0aa-1111', title: 'Conversation 3cd7b', selected_repository: 'acme/shop' };
    assert.equal(conversationName(aConversation(values), now), 'acme/shop · 3 h ago');
    assert.equal(conversationLabel(aConversation(values)), 'acme/shop');
    assert.equal(conversationName({ id: 'c-9' }, now), 'Untitled conversation');
  });

  it('keeps a title that has more than a generated one', () => {
    const id = '3cd7b0aa-1111';
    for (const title of ['My Conversation 3cd7b', 'Conversation 3cd7b again'])
      assert.equal(conversationName({ id, title }, now), title);
    assert.equal(
      conversationName({ id, title: 'conversation 3CD7B0AA1111' }, now),
      'Untitled conversation',
      'in any case, and beyond the first hyphen',
    );
  });

  it('shows when it was active last', () => {
    const dates = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T02:00:00Z' };
    assert.equal(conversationName({ id: 'c', ...dates }, now), 'Untitled conversation · 1 h ago');
  });

  it('sanitizes the title', () => {
    assert.equal(conversationName({ id: 'c', title: 'a\u001b[31m\n\u202eb' }), 'a b');
  });

  it('uses the first line of a message with any words', () => {
    assert.equal(titleOfMessage('\n  \nMend the login test\nIt fails.'), 'Mend the login test');
    assert.equal(titleOfMessage(''), '');
  });
});

describe('image names', () => {
  it('contains name and tag, without registry and digest', () => {
    for (const [id, name, from] of [
      ['ghcr.io/openhands/agent-server:1.1.0-node', 'agent-server:1.1.0-node', 'ghcr.io/openhands'],
      ['localhost:5000/agent@sha256:0123', 'agent', 'localhost:5000'],
      ['agent:1.0', 'agent:1.0', ''],
      ['odd/', 'odd/', ''],
      ['', '', ''],
    ] as const) {
      assert.deepEqual(imageName(id), { name, from });
    }
  });
});
