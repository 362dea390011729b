import * as z from 'zod/mini';
import { EventScan } from '../../../api/events/scan';
import { byTime } from '../../../api/events/schema';
import type { AgentEvent } from '../../../api/events/event';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { clippedTexts } from '../../../shared/clippedTexts';
import { isCut } from '../../../shared/transcript';
import { beginning } from '../../../shared/wellFormed';
import { nextTurn } from '../../../core/basics/nextTurn';
import { conversationState, lastActive } from '../../../core/lists/status';
import { compact, createEntryMaker, entryText, type ReadPage, type SecretMask } from '../../transcript';

const textsSchema = z.object({
  /** Identifies the state of the conversation that was read. */
  stamp: z.string(),
  /** Newest first. */
  entries: z.array(z.object({ id: z.string(), text: z.string() })),
  /** Whether there is more than was read. */
  isPartial: z.boolean(),
});

/** The texts of a conversation, as they are on screen. */
export type Texts = z.infer<typeof textsSchema>;

/** Texts that were kept; undefined for anything else. */
export const textsIn = (stored: unknown): Texts | undefined => textsSchema.safeParse(stored).data;

/** Pages of a conversation, characters of an entry, and characters of a conversation that are searched. */
const most = { pages: 100, ofEntry: 20_000, ofAll: 1_000_000 };

/** Milliseconds of work before yielding. */
export const sliceMs = 10;

/** Identifies the state of a conversation that its record describes. */
export const stampOf = (conversation: Conversation): string =>
  `${conversation.updated_at ?? ''} ${conversationState(conversation)}`;

/** How many milliseconds stored events may lag behind their conversation, with a margin. */
const settledMs = 2 * 60_000;

/** Whether a conversation has been quiet long enough that everything up to its record is readable. */
export const isSettled = (conversation: Conversation, now: number): boolean =>
  conversationState(conversation) !== 'running' && Math.abs(now - lastActive(conversation)) > settledMs;

/** Reads a conversation, newest events first. Throws what the reading throws. */
export async function readTexts(
  conversation: Conversation,
  read: ReadPage,
  mask: Pick<SecretMask, 'event'>,
  signal: AbortSignal,
): Promise<Texts> {
  let isPartial = false;
  const scan = new EventScan(async (pageId, ended) => {
    const page = await read(pageId, ended);
    if (page.skipped) isPartial = true;
    return page;
  });
  const events: AgentEvent[] = [];
  let sliceEnds = performance.now() + sliceMs;
  for (let pages = 0; pages < most.pages && !scan.atEnd; pages += 1)
    for (const event of await scan.next(signal)) {
      signal.throwIfAborted();
      events.push(compact(mask.event(event)));
      if (performance.now() < sliceEnds) continue;
      await nextTurn();
      sliceEnds = performance.now() + sliceMs;
    }
  if (!scan.atEnd || events.some(({ kind }) => kind === 'unread')) isPartial = true;
  const entries: { id: string; text: string }[] = [];
  let size = 0;
  for (const entry of createEntryMaker()(events.sort(byTime), 'idle').toReversed()) {
    const whole = entryText(entry);
    if (whole === '' || entry.kind === 'separator') continue;
    const text = beginning(whole, most.ofEntry);
    size += text.length;
    if (size > most.ofAll || text.length < whole.length || clippedTexts(entry).some(isCut)) isPartial = true;
    if (size > most.ofAll) break;
    entries.push({ id: entry.id, text });
    if (performance.now() < sliceEnds) continue;
    await nextTurn();
    sliceEnds = performance.now() + sliceMs;
  }
  return { stamp: stampOf(conversation), entries, isPartial };
}
