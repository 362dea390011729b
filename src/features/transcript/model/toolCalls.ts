import type { AgentEvent, ToolCall } from '../../../api/events/event';
import type { ToolCallEvent } from './outcomes';

/** The reports of one tool call, oldest first. */
export type Reports = [ToolCallEvent, ...ToolCallEvent[]];

/** Whether a report isn’t about the call that ended, but about a later one with the same id; or with none. */
export const startsAgain = (report: ToolCallEvent, known: Reports): boolean =>
  known.at(-1)?.state !== 'running' && (report.state === 'running' || report.callId === '');

/** The tool calls in these events, in order of their first reports. */
export function callsIn(events: readonly AgentEvent[]): Reports[] {
  const calls: Reports[] = [];
  const latest = new Map<string, Reports>();
  for (const event of events) {
    if (event.kind !== 'toolCall') continue;
    const known = latest.get(event.callId);
    if (known && !startsAgain(event, known)) known.push(event);
    else {
      const call: Reports = [event];
      latest.set(event.callId, call);
      calls.push(call);
    }
  }
  return calls;
}

/** What is known of a tool call from all its reports: the last that says something counts. */
export function joinedReports(reports: Reports): ToolCall {
  const [first, ...later] = reports;
  return later.reduce<ToolCall>((known, report) => {
    const { callId, title, tool, state, input, result, shortened, edit } = report;
    const content = result.text === '' && result.images === 0 ? known.result : result;
    const { text, length, images } = content;
    const files = result.files ?? known.result.files;
    const last = shortened ?? known.shortened;
    const counted = edit ?? (result.files ? undefined : known.edit);
    return {
      callId,
      title: title || known.title,
      tool: tool || known.tool,
      state,
      input: input ?? known.input,
      result: { ...result, text, length, images, ...(files && { files }) },
      ...(last && { shortened: last }),
      ...(counted && { edit: counted }),
    };
  }, first);
}
