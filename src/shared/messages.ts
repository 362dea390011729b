import * as z from 'zod/mini';
import { listOf, longText, shortText } from './bounded';
import { sections } from './fields';
import {
  errorTarget,
  formEdits,
  formModel,
  intention,
  mcpServer,
  partialValues,
  provider,
  secretTarget,
} from './messageParts';
import { parseWith, type Parsed } from './parsed';
import { serverEventSchema, serverRequestSchema } from './serverMessages';

/**
 * What the settings form (webview) and the extension host tell each other. Both sides parse what arrives with the two
 * schemas at the end of this file, and refuse anything else. No message holds a secret.
 */

/** A problem, in words, and the control it belongs to. */
const problem = z.strictObject({ target: errorTarget, message: longText });
export type Problem = z.infer<typeof problem>;

/**
 * A value that the user changed and that something else changed on the service meanwhile. All in words; the user chooses
 * one side by `key`.
 */
const conflict = z.strictObject({
  key: shortText,
  label: longText,
  mine: longText,
  theirs: longText,
  /** What both sides changed. */
  former: longText,
});
export type ConflictChoice = z.infer<typeof conflict>;

const choice = z.enum(['mine', 'theirs']);
export type Choice = z.infer<typeof choice>;

/** A save's changes to one section or MCP server, in words; for secrets, only what happens to them. */
const reviewGroup = z.strictObject({
  title: longText,
  changes: listOf(z.strictObject({ label: longText, before: longText, after: longText })),
});
export type ReviewGroup = z.infer<typeof reviewGroup>;

/** Unsaved edits, and the part of what the service held that they were made on: what a stored draft consists of. */
export const draftSchema = z.strictObject({
  edits: formEdits,
  base: z.strictObject({ values: partialValues, mcpServers: z.nullable(listOf(mcpServer)) }),
});

/** Unsaved edits in the webview's own state, while the panel is hidden. */
export const keptEditsSchema = z.strictObject({
  /** Which reading of the service's settings the edits were made on. */
  document: shortText,
  edits: formEdits,
});
export type KeptEdits = z.infer<typeof keptEditsSchema>;

/** Unsaved edits of another time, offered in words: how old they are, what they change, what changed since. */
const draftOffer = z.strictObject({ id: shortText, words: listOf(longText) });
export type DraftOffer = z.infer<typeof draftOffer>;

/** Fields that the service may propose values for. */
export const suggestedFields = ['llm_model', 'agent', 'security_analyzer'] as const;
export type SuggestedField = (typeof suggestedFields)[number];

const saveResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('saved'),
    notes: listOf(longText),
    /** Whether it can be undone, or was an undo itself. */
    undo: z.enum(['possible', 'impossible', 'done']),
  }),
  z.strictObject({ kind: z.literal('canceled') }),
  z.strictObject({ kind: z.literal('invalid'), problems: listOf(problem) }),
  z.strictObject({ kind: z.literal('conflict'), conflicts: listOf(conflict) }),
  z.strictObject({ kind: z.literal('failed'), message: longText }),
  /** Undoing the last save failed. */
  z.strictObject({ kind: z.literal('notUndone'), message: longText }),
]);
export type SaveResult = z.infer<typeof saveResult>;

