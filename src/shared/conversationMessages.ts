import * as z from 'zod/mini';
import { atMost, fitting, listOf, longText, shortText } from './bounded';

import { parseWith, type Parsed } from './parsed';
import { shownEntrySchema } from './shownEntry';
import { headSchema } from './transcript';

/**
 * Messages between the conversation page (webview) and the extension host. Both sides parse incoming messages, and
 * refuse anything else; what the page sends is in `conversationFromPage.ts`, whose schemas the page doesn't need.
 *
 * The page shows the newest entries of the transcript and gets older ones when it asks for them.
 */

/** Longer lists come in several messages. */
export const mostEntries = 1_000_000;

/** An id that a server gave to something. */
export const givenId = longText;

/** How many files can be dropped at once. */
export const mostFiles = 50;

/** How many things can go along with a message. */
export const mostAttachments = 1_000;

/** How many things a `#` in the message offers at once. */
export const mostFound = 100;

/** How many files the page asks for at once. */
export const mostPaths = 500;

/** Limits for one message: the number of pictures, and the characters per picture (as a data URI). */
export const mostPictures = 5;
export const longestPicture = 2_000_000;

/** A picture as a data URI, so nothing is ever fetched. */
export const pictureUri = z
  .string()
  .check(atMost(longestPicture), z.regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/));

/** The data URIs of pictures among `values`; anything else is left out. */
export function pictureUris(values: readonly unknown[]): string[] {
  return values.flatMap((value) => pictureUri.safeParse(value).data ?? []).slice(0, mostPictures);
}

