import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { aboutSchema } from './about';
import { limitSchema } from './limit';
import { plainText } from './plainText';

export { isStart, type Limit } from './limit';

/**
 * What an agent is doing (docs/protocol/live-conversations.md, “The conversation at the agent server”); `unknown` if no
 * source says.
 */
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

/** One line of a small diff. A gap’s text is what the edit itself says about the place; a file’s line is its path. */
const diffLineSchema = z.strictObject({
  kind: z.enum(['same', 'added', 'removed', 'gap', 'file']),
  text: z.string(),
});
export type DiffLine = z.infer<typeof diffLineSchema>;

/** What a tool does, where that has a sentence of its own, and to what. */
const subjectSchema = z.strictObject({
  what: z.enum([
    'open',
    'task',
    'spawn',
    'delegate',
    'workflow',
    'child',
    'advice',
    'index',
    'skill',
    'model',
    'choice',
    'vision',
    'call',
  ]),
  subject: z.string(),
});
export type Subject = z.infer<typeof subjectSchema>;

const toolCall = {
  tool: z.string(),
  /** The arguments as people read them. */
  input: z.string(),
  output: z.nullable(clippedSchema),
  about: z.optional(subjectSchema),
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
    /** The folder that it ended in, if known. */
    folder: z.optional(z.string()),
  }),
  z.strictObject({
    step: z.literal('edit'),
    /** Of the first file. */
    path: z.string(),
    isNew: z.boolean(),
    isDeleted: z.optional(z.boolean()),
    /** How many files it changes, if that’s more than one. */
    files: z.optional(z.number()),
    added: z.number(),
    removed: z.number(),
    /** Shortened to what fits a card; gaps stand for lines left out. */
    diff: z.array(diffLineSchema),
    /** Whether both sides are at hand for the editor's own diff. */
    hasContents: z.boolean(),
  }),
  z.strictObject({
    step: z.literal('read'),
    path: z.string(),
    /** Absent for a file that is read. */
    how: z.optional(z.enum(['list', 'search'])),
    output: z.nullable(clippedSchema),
  }),
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
export type EditDetail = Extract<StepDetail, { step: 'edit' }>;

/** What can be done about a failure, as far as the server knows. */
const remedySchema = z.enum(['none', 'retry', 'settings']);

/** A hook that ran for a step. */
const hookSchema = z.strictObject({
  /** When it ran, as the server names it. */
  on: z.string(),
  outcome: z.enum(['passed', 'blocked', 'failed']),
  text: z.string(),
});
export type StepHook = z.infer<typeof hookSchema>;

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
    /** What the model thought before it answered; of other messages, the skills that took part and what they added. */
    thought: z.string(),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('step'),
    /** `unanswered`: nothing says whether it ran. `left`: it never ran, since the conversation went back to before it. */
    state: z.enum(['running', 'pending', 'done', 'failed', 'rejected', 'unanswered', 'left']),
    /** The agent's own words about the step. */
    thought: z.string(),
    /** One line of the agent about what the step is for; empty if it has none. */
    summary: z.string(),
    risk: riskSchema,
    /** Milliseconds from the action, or its approval, to its result; null if that’s unknown. */
    took: z.nullable(z.number()),
    /**
     * Milliseconds from the action to its approval or rejection; null if unknown, absent if the agent didn’t wait for
     * anybody.
     */
    waited: z.optional(z.nullable(z.number())),
    /** Error or reason of the rejection; empty if there is none. */
    problem: clippedSchema,
    /** A hook rejected it, not the user. */
    isBlocked: z.optional(z.boolean()),
    /** What the server says can be done about the failure. */
    remedy: z.optional(remedySchema),
    hooks: z.optional(z.array(hookSchema)),
    /** Number of pictures in its result; remote ones aren’t shown. */
    images: z.optional(z.number()),
    /** Arguments were shortened. */
    isCut: z.optional(z.boolean()),
    detail: stepDetailSchema,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('error'),
    title: z.string(),
    text: clippedSchema,
    remedy: z.optional(remedySchema),
  }),
  z.strictObject({
    ...base,
    kind: z.literal('separator'),
    what: z.enum([
      'paused',
      'interrupted',
      'condensed',
      'modelChanged',
      'goalSet',
      'goalRound',
      'goalReached',
      'goalMissed',
      'goalStopped',
      'hook',
      'gap',
      'unread',
      'approved',
      'rejected',
      'other',
      'start',
      'listening',
    ]),
    /** More about it: the summary of a condensation, the words of a rejection, the kind of an unknown event. */
    text: z.string(),
    /** How many actions were approved or rejected, or rounds of a goal were judged. */
    count: z.optional(z.number()),
    /** On which a program of the agent listens. */
    port: z.optional(z.number()),
    /** It was decided in this window. */
    isMine: z.optional(z.boolean()),
  }),
]);
export type Entry = z.infer<typeof entrySchema>;
export type StepEntry = Extract<Entry, { kind: 'step' }>;
export type MessageEntry = Extract<Entry, { kind: 'message' }>;

/** What a hook did that ran at a time that the server names. */
export const hookWords: Readonly<Record<StepHook['outcome'], (on: string) => string>> = {
  passed: (on) => l10n.t('Hook ran: {0}', plainText(on, 60)),
  blocked: (on) => l10n.t('Blocked by a hook: {0}', plainText(on, 60)),
  failed: (on) => l10n.t('A hook failed: {0}', plainText(on, 60)),
};

