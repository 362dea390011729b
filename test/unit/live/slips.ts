import type { AgentEventRecord, EventLog } from '../../service/agent/eventLog';

type Write = (event: AgentEventRecord, log: EventLog) => AgentEventRecord;

const changed =
  (change: (event: AgentEventRecord) => object): Write =>
  (event, log) =>
    log.write({ ...event, ...change(event) });

const later = (ms: number, { timestamp }: AgentEventRecord) =>
  new Date(Date.parse(`${timestamp.slice(0, 23)}Z`) + ms).toISOString().slice(0, -1) + '000';

/** Likewise, without the members by which an action would be known. */
const bare =
  (change: (event: AgentEventRecord, log: EventLog) => object): Write =>
  (event, log) => {
    const { action: _, tool_call: _call, tool_name: _name, tool_call_id: _id, ...rest } = event;
    return log.write({ ...rest, ...change(event, log) });
  };

const state = (event: AgentEventRecord, members: object) => ({
  ...{ kind: 'ConversationStateUpdateEvent', source: 'environment', id: `state of ${event.id}` },
  ...members,
});

/** With the ID of the last event that fits. */
const withIdOf =
  (fits: (event: AgentEventRecord) => boolean): Write =>
  (event, log) =>
    log.write({ ...event, id: log.all.findLast(fits)?.id ?? event.id });

/** After an event that names it. */
const named =
  (kind: string, members: (event: AgentEventRecord) => object): Write =>
  (event, log) => {
    log.add(kind, 'environment', { ...members(event) });
    return log.write(event);
  };

/** Ways in which a server may tell of an action so that it’s easily overlooked. */
export const slips = {
  usual: changed(() => ({})),
  // Of a time before those of events that were written, and read, before it.
  written40Later: (event, log) => {
    for (let count = 0; count < 40; count += 1) log.state('stats', null);
    return log.write(event);
  },
  pageLater: (event, log) => {
    const written = log.write(event);
    for (let count = 0; count < 150; count += 1) log.state('agent_state', null);
    return written;
  },
  hourEarlier: changed((event) => ({ timestamp: later(-3_600_000, event) })),
  hourLater: changed((event) => ({ timestamp: later(3_600_000, event) })),
  tenDigits: changed(({ timestamp }) => ({ timestamp: `${timestamp}0000` })),
  blankForT: changed(({ timestamp }) => ({ timestamp: timestamp.replace('T', ' ') })),
  comma: changed(({ timestamp }) => ({ timestamp: timestamp.replace('.', ',') })),
  shortZone: changed(({ timestamp }) => ({ timestamp: `${timestamp}+00` })),
  epoch: changed(({ timestamp }) => ({ timestamp: Date.parse(`${timestamp.slice(0, 23)}Z`) / 1_000 })),
  noTime: changed(() => ({ timestamp: null })),
  noSuchDay: changed(() => ({ timestamp: '2026-13-45T99:99:99' })),
  numberedId: changed(({ id }) => ({ id: Number.parseInt(id.slice(0, 8), 16) })),
  emptyId: changed(() => ({ id: '' })),
  noId: changed(() => ({ id: null })),
  otherKind: changed(() => ({ kind: 'actionEvent' })),
  noKind: changed(() => ({ kind: null })),
  newKind: changed(() => ({ kind: 'ToolCallEvent', action: null })),
  lookalike: (event, log) => {
    const written = log.write({ ...event, id: String(log.all.length) });
    log.add('ObservationEvent', 'environment', {
      action_id: Number(written.id),
      observation: { kind: 'TerminalObservation', content: [] },
    });
    return written;
  },
  inState: (event, log) =>
    log.write({
      ...{ kind: 'ConversationStateUpdateEvent', source: 'environment' },
      ...{ id: `state of ${event.id}`, timestamp: event.timestamp },
      ...{ key: 'full_state', value: { pending_actions: [event] } },
    }),
  deep: changed(() => ({ extra: JSON.parse('['.repeat(70) + ']'.repeat(70)) as unknown })),
} satisfies Record<string, Write>;

