import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

/** What an agent is doing (live-conversations: `execution_status`); `unknown` if no source says. */
export const executionSchema = z.enum([
  'idle',
  'running',
  'paused',
  'waiting_for_confirmation',
  'finished',
  'error',
  'stuck',
  'deleting',
  'unknown',
]);
export type Execution = z.infer<typeof executionSchema>;

/** How risky the agent considers an action. */
export const riskSchema = z.enum(['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH']);
export type Risk = z.infer<typeof riskSchema>;

/** Text that may be shortened. `length` is the number of characters of the whole. */
const clippedSchema = z.strictObject({ text: z.string(), length: z.number() });
export type Clipped = z.infer<typeof clippedSchema>;
/** Whether a text was shortened. */
export const isCut = ({ text, length }: Clipped) => length > text.length;

/** One line of a small diff. */
const diffLineSchema = z.strictObject({
  kind: z.enum(['same', 'added', 'removed', 'gap']),
  text: z.string(),
});
export type DiffLine = z.infer<typeof diffLineSchema>;

const toolCall = {
  tool: z.string(),
  /** Pretty-printed JSON. */
  input: z.string(),
  output: z.nullable(clippedSchema),
};

/** What a step did, by the tool it used. Text comes from agents and is never trusted. */
const stepDetailSchema = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.literal('terminal'),
    command: z.string(),
    /** Null while it runs. With terminal codes for colors (SGR) and no others. */
    output: z.nullable(clippedSchema),
    /** Null while it runs or if unknown. */
    exitCode: z.nullable(z.number()),
  }),
  z.strictObject({
    step: z.literal('edit'),
    path: z.string(),
    isNew: z.boolean(),
    added: z.number(),
    removed: z.number(),
    /** Shortened to what fits a card; gaps stand for lines left out. */
    diff: z.array(diffLineSchema),
    /** Whether both sides are at hand for the editor's own diff. */
    hasContents: z.boolean(),
  }),
  z.strictObject({ step: z.literal('read'), path: z.string(), output: z.nullable(clippedSchema) }),
  z.strictObject({
    step: z.literal('plan'),
    tasks: z.array(
      z.strictObject({
        title: z.string(),
        notes: z.string(),
        status: z.enum(['todo', 'in_progress', 'done']),
      }),
    ),
  }),
  z.strictObject({ step: z.literal('mcp'), ...toolCall }),
  z.strictObject({ step: z.literal('browser'), ...toolCall }),
  z.strictObject({ step: z.literal('think'), text: z.string() }),
  z.strictObject({ step: z.literal('finish'), text: z.string() }),
  z.strictObject({ step: z.literal('other'), ...toolCall }),
]);
export type StepDetail = z.infer<typeof stepDetailSchema>;

const base = {
  /** The event's id (`data-event`); for a step, the id of its action. */
  id: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
};

/** One entry of a transcript, ready to be drawn (design: `data-kind`). */
export const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...base,
    kind: z.literal('message'),
    from: z.enum(['user', 'agent', 'environment']),
    /** Markdown of an unknown author. */
    text: clippedSchema,
    /** Number of pictures; remote ones aren't shown. */
    images: z.number(),
    /** What the model thought before it answered. */
    thought: z.string(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('step'),
    state: z.enum(['running', 'pending', 'done', 'failed', 'rejected']),
    /** The agent's own words about the step. */
    thought: z.string(),
    /** One line of the agent about what the step is for; empty if it has none. */
    summary: z.string(),
    risk: riskSchema,
    /** Milliseconds from the action to its result; null without a result. */
    took: z.nullable(z.number()),
    /** Error or reason of the rejection; empty if there is none. */
    problem: clippedSchema,
    detail: stepDetailSchema,
  }),
  z.strictObject({ ...base, kind: z.literal('error'), title: z.string(), text: clippedSchema }),
  z.strictObject({
    ...base,
    kind: z.literal('separator'),
    what: z.enum(['paused', 'interrupted', 'condensed', 'modelChanged', 'gap', 'other']),
    /** More about it, such as the summary of a condensation or the kind of an unknown event. */
    text: z.string(),
  }),
]);
export type Entry = z.infer<typeof entrySchema>;
export type StepEntry = Extract<Entry, { kind: 'step' }>;

/** Who sent a message, in words for people. */
export const senderWords: Readonly<Record<Extract<Entry, { kind: 'message' }>['from'], () => string>> = {
  user: () => l10n.t('You'),
  agent: () => l10n.t('Agent'),
  environment: () => l10n.t('Sandbox'),
};