/** What can be done about a failure, in words; empty if the server doesn’t know. */
export const remedyWords: Readonly<Record<z.infer<typeof remedySchema>, () => string>> = {
  none: () => '',
  retry: () => l10n.t('This may work if you try again.'),
  settings: () => l10n.t('Check the settings: this can’t work until they change.'),
};

/** An action waiting for approval, in full: nobody approves what they can't see. */
const pendingActionSchema = z.strictObject({
  id: z.string(),
  risk: riskSchema,
  thought: z.string(),
  tool: z.string(),
  /** What a line says about it, without its texts and without a diff. */
  detail: stepDetailSchema,
  /** The whole command or all arguments, never shortened; of an edit only what its diff doesn’t say. */
  text: z.string(),
  /** All arguments as they are. */
  raw: z.string(),
  /** The one file that it changes; empty for none, or several. */
  path: z.string(),
  movedTo: z.optional(z.string()),
  /** It replaces all of the file if there is one. */
  overwrites: z.optional(z.boolean()),
  /** Every line that an edit adds or removes; gaps stand for unchanged lines. */
  diff: z.array(diffLineSchema),
  /** It starts other agents, which ask for nothing. */
  startsAgents: z.boolean(),
});
export type PendingAction = z.infer<typeof pendingActionSchema>;

/** When an agent asks before it acts (docs/protocol/live-conversations.md, “Confirmation”). */
const policySchema = z.enum([
  'never',
  'always',
  'riskyLow',
  'riskyMedium',
  'riskyHigh',
  /** The agent decides by itself, and the service can’t make it ask. */
  'itself',
  'unknown',
]);
export type Policy = z.infer<typeof policySchema>;
/** A policy that can be set. */
export type SettablePolicy = Exclude<Policy, 'itself' | 'unknown'>;

/** Whether what waits for approval is all that an approval would run, as the server’s own count of events proves. */
const proofSchema = z.enum([
  /** Nothing else waits. */
  'whole',
  /** Earlier events are still being read. */
  'reading',
  /** There may be more: the server has events that aren’t here. */
  'missing',
  /** There is something that can’t be read, and it may be an action. */
  'unreadable',
  /** The conversation is too long to read all of it. */
  'tooLong',
]);
export type Proof = z.infer<typeof proofSchema>;

/** Why nothing can be approved, and what to do, in words for people. */
export const proofWords: Readonly<Record<Exclude<Proof, 'whole'>, () => string>> = {
  reading: () => l10n.t('Reading earlier events. More may be waiting for approval.'),
  missing: () =>
    l10n.t(
      'Some events are missing here, so more may be waiting than is shown. Reject, or open the conversation in your browser.',
    ),
  unreadable: () =>
    l10n.t(
      'The agent may be asking for something that can’t be shown here. Reject, or open the conversation in your browser.',
    ),
  tooLong: () =>
    l10n.t(
      'This conversation is too long to check everything that may be waiting. Reject, or open the conversation in your browser.',
    ),
};

/** A message of the user that is not in the transcript yet. */
const outgoingSchema = z.strictObject({
  id: z.string(),
  text: z.string(),
  state: z.enum(['sending', 'resuming', 'unknown', 'failed']),
  /** What went wrong and what to do; empty if nothing did. */
  problem: z.string(),
});
export type OutgoingMessage = z.infer<typeof outgoingSchema>;

/** What sending a message now will do. */
const sendEffectSchema = z.enum([
  'starts',
  'joins',
  'supersedes',
  'resumes',
  'rejects',
  /** The conversation couldn’t be started. */
  'retries',
  'impossible',
]);
export type SendEffect = z.infer<typeof sendEffectSchema>;

/** The same, in words for people. */
export const effectWords: Readonly<Record<SendEffect, () => string>> = {
  starts: () => l10n.t('The agent starts working on this.'),
  joins: () => l10n.t('The agent is working and reads this after its current step.'),
  supersedes: () =>
    l10n.t('The agent is working. If its current step asks for approval, this message rejects it.'),
  resumes: () => l10n.t('Resumes the sandbox, then sends.'),
  rejects: () => l10n.t('Rejects the agent’s request, and sends it this message.'),
  retries: () => l10n.t('Tries again with this message.'),
  impossible: () => l10n.t('Messages can’t be sent now. Your text is kept.'),
};

/** A text that the agent is writing, as far as it is; `id` is that of the entry to come. */
const writtenSchema = z.strictObject({ id: z.string(), text: z.string() });
export type Written = z.infer<typeof writtenSchema>;

/** Everything above and below the entries. */
export const headSchema = z.strictObject({
  title: z.string(),
  about: aboutSchema,
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
  written: z.optional(z.nullable(writtenSchema)),
  pending: z.array(pendingActionSchema),
  /** Nothing is approved unless it’s `whole`. */
  proof: proofSchema,
  outgoing: z.array(outgoingSchema),
  sendEffect: sendEffectSchema,
  /** Number of secrets that were masked. */
  masked: z.number(),
  /** Whether known secrets couldn’t be read, so that some may not be masked. */
  areSecretsUnread: z.optional(z.boolean()),
  hasOlder: z.boolean(),
  /** Where the agent’s files are. */
  folders: z.optional(
    z.strictObject({
      repository: z.string(),
      own: z.array(z.string()),
      above: z.array(z.string()),
    }),
  ),
  canInterrupt: z.boolean(),
  /** Milliseconds since the epoch of the last good reading; null before the first. */
  readAt: z.nullable(z.number()),
  /** Why the last reading failed, in words; empty if it succeeded. */
  problem: z.string(),
});
export type Head = z.infer<typeof headSchema>;
