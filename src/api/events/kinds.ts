import * as z from 'zod/mini';
import { isJsonObject } from '../../shared/json';
import { terminalText } from '../../shared/terminal';
import { executionSchema, type Risk, riskSchema } from '../../shared/transcript';
import { lenientList, maybe, maybeText } from '../lenient';
import { contentSchema } from './content';
import type { AgentAction, GoalState, HookRun, Particulars, Remedy } from './event';
import { readId } from './eventId';
import { idText, resultSchema, lenientText } from './results';
import { toolCallSchema } from './toolCall';
import { usageSchema } from './usage';

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

const stateUpdate = z.object({ key: lenientText, value: z.optional(z.unknown()) });

const modelOfAgent = z.object({ llm: z.object({ model: z.string() }) });

const goalSchema = z.pipe(
  z.object({
    active: z.boolean(),
    status: z.enum(['running', 'complete', 'capped', 'interrupted']),
    iteration: z.int(),
    max_iterations: z.int(),
    objective: lenientText,
    verdict: maybe(z.object({ missing: lenientText })),
  }),
  z.transform(({ active, status, iteration, max_iterations: rounds, objective, verdict }): GoalState => {
    const missing = verdict?.missing ?? '';
    return { isActive: active, state: status, objective, round: iteration, rounds, missing };
  }),
);

/** Reads only status, usage, goal, and the model’s name from a state update: the rest can hold the agent’s secrets. */
function readState({ key, value }: z.infer<typeof stateUpdate>): Particulars {
  const usage = key === 'stats' ? usageSchema.safeParse(value).data : undefined;
  if (usage) return { kind: 'usage', usage };
  if (key === 'execution_status')
    return { kind: 'status', status: executionSchema.safeParse(value).data ?? 'unknown' };
  const goal = key === 'goal' ? goalSchema.safeParse(value).data : undefined;
  if (goal) return { kind: 'goal', ...goal };
  const agent = key === 'agent' ? modelOfAgent.safeParse(value).data : undefined;
  return agent ? { kind: 'model', name: agent.llm.model } : { kind: 'hidden' };
}

const classification = maybe(z.object({ retryable: maybe(z.boolean()), user_action: maybeText }));

/** What the server says can be done about a failure. Older ones don’t say, but only settings have a key that’s wrong. */
function remedyOf(told: z.infer<typeof classification>, code = ''): { remedy?: Remedy } {
  if (!told) return code === 'LLMAuthenticationError' ? { remedy: 'settings' } : {};
  if (told.user_action === 'settings') return { remedy: 'settings' };
  return { remedy: told.user_action === 'retry' || told.retryable === true ? 'retry' : 'none' };
}

const failure = kind(
  z.object({ code: lenientText, detail: lenientText, classification }),
  ({ code, detail, ...event }) => ({
    kind: 'failure',
    code,
    detail,
    ...remedyOf(event.classification, code),
  }),
);

const hook = z.object({
  hook_event_type: lenientText,
  hook_command: lenientText,
  success: maybe(z.boolean()),
  blocked: maybe(z.boolean()),
  exit_code: maybe(z.number()),
  stdout: lenientText,
  stderr: lenientText,
  reason: lenientText,
  additional_context: lenientText,
  error: lenientText,
  action_id: idText,
});

function hookRun(event: z.infer<typeof hook>): HookRun {
  const hasPassed = event.success ?? (event.exit_code ?? 0) === 0;
  const said = [event.reason, event.error, event.stderr, event.stdout, event.additional_context];
  return {
    on: event.hook_event_type,
    command: event.hook_command,
    outcome: event.blocked ? 'blocked' : hasPassed ? 'passed' : 'failed',
    actionId: event.action_id,
    text: terminalText([...new Set(said.map((part) => part.trim()).filter(Boolean))].join('\n')),
  };
}

/** A word that this client doesn’t know may mean more than all that it knows. */
function riskOf(told: unknown): Risk {
  const word = typeof told === 'string' ? told.toUpperCase() : (told ?? '');
  return riskSchema.safeParse(word).data ?? (word === '' ? 'UNKNOWN' : 'HIGH');
}

