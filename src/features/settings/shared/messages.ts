import * as z from 'zod/mini';
import { listOf, longText, shortText } from '../../../shared/bounded';
import { sections } from '../../../shared/fields';
import { boundedMembers } from '../../../shared/members';
import { conflictChoice, errorTarget, formEdits, formModel, secretTarget } from './form';
import { shownParkedServerSchema } from '../../../shared/parked';
import { parseWith, type Parsed } from '../../../shared/parsed';
import { each } from '../../../shared/settings';

/**
 * Messages between the settings form (webview) and the extension host. Both sides parse incoming messages with the two
 * schemas at the end of this file, and refuse anything else. No message holds a secret.
 */

/** A problem, in words, and the control it belongs to. */
const problem = z.strictObject({ target: errorTarget, message: longText });
export type Problem = z.infer<typeof problem>;

const choice = z.enum(['mine', 'theirs']);
export type Choice = z.infer<typeof choice>;

/** A save's changes to one section or MCP server, in words; for secrets, only what happens to them. */
const reviewGroup = z.strictObject({
  title: longText,
  changes: listOf(z.strictObject({ label: longText, before: longText, after: longText })),
});
export type ReviewGroup = z.infer<typeof reviewGroup>;

/** The user's edits, and what they're based on. */
const placedEdits = {
  /** Identifies the reading of the service's settings. */
  document: shortText,
  /** How many of the extension host's own changes the edits include. The host makes the others again. */
  steps: z.number(),
  edits: formEdits,
};

/** Unsaved edits in the webview's own state, while the panel is hidden. */
export const keptEditsSchema = z.strictObject(placedEdits);
export type KeptEdits = z.infer<typeof keptEditsSchema>;

/** Unsaved edits from earlier, offered in words: how old they are, what they change, what has changed since. */
const draftOffer = z.strictObject({ id: shortText, words: listOf(longText) });
export type DraftOffer = z.infer<typeof draftOffer>;

/** Fields that the service may propose values for. */
export const suggestedFields = ['llm_model', 'agent', 'security_analyzer'] as const;
export type SuggestedField = (typeof suggestedFields)[number];

const saveResult = z.discriminatedUnion('kind', [
  /** `undo`: whether it can be undone, or was an undo itself. */
  z.strictObject({ kind: z.literal('saved'), undo: z.enum(['possible', 'impossible', 'done']) }),
  z.strictObject({ kind: z.literal('canceled') }),
  z.strictObject({ kind: z.literal('invalid'), problems: listOf(problem) }),
  z.strictObject({ kind: z.literal('conflict'), conflicts: listOf(conflictChoice) }),
  z.strictObject({ kind: z.literal('failed'), message: longText }),
  /** Undoing the last save failed. */
  z.strictObject({ kind: z.literal('notUndone'), message: longText }),
]);
export type SaveResult = z.infer<typeof saveResult>;

/** Maximum number of tool names shown; `count` has the total. */
export const mostToolsShown = 20;

/** How a test of a URL server ended; `message` is a sentence for the user, and says where the test ran from. */
const testResult = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    /** Name and version as the server gives them. */
    server: shortText,
    tools: listOf(shortText, mostToolsShown),
    /** Number of all tools, including those not in the list. */
    count: z.number(),
    message: shortText,
  }),
  z.strictObject({ ok: z.literal(false), message: shortText }),
]);
export type TestResult = z.infer<typeof testResult>;

/** A change to a provider that's under way, or why the last one failed. */
const providerChange = z.strictObject({ name: shortText, busy: z.boolean(), error: z.nullable(longText) });
export type ProviderChange = z.infer<typeof providerChange>;

/**
 * Everything the form shows, except half-typed input. Sent whole on any change, so the order of messages doesn't matter
 * and a hidden form misses nothing.
 */
const shownForm = z.strictObject({
  type: z.literal('form'),
  ...placedEdits,
  /** The `revision` of the last edits received from the form. If newer ones are on the way, the form keeps its own. */
  revision: z.number(),
  /** Name of the connection, and the base URL of its service. */
  connection: shortText,
  service: shortText,
  model: formModel,
  notices: listOf(longText),
  offers: listOf(draftOffer),
  suggestions: z.strictObject(each(suggestedFields, () => z.exactOptional(listOf(longText)))),
  providerChanges: listOf(providerChange),
  /** Ids of the MCP servers that came back after being deleted: they're in the administrator's configuration. */
  operators: listOf(shortText),
  /** The service has model profiles and custom secrets, which pickers of the editor manage. */
  hasPickers: z.boolean(),
  /** Servers that are parked here for the service of the form. */
  parked: listOf(shownParkedServerSchema),
  /** The outcome of importing, parking or restoring servers. */
  serverNotices: z.strictObject({ words: listOf(longText), failed: z.boolean() }),
  /** The change to the service that's under way, in words; nothing can be edited until it ends. */
  working: z.nullable(shortText),
  /** The result of a save that just ended; null in all later messages. */
  result: z.nullable(saveResult),
  /** Where to move the focus after a change that just ended. */
  goTo: z.nullable(z.strictObject({ list: z.enum(['servers', 'parked']), id: shortText })),
});
export type ShownForm = z.infer<typeof shownForm>;

