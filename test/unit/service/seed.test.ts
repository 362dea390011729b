import assert from 'node:assert/strict';
import { generateConversations, generateSandboxes, lifelikeState } from '../../service/seed';

const now = Date.UTC(2025, 10, 21);

describe('reference service: sample data', () => {
  it('covers every sandbox and agent state, sub-conversations, settings, and tokens', () => {
    const state = lifelikeState(now);
    const sandboxStates = new Set([...state.sandboxes.values()].map(({ status }) => status));
    assert.deepEqual([...sandboxStates].toSorted(), ['ERROR', 'MISSING', 'PAUSED', 'RUNNING', 'STARTING']);
    const visible = [...state.conversations.values()].filter(
      ({ sandbox_id }) => state.sandboxes.get(sandbox_id)?.status === 'RUNNING',
    );
    assert.deepEqual([...new Set(visible.map(({ execution_status }) => execution_status))].toSorted(), [
      'error',
      'finished',
      'idle',
      'paused',
      'running',
      'stuck',
      'waiting_for_confirmation',
    ]);
    for (const conversation of state.conversations.values()) {
      assert.ok(state.sandboxes.has(conversation.sandbox_id));
      for (const id of conversation.sub_conversation_ids)
        assert.equal(state.conversations.get(id)?.parent_conversation_id, conversation.id);
      assert.ok(Date.parse(conversation.created_at) <= Date.parse(conversation.updated_at));
      assert.ok(Date.parse(conversation.updated_at) <= now);
    }
    const mcp = state.settings?.mcp_config;
    assert.ok(
      mcp && mcp.sse_servers.length > 0 && mcp.stdio_servers.length > 0 && mcp.shttp_servers.length > 0,
    );
    assert.deepEqual(Object.keys(state.providerTokens), ['github']);
    assert.deepEqual(lifelikeState(now), state, 'the same each time');
  });

  it('has any size, the same records each time, newest first', () => {
    const sandboxes = generateSandboxes(10_000, now);
    const conversations = generateConversations(10_000, now, sandboxes);
    assert.equal(new Set(sandboxes.map(({ id }) => id)).size, 10_000);
    assert.equal(new Set(conversations.map(({ id }) => id)).size, 10_000);
    assert.deepEqual(generateSandboxes(100, now), sandboxes.slice(0, 100));
    assert.deepEqual(generateConversations(100, now, sandboxes), conversations.slice(0, 100));
    assert.notEqual(generateSandboxes(1, now, 7)[0]?.id, sandboxes[0]?.id);
    for (const records of [sandboxes, conversations])
      assert.ok(
        records.every(({ created_at }, index) => created_at < (records[index - 1]?.created_at ?? '3')),
      );
    assert.equal(sandboxes.filter(({ status }) => status === 'RUNNING').length, 5);
  });
});
