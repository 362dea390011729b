import type { AgentEventRecord, EventLog } from '../../service/agent/eventLog';

type Write = (event: AgentEventRecord, log: EventLog) => AgentEventRecord;

const changed =
  (change: (event: AgentEventRecord) => object): Write =>
  (event, log) =>
    log.write({ ...event, ...change(event) });

const later = (ms: number, { timestamp }: AgentEventRecord) =>
  new Date(Date.parse(`${timestamp.slice(0, 23)}Z`) + ms).toISOString().slice(0, -1) + '000';

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

export type Slip = keyof typeof slips;
