import * as z from 'zod/mini';
import { executionSchema, riskSchema } from '../../shared/transcript';
import { listOf, maybe, maybeText, orElse } from '../lenient';
import { contentSchema, outputSchema } from './content';
import type { AgentAction, Particulars, Task } from './event';
import { usageSchema } from './usage';

const text = orElse(z.catch(z.nullish(z.string()), ''), () => '') as z.ZodMiniType<string>;
const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('\n\n');

/** Reads one kind of event. */
const kind = <T>(shape: z.ZodMiniType<T>, make: (members: T) => Particulars) =>
  z.pipe(shape, z.transform(make));
const plain = (particulars: Particulars) => kind(z.object({}), () => particulars);

/** Accepts anything: an action lost in parsing would be approved unseen. */
const actionSchema = z.pipe(
  z.optional(z.unknown()),
  z.transform((value): AgentAction | null => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object') return { kind: '', input: { value } };
    const { kind: name, ...members }: Record<string, unknown> = { ...value };
    const set = Object.entries(members).filter(([, member]) => member !== null);
    return { kind: typeof name === 'string' ? name : '', input: Object.fromEntries(set) };
  }),
);

/** An item of a plan, in a result or an action. */
export const taskSchema: z.ZodMiniType<Task> = z.object({
  title: text,
  notes: text,
  status: z.catch(z.enum(['todo', 'in_progress', 'done']), 'todo'),
});

const result = z.object({
  kind: text,
  content: outputSchema,
  is_error: maybe(z.boolean()),
  exit_code: maybe(z.number()),
  path: maybeText,
  old_content: maybeText,
  new_content: maybeText,
  task_list: maybe(listOf(taskSchema)),
});

const stateUpdate = z.object({ key: text, value: z.optional(z.unknown()) });

const modelOfAgent = z.object({ llm: z.object({ model: z.string() }) });

/** Of all that a state update may carry, only status, usage, and the model’s name are read: an agent holds secrets. */
function readState({ key, value }: z.infer<typeof stateUpdate>): Particulars {
  const usage = key === 'stats' ? usageSchema.safeParse(value).data : undefined;
  if (usage) return { kind: 'usage', usage };
  if (key === 'execution_status')
    return { kind: 'status', status: executionSchema.safeParse(value).data ?? 'unknown' };
  const agent = key === 'agent' ? modelOfAgent.safeParse(value).data : undefined;
  return agent ? { kind: 'model', name: agent.llm.model } : { kind: 'hidden' };
}

const failure = kind(z.object({ code: text, detail: text }), (event) => ({ kind: 'failure', ...event }));
const hidden = plain({ kind: 'hidden' });

const readers: Readonly<Record<string, z.ZodMiniType<Particulars>>> = {
  MessageEvent: kind(
    z.object({ llm_message: z.object({ content: contentSchema, reasoning_content: text }) }),
    ({ llm_message: { content, reasoning_content: thought } }) => ({ kind: 'message', thought, ...content }),
  ),
  ActionEvent: kind(
    z.object({
      thought: contentSchema,
      reasoning_content: text,
      action: actionSchema,
      tool_name: text,
      tool_call_id: text,
      tool_call: maybe(z.object({ arguments: text })),
      security_risk: z.catch(riskSchema, 'UNKNOWN'),
      summary: text,
    }),
    (event) => ({
      kind: 'action',
      thought: joined(event.reasoning_content, event.thought.text),
      action: event.action,
      tool: event.tool_name,
      callId: event.tool_call_id,
      call: event.tool_call?.arguments ?? '',
      risk: event.security_risk,
      summary: event.summary,
    }),
  ),
  ObservationEvent: kind(
    z.object({ observation: result, action_id: text }),
    ({ observation, action_id: actionId }) => ({
      kind: 'observation',
      actionId,
      result: {
        ...observation.content,
        kind: observation.kind,
        isError: observation.is_error ?? false,
        exitCode: observation.exit_code ?? null,
        path: observation.path ?? null,
        before: observation.old_content ?? null,
        after: observation.new_content ?? null,
        tasks: observation.task_list ?? null,
      },
    }),
  ),
  UserRejectObservation: kind(z.object({ action_id: text, rejection_reason: text }), (event) => ({
    kind: 'rejection',
    actionId: event.action_id,
    reason: event.rejection_reason,
  })),
  AgentErrorEvent: kind(z.object({ tool_call_id: text, tool_name: text, error: text }), (event) => ({
    kind: 'toolError',
    callId: event.tool_call_id,
    tool: event.tool_name,
    error: event.error,
  })),
  ConversationErrorEvent: failure,
  ServerErrorEvent: failure,
  ConversationStateUpdateEvent: kind(stateUpdate, readState),
  Condensation: kind(z.object({ summary: text }), ({ summary }) => ({ kind: 'condensation', summary })),
  PauseEvent: plain({ kind: 'paused' }),
  InterruptEvent: plain({ kind: 'interrupted' }),
  SystemPromptEvent: hidden,
  CondensationRequest: hidden,
  CondensationSummaryEvent: hidden,
  SecurityAnalysisEvent: hidden,
  TokenEvent: hidden,
  LLMCompletionLogEvent: hidden,
  StreamingDeltaEvent: hidden,
};

/** How each kind of event is read (live-conversations: “Events”); others become `other`. */
export const kinds: ReadonlyMap<string, z.ZodMiniType<Particulars>> = new Map(Object.entries(readers));