/** Something that goes along with a message: code or files, quoted in its text, or a picture. */
const attachmentSchema = z.strictObject({
  id: shortText,
  kind: z.enum(['quote', 'picture']),
  /** Short name, such as `src/cart.ts, lines 3–9`. */
  label: shortText,
  /** Only for a picture. */
  preview: z.nullable(pictureUri),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** A question that isn't part of the conversation, and the agent's answer in Markdown. */
const asideSchema = z.strictObject({ question: longText, answer: longText });
export type Aside = z.infer<typeof asideSchema>;

/** Something in the editor that can go along with a message. */
const foundContextSchema = z.strictObject({ id: shortText, label: shortText, detail: shortText });
export type FoundContext = z.infer<typeof foundContextSchema>;

/**
 * Progress of a search: still going, or done with all of the transcript, or with part of it if the rest can’t be read.
 */
const searchedSchema = z.enum(['going', 'all', 'part']);
export type Searched = z.infer<typeof searchedSchema>;

/** The key that sends a message; Ctrl+Enter is Cmd+Enter on a Mac. */
const sendKeySchema = z.enum(['enter', 'ctrlEnter']);
export type SendKey = z.infer<typeof sendKeySchema>;

/** What the user does to the agent; each ends with an `outcome`. */
export const pageActions = ['send', 'approve', 'reject', 'pause', 'interrupt', 'resume', 'nextStep'] as const;
export type Action = (typeof pageActions)[number];

export const composedShape = { text: longText, revision: z.number() };
export const composedSchema = z.strictObject(composedShape);
/** Text for the composer, which counts it: the page has to show what is too long to be sent, so it can be shortened. */
const restored = { text: z.string(), revision: z.number() };
/**
 * The composer's content. The copy with the higher revision is newer, whichever tab it’s from. A revision is the time
 * of the last change, in milliseconds since the epoch, or higher.
 */
export type Composed = z.infer<typeof composedSchema>;

/** The composer's text with a message put back above it. */
export function putBackAbove(message: string, text: string): string {
  return [message, text].filter(Boolean).join('\n\n');
}

/** Where a message to a conversation is written. */
export interface Composer {
  text: string;
  /** What the conversation is about, or the folder that its agent works in; may be empty. */
  repository: string;
  /** Puts text above what’s there. */
  insert: (text: string) => void;
}

/** From the extension host to the page. */
const toPageSchema = z.discriminatedUnion('type', [
  /** Everything but the entries, after each change. */
  z.strictObject({ type: z.literal('head'), head: headSchema }),
  /** Which conversation this is, and the draft of a message; the answer to `ready`. */
  z.strictObject({
    type: z.literal('begin'),
    id: givenId,
    service: longText,
    draft: z.strictObject(restored),
  }),
  /**
   * The user’s settings for the composer, and the name of the conversation’s connection if the window is on another one.
   */
  z.strictObject({ type: z.literal('options'), sendWith: sendKeySchema, elsewhere: shortText }),
  /** Asks the page to say `ready` again: it can be shown now. */
  z.strictObject({ type: z.literal('restart') }),
  /** The conversation can't be shown: why, what to do, and the button for that, if there is one. */
  z.strictObject({
    type: z.literal('unavailable'),
    message: longText,
    nextStep: longText,
    button: z.optional(shortText),
  }),
  /** Replaces `removed` of the page's entries, from index `at` on, by `added`. */
  z.strictObject({
    type: z.literal('entries'),
    at: z.number(),
    removed: z.number(),
    added: listOf(shownEntrySchema, mostEntries),
    /** Whether older entries can be asked for. */
    hasOlder: z.boolean(),
  }),
  /** Loading older entries ended; `problem` is empty if it succeeded. */
  z.strictObject({ type: z.literal('olderLoaded'), problem: longText }),
  /** The entries that contain the query, oldest first. */
  z.strictObject({
    type: z.literal('found'),
    query: longText,
    ids: listOf(givenId, mostEntries),
    searched: searchedSchema,
  }),
  /** Scrolls to an entry that the page already has. */
  z.strictObject({ type: z.literal('reveal'), id: givenId }),
  /** Puts a message that was taken back above the composer's text; `revision` is that of the resulting draft. */
  z.strictObject({ type: z.literal('restoreText'), ...restored }),
  /** The pending actions whose edits the editor’s diff has shown; after each `head` that has any. */
  z.strictObject({ type: z.literal('reviewed'), ids: listOf(givenId, mostEntries) }),
  z.strictObject({ type: z.literal('attachments'), attachments: listOf(attachmentSchema, mostAttachments) }),
  /** The answer to a question that was asked on the side; null for none. */
  z.strictObject({ type: z.literal('aside'), aside: z.nullable(asideSchema) }),
  /** What has a name like `query`, which was typed after a `#`; again as more is found. */
  z.strictObject({
    type: z.literal('context'),
    query: shortText,
    items: listOf(foundContextSchema, mostFound),
  }),
  /** Skills whose names fit the `query` of `findSkills`; a label is the text to insert. */
  z.strictObject({
    type: z.literal('skills'),
    query: shortText,
    items: listOf(foundContextSchema, mostFound),
  }),
  /** The pictures of a message, after `showPictures`; those that aren't data URIs are left out. */
  z.strictObject({ type: z.literal('pictures'), id: givenId, uris: listOf(pictureUri, mostPictures) }),
  /** Those of the paths of a `locate` that are files in a folder that is open here. */
  z.strictObject({ type: z.literal('located'), paths: listOf(shortText, mostPaths) }),
  /** Goes to the next or previous message, or to the end of the transcript. */
  z.strictObject({ type: z.literal('move'), to: z.enum(['next', 'previous', 'end']) }),
  /** Moves the focus there. */
  z.strictObject({ type: z.literal('focus'), on: z.enum(['composer', 'pending', 'feed']) }),
  /** An action ended; `problem` says why it failed and is empty if it didn't. */
  z.strictObject({ type: z.literal('outcome'), of: z.enum(pageActions), problem: longText }),
  /** Something to tell the user. */
  z.strictObject({ type: z.literal('notice'), message: longText }),
]);
export type ToPage = z.infer<typeof toPageSchema>;

/** The message with words that the page takes: services can answer with texts of any length. */
export function fittingMessage(message: ToPage): ToPage {
  const { type } = message;
  if (type === 'notice') return { ...message, message: fitting(message.message) };
  if (type === 'unavailable')
    return { ...message, message: fitting(message.message), nextStep: fitting(message.nextStep) };
  if (type === 'olderLoaded' || type === 'outcome') return { ...message, problem: fitting(message.problem) };
  if (type === 'aside' && message.aside)
    return { ...message, aside: { ...message.aside, answer: fitting(message.aside.answer) } };
  return message;
}

/** What the page keeps in the webview's state, and gets back after it was hidden or the window was reloaded. */
export const keptPageSchema = z.strictObject({
  id: z.string(),
  service: z.string(),
  draft: z.string(),
  /** The draft's revision; earlier versions didn't keep it. */
  revision: z._default(z.number(), 0),
  /** Entry at the top of the view and how far it was scrolled in pixels; null at the end of the transcript. */
  place: z.nullable(z.strictObject({ id: z.string(), offset: z.number() })),
  filter: z.enum(['all', 'messages', 'errors']),
  /** The reason for rejecting, while the user is being asked for it; earlier versions didn't keep it. */
  reason: z._default(z.nullable(z.string()), null),
  /** Marks of the pending actions that were on screen; earlier versions didn’t keep them. */
  seen: z._default(z.array(z.string()), []),
});
export type KeptPage = z.infer<typeof keptPageSchema>;

export function parseToPage(data: unknown): Parsed<ToPage> {
  return parseWith(toPageSchema, data);
}
