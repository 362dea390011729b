import assert from 'node:assert/strict';
import { eventSchema, sorted, timeOf } from '../../../../src/api/events/schema';

const common = { id: 'e1', timestamp: '2026-01-02T03:04:05.678901', source: 'agent' };
const read = (event: object) => {
  const { data } = eventSchema.safeParse({ ...common, ...event });
  assert.ok(data);
  return data;
};
const text = (words: string) => ({ type: 'text', text: words, cache_prompt: false });

describe('an event', () => {
  it('reads a message with its pictures and thoughts', () => {
    const message = {
      role: 'user',
      content: [text('one'), { type: 'image', image_urls: ['data:a', 'https://b'] }, text('two')],
      reasoning_content: null,
    };
    assert.deepEqual(read({ kind: 'MessageEvent', llm_message: message }), {
      ...common,
      kind: 'message',
      text: 'one\ntwo',
      length: 7,
      images: 2,
      pictures: ['data:a', 'https://b'],
      thought: '',
    });
  });

  it('reads an action without the members that are null', () => {
    const event = read({
      kind: 'ActionEvent',
      thought: [text('I look.')],
      reasoning_content: 'Hm.',
      action: { kind: 'TerminalAction', command: 'ls', timeout: null },
      tool_name: 'terminal',
      tool_call_id: 'c1',
      tool_call: { arguments: '{}' },
      security_risk: 'LOW',
    });
    assert.deepEqual(event, {
      ...common,
      kind: 'action',
      thought: 'Hm.\n\nI look.',
      action: { kind: 'TerminalAction', input: { command: 'ls' } },
      tool: 'terminal',
      callId: 'c1',
      call: '{}',
      risk: 'LOW',
      summary: '',
    });
  });

  it('has no action when the call wasn’t valid, with null or without the member', () => {
    for (const event of [{ action: null }, {}]) {
      const action = read({ kind: 'ActionEvent', thought: [], ...event });
      assert.equal(action.kind === 'action' && action.action, null);
    }
  });

  it('never loses an action, whatever its shape', () => {
    for (const [action, input] of [
      [{ kind: 7, command: 'rm' }, { command: 'rm' }],
      ['rm', { value: 'rm' }],
      [['rm'], { 0: 'rm' }],
    ] as const) {
      const event = read({
        kind: 'ActionEvent',
        thought: null,
        action,
        tool_call_id: 5,
        security_risk: 'BAD',
      });
      assert.deepEqual(event.kind === 'action' && [event.action, event.risk], [
        { kind: '', input },
        'UNKNOWN',
      ]);
    }
  });

  it('reads a result with the whole file before and after', () => {
    const observation = {
      kind: 'FileEditorObservation',
      content: [text('edited')],
      is_error: false,
      path: '/a',
      prev_exist: false,
      old_content: null,
      new_content: 'x',
    };
    assert.deepEqual(read({ kind: 'ObservationEvent', action_id: 'a1', observation }), {
      ...common,
      kind: 'observation',
      actionId: 'a1',
      result: {
        kind: 'FileEditorObservation',
        text: 'edited',
        length: 6,
        images: 0,
        isError: false,
        exitCode: null,
        path: '/a',
        before: null,
        after: 'x',
        tasks: null,
      },
    });
  });

  it('drops “full_state” and “agent” with their secrets', () => {
    for (const key of ['full_state', 'agent', 'anything']) {
      const event = read({
        kind: 'ConversationStateUpdateEvent',
        key,
        value: { agent: { llm: { api_key: 'canary' } } },
      });
      assert.deepEqual(event, { ...common, kind: 'hidden' });
    }
    const other = read({ kind: 'BrandNewEvent', secret: 'canary', agent: { api_key: 'canary' } });
    assert.deepEqual(other, { ...common, kind: 'other', name: 'BrandNewEvent' });
  });

  it('reads nothing of an agent but the name of its model', () => {
    const value = { llm: { model: 'openai/gpt-5', api_key: 'canary' }, mcp_config: { token: 'canary' } };
    assert.deepEqual(read({ kind: 'ConversationStateUpdateEvent', key: 'agent', value }), {
      ...common,
      kind: 'model',
      name: 'openai/gpt-5',
    });
  });

  it('sums up what was used', () => {
    const usage = (cost: number) => ({
      accumulated_cost: cost,
      accumulated_token_usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        context_window: 200,
        per_turn_token: 12,
      },
    });
    const value = { usage_to_metrics: { condenser: usage(0.25), agent: usage(0.5) } };
    assert.deepEqual(read({ kind: 'ConversationStateUpdateEvent', key: 'stats', value }), {
      ...common,
      kind: 'usage',
      usage: { cost: 0.75, tokens: 24, context: { used: 12, size: 200 } },
    });
  });

  it('calls a status that is new unknown', () => {
    const status = (value: unknown) => {
      const event = read({ kind: 'ConversationStateUpdateEvent', key: 'execution_status', value });
      return event.kind === 'status' && event.status;
    };
    assert.deepEqual([status('stuck'), status('dreaming'), status(null)], ['stuck', 'unknown', 'unknown']);
  });

  it('is of kind `other` when a known kind has an unknown shape', () => {
    assert.deepEqual(read({ kind: 'ObservationEvent' }), {
      ...common,
      kind: 'other',
      name: 'ObservationEvent',
    });
    assert.deepEqual(read({ kind: 'constructor' }), { ...common, kind: 'other', name: 'constructor' });
  });

  it('is refused without an ID or a time', () => {
    for (const bad of [{ id: '' }, { id: 1 }, { timestamp: 'soon' }, { timestamp: null }])
      assert.equal(eventSchema.safeParse({ ...common, kind: 'PauseEvent', ...bad }).success, false);
  });

  it('compares times without zones to the microsecond', () => {
    const at = (timestamp: string, id: string) => read({ kind: 'PauseEvent', timestamp, id });
    const events = [
      at('2026-01-02T03:04:05.000002Z', 'a'),
      at('2026-01-02T03:04:05', 'b'),
      at('2026-01-02T03:04:05.000001', 'd'),
      at('2026-01-02T03:04:05.000001', 'c'),
    ];
    assert.deepEqual(
      sorted(events, false).map(({ id }) => id),
      ['b', 'c', 'd', 'a'],
    );
    assert.equal(timeOf(events[0]!), Date.UTC(2026, 0, 2, 3, 4, 5));
  });
});
