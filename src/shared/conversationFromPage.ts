import * as z from 'zod/mini';
import { listOf, longText, shortText } from './bounded';
import {
  type Action,
  pageActions,
  composedShape,
  composedSchema,
  givenId,
  mostEntries,
  mostFiles,
  mostPaths,
  pictureUri,
} from './conversationMessages';
import { isJsonObject } from './json';
import { parseWith, type Parsed } from './parsed';

const ids = listOf(givenId, mostEntries);

/** From the page to the extension host. */
export const fromPageSchema = z.discriminatedUnion('type', [
  /** The page can receive. `draft` is what the composer has, or had before the page was hidden. */
  z.strictObject({ type: z.literal('ready'), draft: composedSchema }),
  z.strictObject({ type: z.literal('loadOlder') }),
  /** Asks for the entries up to this one, and for `reveal`. */
  z.strictObject({ type: z.literal('goTo'), id: givenId }),
  z.strictObject({
    type: z.literal('search'),
    query: longText,
    matchCase: z.optional(z.boolean()),
    wholeWord: z.optional(z.boolean()),
  }),
  /** The text in the composer, a moment after it changed. */
  z.strictObject({ type: z.literal('draft'), ...composedShape }),
  /** Sends `text`; `revision` is that of the composer without it. */
  z.strictObject({ type: z.literal('send'), ...composedShape }),
  /** Puts an outgoing message back into the composer. */
  z.strictObject({ type: z.literal('takeBack'), id: givenId }),
  /** Sends an outgoing message again that wasn’t sent. */
  z.strictObject({ type: z.literal('resend'), id: givenId }),
  z.strictObject({ type: z.literal('dismissAside') }),
  /** Asks the user what to attach. */
  z.strictObject({ type: z.literal('addContext') }),
  /** Asks for `context` of this name. */
  z.strictObject({ type: z.literal('findContext'), query: shortText }),
  /** Asks for `skills` of this name. */
  z.strictObject({ type: z.literal('findSkills'), query: shortText }),
  /** Attaches what was offered by this id. */
  z.strictObject({ type: z.literal('mention'), id: shortText }),
  /** Files dropped on the composer, as URIs. */
  z.strictObject({ type: z.literal('attachFiles'), uris: listOf(shortText, mostFiles) }),
  z.strictObject({ type: z.literal('attachPicture'), uri: pictureUri }),
  z.strictObject({ type: z.literal('removeAttachment'), id: shortText }),
  /** Approves exactly these actions, all of which the user has seen; `marks` say as what (see `markOf`). */
  z.strictObject({ type: z.literal('approve'), ids, marks: listOf(z.string(), mostEntries) }),
  /** Rejects all pending actions, of which these were shown. */
  z.strictObject({ type: z.literal('reject'), ids, reason: longText }),
  z.strictObject({ type: z.literal('pause') }),
  z.strictObject({ type: z.literal('interrupt') }),
  z.strictObject({ type: z.literal('resume') }),
  z.strictObject({ type: z.literal('changePolicy') }),
  /** Asks which of these paths of the agent are files here. */
  z.strictObject({ type: z.literal('locate'), paths: listOf(shortText, mostPaths) }),
  /** Opens such a file: at a line, or where the step of an entry changed it. */
  z.strictObject({
    type: z.literal('openFile'),
    path: shortText,
    id: givenId,
    line: z.nullable(z.number()),
  }),
  /** Opens the editor’s diff of a step, or of an action that waits for approval. */
  z.strictObject({ type: z.literal('openDiff'), id: givenId }),
  /** Shows what a step changed, in the editor for changes. */
  z.strictObject({ type: z.literal('showStep'), id: givenId }),
  /** Opens the page of the port that a line is about. */
  z.strictObject({ type: z.literal('openPort'), id: givenId }),
  /** Shows everything that the agent changed, in the editor for changes. */
  z.strictObject({ type: z.literal('showChanges') }),
  /** Opens an entry's full text as a document. */
  z.strictObject({ type: z.literal('openWhole'), id: givenId }),
  /** Asks for the pictures of a message. */
  z.strictObject({ type: z.literal('showPictures'), id: givenId }),
  z.strictObject({ type: z.literal('openAsText') }),
  z.strictObject({ type: z.literal('export') }),
  z.strictObject({ type: z.literal('openPullRequest') }),
  z.strictObject({ type: z.literal('revealSandbox') }),
  /** Switches the window to the conversation’s connection. */
  z.strictObject({ type: z.literal('switchHere') }),
  /** Does what's offered next to the note about the transcript's limit. */
  z.strictObject({ type: z.literal('nextStep') }),
  z.strictObject({ type: z.literal('openLink'), url: shortText }),
  z.strictObject({ type: z.literal('copyCode'), text: longText }),
  /** Copies the full text of a message or an output, or the command of a step. */
  z.strictObject({ type: z.literal('copy'), id: givenId, what: z.enum(['text', 'command']) }),
  /** The page got an invalid message; `what` says where it differs from the schema. */
  z.strictObject({ type: z.literal('refused'), what: shortText }),
]);
export type FromPage = z.infer<typeof fromPageSchema>;

export function parseFromPage(data: unknown): Parsed<FromPage> {
  return parseWith(fromPageSchema, data);
}

/** What the page wanted with a message that was refused, and its text; undefined for messages of no known type. */
export function refusedMessage(data: unknown): { type: FromPage['type']; text: string } | undefined {
  const told = isJsonObject(data) ? data : {};
  const types = fromPageSchema.def.options.flatMap(({ def }) => def.shape.type.def.values);
  const type = types.find((one) => one === told['type']);
  return type && { type, text: typeof told['text'] === 'string' ? told['text'] : '' };
}

/** Whether a message asks for something whose end the page waits for. */
export function isAction(type: FromPage['type']): type is Action {
  return (pageActions as readonly string[]).includes(type);
}