/** From the extension host to the form. */
export const hostMessageSchema = z.discriminatedUnion('type', [
  /** The settings are being read from the service. */
  z.strictObject({ type: z.literal('loading') }),
  /** They could not be read. */
  z.strictObject({ type: z.literal('failed'), message: longText, nextStep: longText }),
  /** They were read: the form shows `model` with `edits` on it and drops what it had. */
  z.strictObject({
    type: z.literal('model'),
    document: shortText,
    /** Name of the connection, and the base URL of its service. */
    connection: shortText,
    service: shortText,
    model: formModel,
    edits: formEdits,
    notices: listOf(longText),
    offers: listOf(draftOffer),
    /** Ids of the MCP servers that came back after being deleted: they're in the administrator's configuration. */
    operators: listOf(shortText),
    /** The change in progress besides a save, in words. */
    working: z.nullable(shortText),
    /** How the save ended that led to this reading. */
    result: z.nullable(saveResult),
  }),
  /** Brings a section into view; sent after the model. */
  z.strictObject({ type: z.literal('reveal'), section: z.enum(sections) }),
  /** A secret's intention changed because the user entered a value, cleared it, or undid that. */
  z.strictObject({ type: z.literal('secret'), target: secretTarget, intention }),
  z.strictObject({
    type: z.literal('suggestions'),
    field: z.enum(suggestedFields),
    values: listOf(longText),
  }),
  /** The providers as the service holds them now. */
  z.strictObject({ type: z.literal('providers'), providers: listOf(provider) }),
  /** A change of one provider began or ended; `error` says why it failed. */
  z.strictObject({
    type: z.literal('provider'),
    name: shortText,
    busy: z.boolean(),
    error: z.nullable(longText),
  }),
  /** A save begins that wasn't started in the form: nothing can be edited until its result. */
  z.strictObject({ type: z.literal('saving') }),
  /** A save ended without another reading. */
  z.strictObject({ type: z.literal('saveResult'), result: saveResult }),
  /** The result of an action on MCP servers. */
  z.strictObject({ type: z.literal('servers'), event: serverEventSchema }),
  /** Something to tell the user that isn't about one control. */
  z.strictObject({ type: z.literal('notice'), message: longText }),
  /** The answer to `review`; `notes` say what else a save would do. */
  z.strictObject({ type: z.literal('review'), groups: listOf(reviewGroup), notes: listOf(longText) }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

/** A message about what the form shows. `document` is the reading it was shown from; about another one it isn't obeyed. */
function about<const Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), document: shortText, ...shape });
}

/** From the form to the extension host. */
export const webviewMessageSchema = z.discriminatedUnion('type', [
  /** The form can receive; `kept` is what it had before it was hidden. */
  z.strictObject({ type: z.literal('ready'), kept: z.nullable(keptEditsSchema) }),
  /** The unsaved edits, a moment after they changed. */
  about('edits', { edits: formEdits }),
  /** `choices` settles the conflicts that the previous save ended with. */
  about('save', {
    edits: formEdits,
    choices: z.record(shortText, choice).check(z.refine((record) => Object.keys(record).length <= 5_000)),
  }),
  /** Asks what a save would change. */
  about('review', { edits: formEdits }),
  /** Undoes the last save. */
  about('undoSave', {}),
  /** Adds a draft's edits to the current ones, or discards them. */
  about('restoreDraft', { id: shortText }),
  about('discardDraft', { id: shortText }),
  /** Drops every unsaved change and reads the settings again. */
  about('revert', {}),
  /** Reads the settings again after that failed. */
  z.strictObject({ type: z.literal('retry') }),
  /** Asks for a new value, in the editor's own password input. */
  about('replaceSecret', { target: secretTarget }),
  about('clearSecret', { target: secretTarget }),
  /** Undoes a replacement or clearing. */
  about('keepSecret', { target: secretTarget }),
  /** Provider changes are made immediately, each with its own request. */
  about('replaceProviderToken', { name: shortText, host: z.nullable(shortText) }),
  about('setProviderHost', { name: shortText, host: z.nullable(shortText) }),
  about('clearProvider', { name: shortText }),
  about('clearAllProviders', {}),
  /** An immediate action on MCP servers; pending edits are sent first. */
  about('servers', { request: serverRequestSchema }),
  /** The form got an invalid message; `what` says where it differs from the schema. */
  z.strictObject({ type: z.literal('refused'), what: shortText }),
]);
export type WebviewMessage = z.infer<typeof webviewMessageSchema>;

type Without<Message, Key extends string> = Message extends unknown ? Omit<Message, Key> : never;

/** A message about what the form shows, before it's said which reading that is. */
export type FormAction = Without<Extract<WebviewMessage, { document: string }>, 'document'>;

export function parseHostMessage(data: unknown): Parsed<HostMessage> {
  return parseWith(hostMessageSchema, data);
}

export function parseWebviewMessage(data: unknown): Parsed<WebviewMessage> {
  return parseWith(webviewMessageSchema, data);
}
