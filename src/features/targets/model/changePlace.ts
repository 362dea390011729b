import * as z from 'zod/mini';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { ChangedFile } from '../../sandboxChanges';

const versionSchema = z.object({
  oid: z.string().check(z.regex(/^[0-9a-f]*$/)),
  mode: z.enum(['100644', '100755', '120000', '160000']),
  size: z.nullable(z.number()),
});

/** What the addresses of files and of whole lists have. */
const aboutSchema = z.object({
  conversation: z.string(),
  /** The base URL of its service; earlier versions left it out. */
  service: z.optional(z.string()),
});

const placeSchema = z.object({
  ...aboutSchema.shape,
  /** The sandbox’s git, the events, the step with this id, or a commit. */
  from: z.union([
    z.enum(['sandbox', 'events']),
    z.object({ step: z.string() }),
    z.object({ commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) }),
  ]),
  /** Of the repository, in the sandbox. */
  root: z.string(),
  kind: z.enum(['added', 'deleted', 'modified', 'renamed', 'modeChanged']),
  side: z.enum(['before', 'after']),
  version: versionSchema,
});

/** Where one side of a changed file is found again, after the window was reloaded, too. */
export type ChangePlace = z.infer<typeof placeSchema>;

/** The parts of an address that the editor keeps for a file. */
export interface ChangeAddress {
  /** Begins with a slash; the editor takes name and language from it. */
  path: string;
  query: string;
}

/** What all files of a list have in common. */
export type ChangeOrigin = Pick<ChangePlace, 'conversation' | 'service' | 'from' | 'root'>;

/**
 * The address of a side of a file; undefined for a side that isn’t there.
 * @param folder stands before the file’s name
 */
export function addressOf(
  origin: ChangeOrigin,
  { path, oldPath, kind, before, after }: ChangedFile,
  side: ChangePlace['side'],
  folder = '',
): ChangeAddress | undefined {
  const version = side === 'before' ? before : after;
  if (!version) return undefined;
  const place: ChangePlace = { ...origin, kind, side, version };
  const name = (side === 'before' ? oldPath : undefined) ?? path;
  return { path: shownPath(`${folder}/${name}`), query: JSON.stringify(place) };
}

/** The editor refuses an address whose path begins with two slashes, or isn’t well formed, and all others with it. */
const shownPath = (path: string) => `/${path.replace(/^\/+/, '').replaceAll(/\p{Surrogate}/gu, '\uFFFD')}`;

/**
 * The address of a list of changes as a whole, for the editor that shows it.
 * @param title stands above the list
 * @param list unique: the editor shows a list again instead of another one with the same address
 */
export function addressOfList(
  { id: conversation, service }: ConversationAt,
  title: string,
  list: string,
): ChangeAddress {
  const query = JSON.stringify({ conversation, service, list });
  return { path: shownPath(title.replaceAll('/', ' ')), query };
}

/** Reads the address of a side of a file; undefined for a forged one. */
export function placeOf(address: Pick<ChangeAddress, 'query'>): ChangePlace | undefined {
  return placeSchema.safeParse(parsed(address)).data;
}

/** The conversation whose changes have an address, of a file or of a list; undefined for a forged one. */
export function conversationAt(address: Pick<ChangeAddress, 'query'>): ConversationAt | undefined {
  const about = aboutSchema.safeParse(parsed(address)).data;
  return about && { id: about.conversation, service: about.service };
}

function parsed({ query }: Pick<ChangeAddress, 'query'>): unknown {
  try {
    return JSON.parse(query);
  } catch {
    return undefined;
  }
}