/** Risks by the ids of actions. */
const risksSchema = z.pipe(
  z.object({ risks: z.custom<object>(isJsonObject) }),
  z.transform(({ risks }): Particulars => {
    const read = Object.entries<unknown>({ ...risks }).flatMap(([id, told]): [string, Risk][] => {
      // As the name of a member, a number is a text.
      return [id, readId(id) ?? id].map((one) => [one, riskOf(told)]);
    });
    return { kind: 'risks', risks: Object.fromEntries(read) };
  }),
);

/** What servers write if the model gave no summary: the call again, such as `terminal: {"command": …`. */
const summaryOf = (summary: string, tool: string) => (summary.startsWith(`${tool}: {`) ? '' : summary);

const hidden = plain({ kind: 'hidden' });

const readers: Readonly<Record<string, z.ZodMiniType<Particulars>>> = {
  MessageEvent: kind(
    z.object({
      llm_message: z.object({ content: contentSchema, reasoning_content: lenientText }),
      activated_skills: maybe(lenientList(z.string())),
      extended_content: contentSchema,
    }),
    ({
      llm_message: { content, reasoning_content: thought },
      activated_skills: skills,
      extended_content: more,
    }) => ({
      kind: 'message',
      thought: joined(thought, (skills ?? []).join(', '), more.text),
      ...content,
    }),
  ),
  ActionEvent: kind(
    z.object({
      thought: contentSchema,
      reasoning_content: lenientText,
      action: actionSchema,
      tool_name: lenientText,
      tool_call_id: idText,
      tool_call: maybe(z.object({ arguments: lenientText })),
      security_risk: z.pipe(z.optional(z.unknown()), z.transform(riskOf)),
      summary: lenientText,
    }),
    (event) => ({
      kind: 'action',
      thought: joined(event.reasoning_content, event.thought.text),
      action: event.action,
      tool: event.tool_name,
      callId: event.tool_call_id,
      call: event.action ? '' : (event.tool_call?.arguments ?? ''),
      risk: event.security_risk,
      summary: summaryOf(event.summary, event.tool_name),
    }),
  ),
  ObservationEvent: kind(
    z.object({ observation: resultSchema, action_id: idText }),
    ({ observation, action_id: actionId }) => ({ kind: 'observation', actionId, result: observation }),
  ),
  UserRejectObservation: kind(
    z.object({ action_id: idText, rejection_reason: lenientText, rejection_source: lenientText }),
    (event) => ({
      kind: 'rejection',
      actionId: event.action_id,
      reason: event.rejection_reason,
      ...(event.rejection_source === 'hook' && { byHook: true }),
    }),
  ),
  AgentErrorEvent: kind(
    z.object({ tool_call_id: idText, tool_name: lenientText, error: lenientText, classification }),
    (event) => ({
      kind: 'toolError',
      callId: event.tool_call_id,
      tool: event.tool_name,
      error: event.error,
      ...remedyOf(event.classification),
    }),
  ),
  ACPToolCallEvent: kind(toolCallSchema, (call) => ({ kind: 'toolCall', ...call })),
  HookExecutionEvent: kind(hook, (event) => ({ kind: 'hook', ...hookRun(event) })),
  ConversationErrorEvent: failure,
  ServerErrorEvent: failure,
  ConversationStateUpdateEvent: kind(stateUpdate, readState),
  Condensation: kind(z.object({ summary: lenientText }), ({ summary }) => ({
    kind: 'condensation',
    summary,
  })),
  PauseEvent: plain({ kind: 'paused' }),
  InterruptEvent: plain({ kind: 'interrupted' }),
  SystemPromptEvent: hidden,
  CondensationRequest: hidden,
  CondensationSummaryEvent: hidden,
  SecurityAnalysisEvent: risksSchema,
  TokenEvent: hidden,
  LLMCompletionLogEvent: hidden,
  StreamingDeltaEvent: hidden,
};

/** How each kind of event is read (docs/protocol/live-conversations.md, “Events”); others become `other`. */
export const kinds: ReadonlyMap<string, z.ZodMiniType<Particulars>> = new Map(Object.entries(readers));