/** Others, most of which can’t be shown. */
export const oddSlips = {
  afterAnswer: named('ObservationEvent', ({ id }) => ({ action_id: id, observation: { content: [] } })),
  afterRejection: named('UserRejectObservation', ({ id }) => ({ action_id: id })),
  afterError: (event, log) => {
    const { tool_call_id } = event;
    const error = log.add('AgentErrorEvent', 'agent', { tool_call_id, tool_name: 'terminal', error: 'x' });
    return log.write({ ...event, timestamp: later(-1_000, error) });
  },
  withIdOfMessage: withIdOf(({ kind }) => kind === 'MessageEvent'),
  withIdOfState: withIdOf(({ kind }) => kind === 'ConversationStateUpdateEvent'),
  withIdOfAnswer: withIdOf(({ kind }) => kind === 'ObservationEvent'),
  withIdOfAction: withIdOf(({ kind }) => kind === 'ActionEvent'),
  withCallOfAction: (event, log) =>
    log.write({ ...event, tool_call_id: log.all.findLast((one) => one['tool_call_id'])?.['tool_call_id'] }),
  inWords: bare(({ action }) => ({ kind: 'StepEvent', operation: action })),
  inWordsOfEnvironment: bare(({ action }) => ({
    ...{ kind: 'StepEvent', source: 'environment' },
    toolCalls: [action],
  })),
  inStateById: bare((event) => state(event, { key: 'pending_actions', value: [event.id] })),
  besideState: bare((event) =>
    state(event, { key: 'execution_status', value: 'waiting_for_confirmation', pending_actions: [event] }),
  ),
  inPause: bare(({ id }) => ({ kind: 'PauseEvent', pending_actions: [id] })),
  inMessage: changed(() => ({ kind: 'MessageEvent', llm_message: { content: [] } })),
  inPartOfMessage: bare(({ action }) => ({
    kind: 'MessageEvent',
    llm_message: { role: 'assistant', content: [{ type: 'tool_use', input: action }] },
  })),
  inReport: changed(() => ({ kind: 'HookExecutionEvent' })),
  inHidden: changed(() => ({ kind: 'CondensationRequest' })),
  inBatch: changed(({ action }) => ({ action: null, actions: [action] })),
  inBatchBesides: changed(({ action }) => ({
    action: { kind: 'TerminalAction', command: 'pwd' },
    actions: [{}, action],
  })),
} satisfies Record<string, Write>;

export type Slip = keyof typeof slips;

const answerOf = (log: EventLog, kind: string, id: unknown) =>
  log.add(kind, 'environment', { action_id: id, observation: { content: [] } });

const lastId = (log: EventLog, fits: (event: AgentEventRecord) => boolean) => log.all.findLast(fits)?.id;

/** What an answer may name that it doesn’t answer. */
const noActions: readonly ((log: EventLog) => unknown)[] = [
  () => null,
  () => 'gone',
  (log) => log.all.length,
  (log) => lastId(log, ({ kind }) => kind === 'MessageEvent'),
  (log) => lastId(log, ({ kind }) => kind === 'StepEvent'),
  (log) => log.all.findLast(({ kind }) => kind === 'ObservationEvent')?.['action_id'],
  (log) => log.all.findLast((event) => event['tool_call_id'])?.['tool_call_id'],
];

/** Events that change nothing about what waits. */
export const odds = {
  ...Object.fromEntries(
    noActions.flatMap((idIn, index) => [
      [`answer${index}`, (log: EventLog) => answerOf(log, 'ObservationEvent', idIn(log))],
      [`rejection${index}`, (log: EventLog) => answerOf(log, 'UserRejectObservation', idIn(log))],
    ]),
  ),
  error: (log) => log.add('AgentErrorEvent', 'agent', { tool_name: 'terminal', error: 'x' }),
  errorOfNone: (log) => log.add('AgentErrorEvent', 'agent', { tool_call_id: 'gone', error: 'x' }),
  serverError: (log) => log.tell(log.plan('ServerErrorEvent', 'environment', { code: 'x', detail: 'y' })),
  condensation: (log) =>
    log.add('Condensation', 'environment', {
      forgotten_event_ids: log.all.map(({ id }) => id),
      summary: 'x',
    }),
  unclear: (log) => log.add('StepEvent', 'environment', { note: { action: { a: 1 } } }),
  hook: (log) => log.add('HookExecutionEvent', 'hook', { action_id: log.all.at(-1)?.id }),
  risks: (log) => log.add('SecurityAnalysisEvent', 'agent', { risks: { [log.all.at(-1)!.id]: 'LOW' } }),
} satisfies Record<string, (log: EventLog) => unknown> as Record<string, (log: EventLog) => unknown>;

/** What only a socket tells, and isn’t so. */
export const rumors: Record<string, (log: EventLog) => unknown> = {
  answered: (log) => {
    const action_id = lastId(log, ({ kind }) => kind === 'ActionEvent');
    log.tell(log.plan('ObservationEvent', 'environment', { action_id, observation: { content: [] } }));
  },
  failed: (log) => {
    const tool_call_id = log.all.findLast(({ kind }) => kind === 'ActionEvent')?.['tool_call_id'];
    log.tell(log.plan('AgentErrorEvent', 'agent', { tool_call_id, error: 'x' }));
  },
  asks: (log) => log.tell(log.planAction('terminal', { kind: 'TerminalAction', command: 'rumor' })),
  otherwise: (log) => {
    const last = log.all.findLast(({ kind }) => kind === 'ActionEvent');
    if (last) log.tell({ ...last, action: { kind: 'TerminalAction', command: 'rumor' } });
  },
  waits: (log) =>
    log.tell(
      log.plan('ConversationStateUpdateEvent', 'environment', { key: 'pending_actions', value: ['x'] }),
    ),
  waiting: (log) =>
    log.tell(
      log.plan('ConversationStateUpdateEvent', 'environment', {
        key: 'execution_status',
        value: 'waiting_for_confirmation',
      }),
    ),
  finished: (log) =>
    log.tell(
      log.plan('ConversationStateUpdateEvent', 'environment', { key: 'execution_status', value: 'finished' }),
    ),
};
