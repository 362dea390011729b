import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/api/events/event';
import { EventScan } from '../../../../src/api/events/scan';
import { byTime, eventSchema, readEvent, sorted, timeOf } from '../../../../src/api/events/schema';
import type { Usage } from '../../../../src/api/events/usage';

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
      call: '',
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
      assert.deepEqual(event.kind === 'action' && [event.action, event.risk], [{ kind: '', input }, 'HIGH']);
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

  it('reads the text of a message in any form', () => {
    const textOf = (content: unknown) => {
      const event = read({ kind: 'MessageEvent', llm_message: { content, reasoning_content: 'Hm.' } });
      return event.kind === 'message' && [event.text, event.length, event.images, event.thought];
    };
    assert.deepEqual(textOf('bare'), ['bare', 4, 0, 'Hm.']);
    assert.deepEqual(textOf(text('one')), ['one', 3, 0, 'Hm.']);
    for (const nothing of [null, undefined, 7, [], [{ type: 'audio', text: 'x' }, 'x', { type: 'text' }]])
      assert.deepEqual(textOf(nothing), ['', 0, 0, 'Hm.']);
    const event = read({ kind: 'MessageEvent', llm_message: { content: [text('one')] } });
    assert.equal('pictures' in event, false);
  });

  it('reads what skills added to a message, and their names', () => {
    const thoughtOf = (members: object) => {
      const event = read({ kind: 'MessageEvent', llm_message: { content: 'Go' }, ...members });
      return event.kind === 'message' && [event.text, event.thought];
    };
    const added = [text('Use the API.'), { type: 'image', image_urls: ['a'] }, text('Be short.')];
    assert.deepEqual(thoughtOf({ activated_skills: ['git', 'pdf'], extended_content: added }), [
      'Go',
      'git, pdf\n\nUse the API.\nBe short.',
    ]);
    assert.deepEqual(thoughtOf({ extended_content: 'Bare' }), ['Go', 'Bare']);
    for (const odd of [null, undefined, 7, 'git', {}, [], [null, 3, { name: 'git' }]])
      assert.deepEqual(thoughtOf({ activated_skills: odd, extended_content: [odd] }), ['Go', '']);
  });

  it('reads a result with its exit code, its error, and its plan, without terminal codes', () => {
    const observation = {
      kind: 'TerminalObservation',
      content: [text('\x1b[31mred\x1b[0m'), text('\x1b[2Jtwo'), { type: 'image', image_urls: ['a'] }],
      is_error: true,
      exit_code: 2,
      task_list: [
        { title: 'One', notes: 'n', status: 'in_progress' },
        { title: 7, status: 'someday' },
      ],
    };
    assert.deepEqual(read({ kind: 'ObservationEvent', action_id: 'a1', observation }), {
      ...common,
      kind: 'observation',
      actionId: 'a1',
      result: {
        kind: 'TerminalObservation',
        text: '\x1b[31mred\x1b[0m\ntwo',
        length: 16,
        images: 1,
        pictures: ['a'],
        isError: true,
        exitCode: 2,
        path: null,
        before: null,
        after: null,
        tasks: [
          { title: 'One', notes: 'n', status: 'in_progress' },
          { title: '', notes: '', status: 'todo' },
        ],
      },
    });
  });

  const others: [event: object, particulars: object][] = [
    [
      { kind: 'UserRejectObservation', action_id: 'a1', rejection_reason: 'No' },
      { kind: 'rejection', actionId: 'a1', reason: 'No' },
    ],
    [
      { kind: 'AgentErrorEvent', tool_call_id: 'c1', tool_name: 'terminal', error: 'Invalid' },
      { kind: 'toolError', callId: 'c1', tool: 'terminal', error: 'Invalid' },
    ],
    [
      { kind: 'ConversationErrorEvent', code: 'E', detail: 'Broken' },
      { kind: 'failure', code: 'E', detail: 'Broken' },
    ],
    [
      { kind: 'ServerErrorEvent', code: 'E', detail: null },
      { kind: 'failure', code: 'E', detail: '' },
    ],
    [
      { kind: 'Condensation', summary: 'So far' },
      { kind: 'condensation', summary: 'So far' },
    ],
    [{ kind: 'PauseEvent' }, { kind: 'paused' }],
    [{ kind: 'InterruptEvent' }, { kind: 'interrupted' }],
    [{ kind: 'StreamingDeltaEvent', delta: 'w' }, { kind: 'hidden' }],
    [{ kind: 7 }, { kind: 'other', name: '', mayAct: 'unclear' }],
  ];
  for (const [event, particulars] of others)
    it(`reads ${JSON.stringify(event)}`, () => {
      assert.deepEqual(read(event), { ...common, ...particulars });
    });

  it('has the thoughts of an action with a blank line between them, or either', () => {
    const thought = (reasoning_content: string | null, words: string) => {
      const event = read({ kind: 'ActionEvent', reasoning_content, thought: [text(words)], summary: 'S' });
      return event.kind === 'action' && [event.thought, event.summary, event.call];
    };
    assert.deepEqual(thought('Hm.', ''), ['Hm.', 'S', '']);
    assert.deepEqual(thought(null, 'I look.'), ['I look.', 'S', '']);
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
    assert.deepEqual(other, { ...common, kind: 'other', name: 'BrandNewEvent', mayAct: 'unclear' });
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

  it('sums up what is reported about it', () => {
    const usageOf = (usage_to_metrics: unknown) => {
      const event = read({ kind: 'ConversationStateUpdateEvent', key: 'stats', value: { usage_to_metrics } });
      return event.kind === 'usage' ? event.usage : event.kind;
    };
    assert.deepEqual(usageOf({}), { cost: 0, tokens: 0, context: null });
    assert.deepEqual(usageOf({ agent: { accumulated_cost: 1 }, other: { accumulated_cost: null } }), {
      cost: 1,
      tokens: 0,
      context: null,
    });
    const tokens = { prompt_tokens: 1, context_window: 9 };
    assert.deepEqual(usageOf({ main: { accumulated_token_usage: tokens } }), {
      cost: 0,
      tokens: 1,
      context: { used: 0, size: 9 },
    });
    const small = { completion_tokens: 2, context_window: 0, per_turn_token: 3 };
    assert.deepEqual(usageOf({ main: { accumulated_token_usage: small } }), {
      cost: 0,
      tokens: 2,
      context: null,
    });
    assert.equal(usageOf(null), 'hidden');
    const turn = (size: number) => ({ accumulated_token_usage: { context_window: size, per_turn_token: 1 } });
    const { context } = usageOf({ condenser: turn(5), agent: turn(9) }) as Usage;
    assert.deepEqual(context, { used: 1, size: 9 });
  });

  it('reads usage and models only where they’re reported', () => {
    const kindOf = (key: string, value: object) =>
      read({ kind: 'ConversationStateUpdateEvent', key, value }).kind;
    assert.equal(kindOf('other', { usage_to_metrics: {} }), 'hidden');
    assert.equal(kindOf('other', { llm: { model: 'm' } }), 'hidden');
    assert.equal(kindOf('stats', { llm: { model: 'm' } }), 'hidden');
  });

  it('treats a new status as unknown', () => {
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
    assert.deepEqual(read({ kind: 'constructor' }), {
      ...common,
      kind: 'other',
      name: 'constructor',
      mayAct: 'unclear',
    });
  });

  it('is refused without an ID or a time', () => {
    for (const bad of [{ id: '' }, { id: [1] }, { timestamp: 'soon' }, { timestamp: null }])
      assert.equal(eventSchema.safeParse({ ...common, kind: 'PauseEvent', ...bad }).success, false);
    for (const bad of [null, 'x', 7, [common]]) assert.equal(eventSchema.safeParse(bad).success, false);
  });

  it('is read although its time or ID is written in an odd way', () => {
    const at = (timestamp: unknown) => read({ kind: 'PauseEvent', timestamp }).timestamp;
    const second = '2026-01-02T03:04:05';
    for (const [written, time] of [
      ['2026-01-02T03:04:05.1234567890', `${second}.123456789`],
      ['2026-01-02 03:04:05.5', `${second}.5`],
      ['2026-01-02t03:04:05,5z', `${second}.5`],
      ['2026-01-02T04:04:05+01', second],
      ['2026-01-02T03:04:60', '2026-01-02T03:04:59'],
      [` ${second} `, second],
      [1_767_323_045, `${second}.000`],
      [1_767_323_045_123, `${second}.123`],
      ['1767323045.25', `${second}.250`],
      [1_767_323_045_123_456, `${second}.123`],
    ] as const)
      assert.equal(at(written), time, String(written));
    // By its zone, one is in the year 10000 and one before the year 0, which don't sort as text.
    const outside = ['9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00'];
    assert.deepEqual(outside.map(at), ['9999-12-31T23:59:59', '0000-01-01T00:00:00']);
    for (const none of ['2026-13-45T99:99:99', '2026-01-02', '', true, NaN, 1e300, {}])
      assert.equal(eventSchema.safeParse({ ...common, kind: 'PauseEvent', timestamp: none }).success, false);
    assert.equal(read({ kind: 'PauseEvent', id: 7 }).id, '7');
  });

  it('is named in its place if none of it can be read', () => {
    const near = '2026-01-02T03:04:05';
    const found = [null, 'x', 7, [], {}, { id: '' }, { id: 'a', timestamp: 'soon' }].map((value) =>
      readEvent(value, near),
    );
    assert.deepEqual(
      found.map(({ kind, timestamp }) => [kind, timestamp]),
      [
        ...Array.from({ length: 4 }, () => ['unread', near]),
        ...Array.from({ length: 3 }, () => ['other', near]),
      ],
    );
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
    assert.equal(readEvent('x', '').id, found[1]?.id, 'the same one each time');
  });

  it('may be an action if it carries one, or a tool’s call that answers none, whatever its kind is called', () => {
    const mayAct = (event: object) => {
      const one = read(event);
      return one.mayAct === true;
    };
    for (const event of [
      { kind: 'actionEvent', action: { kind: 'TerminalAction' } },
      { action: 'rm' },
      { kind: 7, action: [] },
      { kind: 'ToolCallEvent', tool_call: { name: 'terminal' } },
      { kind: 'ToolCallEvent', tool_calls: [] },
      { kind: 'NewEvent', tool_name: 'terminal' },
      { kind: 'NewEvent', tool_call_id: 'c1', source: 'planner' },
      { kind: 'PlanEvent', actions: [] },
      { kind: 'NewEvent', id: 'e1', action_id: 'e1', source: 'environment' },
      { kind: 'PauseEvent', action: { kind: 'TerminalAction' } },
    ])
      assert.ok(mayAct(event), JSON.stringify(event));
    for (const event of [
      { kind: 'CostEvent', cost: 7 },
      { kind: 'NewEvent', action: null, tool_call: null, tool_name: '' },
      { kind: 'NewObservation', tool_name: 'terminal', tool_call_id: 'c1', action_id: 'a1' },
      { kind: 'ProgressEvent', tool_name: 'terminal', source: 'environment' },
      { kind: 'HookExecutionEvent', tool_name: 'terminal', source: 'hook', hook_event_type: 'PreToolUse' },
      { kind: 'ACPToolCallEvent', tool_call_id: 'c1', title: 'Edit' },
    ])
      assert.ok(!mayAct(event), JSON.stringify(event));
  });

  it('may be more actions than the one that is read', () => {
    const action = { kind: 'ActionEvent', action: { kind: 'TerminalAction', command: 'ls' } };
    const [one, other] = [{ name: 'terminal' }, { name: 'browser' }];
    for (const event of [
      { ...action, actions: [one, other] },
      { ...action, tool_calls: [one, other] },
      { kind: 'ActionEvent', actions: [one] },
      { kind: 'ActionEvent', tool_calls: [one] },
    ])
      assert.equal(read(event).mayAct, true, JSON.stringify(event));
    for (const event of [
      action,
      { ...action, actions: [one], tool_calls: [one] },
      { ...action, actions: null, tool_calls: {} },
      { kind: 'ActionEvent', actions: [], tool_calls: [] },
    ])
      assert.equal(read(event).mayAct, undefined, JSON.stringify(event));
  });

  it('is unclear if it has actions within it that this client may not know', () => {
    const calls = { tool_calls: [{ name: 'terminal' }] };
    for (const event of [
      { kind: 'StepEvent', source: 'environment', steps: [{ action: { kind: 'TerminalAction' } }] },
      { kind: 'StepEvent', source: 'user', toolCalls: [{}] },
      { kind: 'StepEvent', source: 'environment', pendingActions: { a: 1 } },
      { kind: 'MessageEvent', llm_message: { content: [], ...calls } },
    ])
      assert.equal(read(event).mayAct, 'unclear', JSON.stringify(event));
    for (const event of [
      { kind: 'ReviewEvent', source: 'user', review: { action: 'approve', actions: [] } },
      { kind: 'MessageEvent', llm_message: { content: [], tool_calls: null, function_call: {} } },
      { kind: 'ObservationEvent', observation: { content: [], ...calls } },
    ])
      assert.equal(read(event).mayAct, undefined, JSON.stringify(event));
  });

  it('keeps the event before it on its branch', () => {
    assert.equal(read({ kind: 'PauseEvent', parent_id: 'e0' }).parent, 'e0');
    assert.equal(read({ kind: 'PauseEvent', parent_id: 7 }).parent, '7');
    for (const none of [null, '', {}, '__root__'])
      assert.ok(!('parent' in read({ kind: 'PauseEvent', parent_id: none })));
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
    assert.deepEqual(
      sorted(events, true).map(({ id }) => id),
      ['a', 'd', 'c', 'b'],
    );
    const [, , d, c] = events as [never, never, AgentEvent, AgentEvent];
    assert.deepEqual([byTime(d, d), byTime(d, c), byTime(c, d)], [0, 1, -1]);
    assert.equal(timeOf(events[0]!), Date.UTC(2026, 0, 2, 3, 4, 5));
    assert.equal(timeOf({ timestamp: '2026-01-02T03:04:05.678901' }), Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    const zones = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05'];
    assert.deepEqual(
      new Set(zones.map((timestamp) => at(timestamp, 'a').timestamp)),
      new Set(['2026-01-02T03:04:05']),
    );
  });

  it('is read with any zone, as the time in UTC to the microsecond', () => {
    const at = (timestamp: string) => read({ kind: 'PauseEvent', timestamp }).timestamp;
    assert.equal(at('2026-01-02T01:04:05.678901+02:00'), '2026-01-01T23:04:05.678901');
    assert.equal(at('2026-01-02T03:04:05.678901-0530'), '2026-01-02T08:34:05.678901');
    assert.equal(at('2026-01-02T03:04:05+14:00'), '2026-01-01T13:04:05');
    assert.equal(at('2026-01-02T03:04:05.5+99:00'), '2026-01-02T03:04:05.5');
  });
});

describe('reading events page by page', () => {
  const event = (id: string) => eventSchema.parse({ ...common, kind: 'PauseEvent', id });
  /** Answers the pages in turn; notes which were asked for. */
  function scanOf(...pages: [ids: string, nextPageId: string | null][]) {
    const asked: (string | undefined)[] = [];
    const scan = new EventScan((pageId) => {
      asked.push(pageId);
      const [ids, nextPageId] = pages[asked.length - 1] ?? assert.fail('no such page');
      if (ids === '!') return Promise.reject(new Error('down'));
      return Promise.resolve({ items: Array.from(ids, event), nextPageId });
    });
    const next = async () => (await scan.next()).map(({ id }) => id).join('');
    return { asked, scan, next };
  }

  it('ends with the last page', async () => {
    const { asked, scan, next } = scanOf(['ab', 'two'], ['c', null]);
    assert.deepEqual([await next(), scan.atEnd], ['ab', false]);
    assert.deepEqual([await next(), scan.atEnd], ['c', true]);
    assert.deepEqual(await scan.next(), []);
    assert.deepEqual(asked, [undefined, 'two']);
  });

  it('gives each event once, and ends after pages that bring more than there was, but nothing new', async () => {
    const { scan, next } = scanOf(['ab', 'two'], ['bc', 'three'], ['abc', 'four'], ['abc', 'five']);
    assert.deepEqual([await next(), await next(), await next(), scan.atEnd], ['ab', 'c', '', false]);
    assert.deepEqual([await next(), scan.atEnd], ['', true]);
  });

  it('reads on after pages without news, which come before the next ones when many events arrive', async () => {
    const { scan, next } = scanOf(['ab', '2'], ['cd', '4'], ['ab', '6'], ['cd', '8'], ['e', null]);
    assert.deepEqual([await next(), await next(), await next(), await next()], ['ab', 'cd', '', '']);
    assert.deepEqual([await next(), scan.atEnd], ['e', true]);
  });

  it('ends with an empty page, even if it names a next one', async () => {
    const { scan, next } = scanOf(['ab', 'two'], ['', 'three']);
    assert.deepEqual([await next(), await next(), scan.atEnd], ['ab', '', true]);
  });

  it('can read a page again that failed', async () => {
    const { asked, next } = scanOf(['a', 'two'], ['!', null], ['b', null]);
    await next();
    await assert.rejects(next(), /down/);
    assert.equal(await next(), 'b');
    assert.deepEqual(asked, [undefined, 'two', 'two']);
  });
});