/** From the extension host to the form. */
export const hostMessageSchema = z.discriminatedUnion('type', [
  /** The settings are being read from the service. */
  z.strictObject({ type: z.literal('loading') }),
  /** They could not be read. */
  z.strictObject({ type: z.literal('failed'), message: longText, nextStep: longText }),
  shownForm,
  /** Brings a section into view; sent after the form. */
  z.strictObject({ type: z.literal('reveal'), section: z.enum(sections) }),
  /**
   * A server test began, or ended if there's a `result`. `about` is the server as it was tested (`testedAs`); `signsIn` if
   * it's a sign-in.
   */
  z.strictObject({
    type: z.literal('test'),
    id: shortText,
    about: listOf(longText),
    result: z.nullable(testResult),
    signsIn: z.optional(z.boolean()),
  }),
  /** The last test of a server says nothing anymore, because the server has another key by now. */
  z.strictObject({ type: z.literal('untested'), id: shortText }),
  /** The answer to `review`; `notes` say what else a save would do. */
  z.strictObject({ type: z.literal('review'), groups: listOf(reviewGroup), notes: listOf(longText) }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

/**
 * A message about what the form shows. `document` is the reading it's about; the host ignores messages about any other.
 */
function about<const Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), document: shortText, ...shape });
}

/** Edits as the form reports them; `revision` counts the user's changes. */
const revisedEdits = { ...placedEdits, revision: z.number() };

/** From the form to the extension host. */
export const webviewMessageSchema = z.discriminatedUnion('type', [
  /** The form can receive; `kept` is what it had before it was hidden. */
  z.strictObject({ type: z.literal('ready'), kept: z.nullable(keptEditsSchema) }),
  /** The unsaved edits, a moment after they changed. */
  about('edits', revisedEdits),
  /** `choices` settles the conflicts that the previous save ended with. */
  about('save', {
    ...revisedEdits,
    choices: boundedMembers(choice),
  }),
  /** Asks what a save would change. */
  about('review', revisedEdits),
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
  /** Asks for several new values, one after the other. */
  about('replaceSecrets', { targets: listOf(secretTarget) }),
  about('clearSecret', { target: secretTarget }),
  /** Undoes a replacement or clearing. */
  about('keepSecret', { target: secretTarget }),
  /** Provider changes are made immediately, each with its own request. */
  about('replaceProviderToken', { name: shortText, host: z.nullable(shortText) }),
  about('setProviderHost', { name: shortText, host: z.nullable(shortText) }),
  about('clearProvider', { name: shortText }),
  about('clearAllProviders', {}),
  /** The user has read the notices of the form, or those about servers. */
  about('dismiss', { list: z.enum(['notices', 'serverNotices']) }),
  /** Opens the editor's picker for what the service keeps besides the settings. */
  about('manage', { what: z.enum(['profiles', 'secrets']) }),
  about('importServers', {}),
  about('exportServers', {}),
  /** Tests the server of this row with the form's current values. */
  about('testServer', { id: shortText }),
  /** Signs in, in the browser, to the server of this row. */
  about('signInToServer', { id: shortText }),
  about('cancelTest', { id: shortText }),
  /** Takes the server off the service and keeps it here, immediately and without a save. */
  about('parkServer', { id: shortText }),
  /** Puts a parked server back on the service, immediately. */
  about('restoreServer', { id: shortText }),
  /** Deletes a parked server, after asking. */
  about('deleteParked', { id: shortText }),
  /** The form got an invalid message; `what` says where it differs from the schema. */
  z.strictObject({ type: z.literal('refused'), what: shortText }),
]);
export type WebviewMessage = z.infer<typeof webviewMessageSchema>;

type Without<Message, Key extends string> = Message extends unknown ? Omit<Message, Key> : never;

/** A message about what the form shows, without its `document`. */
export type FormAction = Without<Extract<WebviewMessage, { document: string }>, 'document'>;

export function parseHostMessage(data: unknown): Parsed<HostMessage> {
  return parseWith(hostMessageSchema, data);
}

const refusedSchema = z.object({
  type: z.enum(webviewMessageSchema.def.options.flatMap(({ def }) => def.shape.type.def.values)),
});

/** What the form wanted with a message that was refused; undefined for messages of no known type. */
export function refusedType(data: unknown): WebviewMessage['type'] | undefined {
  return refusedSchema.safeParse(data).data?.type;
}

export function parseWebviewMessage(data: unknown): Parsed<WebviewMessage> {
  return parseWith(webviewMessageSchema, data);
}