/** What a separator stands for, in words for people. */
export const separatorWords: Readonly<Record<Extract<Entry, { kind: 'separator' }>['what'], () => string>> = {
  paused: () => l10n.t('Paused'),
  interrupted: () => l10n.t('Interrupted'),
  condensed: () => l10n.t('Earlier context condensed'),
  modelChanged: () => l10n.t('Model changed'),
  gap: () => l10n.t('Some events are missing here'),
  other: () => l10n.t('Other event'),
};

/** The texts of an entry that may be shortened. */
export function clippedTexts(entry: Entry): Clipped[] {
  if (entry.kind === 'separator') return [];
  if (entry.kind !== 'step') return [entry.text];
  const output = 'output' in entry.detail ? entry.detail.output : null;
  return output ? [output, entry.problem] : [entry.problem];
}

/** An action waiting for approval, in full: nobody approves what they can't see. */
const pendingActionSchema = z.strictObject({
  id: z.string(),
  risk: riskSchema,
  thought: z.string(),
  tool: z.string(),
  /** The whole command, patch or arguments; never shortened. */
  text: z.string(),
  /** The file that it changes; empty for none. */
  path: z.string(),
  diff: z.array(diffLineSchema),
});
export type PendingAction = z.infer<typeof pendingActionSchema>;

/** When an agent asks before it acts (live-conversations: `policy`). */
const policySchema = z.enum(['never', 'always', 'riskyLow', 'riskyMedium', 'riskyHigh', 'unknown']);
export type Policy = z.infer<typeof policySchema>;

/** Why the transcript may be incomplete, or something can't be done now. */
export const limitSchema = z.enum([
  /** Read from the sandbox and complete. */
  'none',
  /** Only stored events: up to 30 seconds behind. */
  'stored',
  /** The sandbox is paused: stored events; sending resumes it. */
  'asleep',
  /** The sandbox is gone: stored events only. */
  'gone',
  /** The sandbox cannot be reached from this computer. */
  'unreachable',
  /** The sandbox refuses its key. */
  'refused',
  /** Its origin has not been accepted yet. */
  'notAccepted',
  /** This release only answers when its current step ends. */
  'busy',
  /** The service has no events. */
  'noEvents',
  /** There is no service: the connection is to the agent server itself, which cannot be reached. */
  'serverUnreachable',
  /** Likewise; it refuses the session key. */
  'serverRefused',
]);
export type Limit = z.infer<typeof limitSchema>;

/** A message of the user that is not in the transcript yet. */
const outgoingSchema = z.strictObject({
  id: z.string(),
  text: z.string(),
  state: z.enum(['sending', 'resuming', 'unknown', 'failed']),
  /** What went wrong and what to do; empty if nothing did. */
  problem: z.string(),
});
export type Outgoing = z.infer<typeof outgoingSchema>;

/** What sending a message now will do. */
const sendEffectSchema = z.enum(['starts', 'joins', 'resumes', 'rejects', 'impossible']);
export type SendEffect = z.infer<typeof sendEffectSchema>;

/** The same, in words for people. */
export const effectWords: Readonly<Record<SendEffect, () => string>> = {
  starts: () => l10n.t('The agent starts working on this.'),
  joins: () => l10n.t('The agent is working and reads this after its current step.'),
  resumes: () => l10n.t('Resumes the sandbox, then sends.'),
  rejects: () => l10n.t('Rejects the agent’s request, and sends it this message.'),
  impossible: () => l10n.t('Messages can’t be sent now. Your text is kept.'),
};

/** Everything above and below the entries. */
export const headSchema = z.strictObject({
  title: z.string(),
  execution: executionSchema,
  limit: limitSchema,
  /** In the service's currency; null if unknown. */
  cost: z.nullable(z.number()),
  /** Tokens in and out; null if unknown. */
  tokens: z.nullable(z.number()),
  /** Tokens in the context now, and how many fit; null if unknown. */
  context: z.nullable(z.strictObject({ used: z.number(), size: z.number() })),
  policy: policySchema,
  /** What the agent is doing right now; null if nothing. */
  live: z.nullable(z.strictObject({ text: z.string(), since: z.number() })),
  pending: z.array(pendingActionSchema),
  outgoing: z.array(outgoingSchema),
  sendEffect: sendEffectSchema,
  /** Number of secrets that were masked. */
  masked: z.number(),
  hasOlder: z.boolean(),
  canInterrupt: z.boolean(),
  /** Milliseconds since the epoch of the last good reading; null before the first. */
  readAt: z.nullable(z.number()),
  /** Why the last reading failed, in words; empty if it succeeded. */
  problem: z.string(),
});
export type Head = z.infer<typeof headSchema>;
