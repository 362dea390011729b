import type { AgentEvent, Particulars, Result } from '../../../src/api/events/event';
import { eventSchema } from '../../../src/api/events/schema';

let count = 0;

/** An event, later than all before. */
export function anEvent(
  particulars: Particulars,
  more: Partial<Pick<AgentEvent, 'id' | 'source' | 'timestamp'>> = {},
): AgentEvent {
  count += 1;
  const timestamp = `2026-01-01T00:00:00.${String(count).padStart(6, '0')}`;
  return { id: `e${count}`, timestamp, source: 'agent', ...particulars, ...more };
}

export const aMessage = (text: string, source = 'user') =>
  anEvent({ kind: 'message', text, length: text.length, images: 0, thought: '' }, { source });

/** An action by its kind and arguments. */
export const anAction = (
  kind: string,
  input: Record<string, unknown>,
  more: { callId?: string; tool?: string } = {},
) =>
  anEvent({
    kind: 'action',
    thought: '',
    action: { kind, input },
    tool: 'tool',
    callId: `call${count}`,
    call: '{}',
    risk: 'LOW',
    summary: '',
    ...more,
  });

export const aCommand = (command: string) =>
  anAction('TerminalAction', { command, is_input: false, reset: false });

export const aResult = (action: AgentEvent, result: Partial<Result> = {}) =>
  anEvent({
    kind: 'observation',
    actionId: action.id,
    result: {
      kind: 'TerminalObservation',
      text: '',
      length: result.text?.length ?? 0,
      images: 0,
      isError: false,
      exitCode: null,
      path: null,
      before: null,
      after: null,
      tasks: null,
      ...result,
    },
  });

/** Events of kinds whose texts are never shortened. */
export const ofOtherKinds = (): AgentEvent[] => [
  aCommand('ls'),
  anEvent({ kind: 'rejection', actionId: 'a', reason: '' }),
  anEvent({ kind: 'status', status: 'idle' }),
  anEvent({ kind: 'usage', usage: { cost: 0, tokens: 0, context: null } }),
  anEvent({ kind: 'model', name: 'm' }),
  anEvent({ kind: 'condensation', summary: '' }),
  anEvent({ kind: 'paused' }),
  anEvent({ kind: 'interrupted' }),
  anEvent({ kind: 'hidden' }),
  anEvent({ kind: 'other', name: 'New' }),
];

export const aRejection = (action: AgentEvent, reason: string) =>
  anEvent({ kind: 'rejection', actionId: action.id, reason });

/** A report about a call of an agent that runs its tools itself. */
export const aReport = (tool_call_id: string, status: string, more: object = {}): AgentEvent => {
  const { id, timestamp, source } = anEvent({ kind: 'hidden' });
  const call = { kind: 'ACPToolCallEvent', tool_call_id, status };
  return eventSchema.parse({ id, timestamp, source, ...call, ...more });
};
