import { bareId } from '../../../api/http/ids';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Connection } from '../../../shared/connection';
import { Emitter } from '../../../core/basics/emitter';
import { nextTurn } from '../../../core/basics/nextTurn';
import { titledAsStarted } from '../../../core/lists/names';
import { lastActive } from '../../../core/lists/status';
import type { ConnectedService } from '../../live';
import type { ReadPage, SecretMask } from '../../transcript';
import { isSettled, readTexts, sliceMs, stampOf, type Texts, textsIn } from './texts';
import { plainText } from '../../../shared/plainText';
import { wellFormed } from '../../../shared/wellFormed';

/** A conversation with what was found in it. */
export interface Found {
  readonly service: string;
  readonly conversation: Conversation;
  /** Newest first. */
  readonly entries: readonly { readonly id: string; readonly excerpt: string }[];
  /** How many more entries match. */
  readonly more: number;
}

/** How far the search of a service got. */
export interface SearchProgress {
  readonly connection: Connection;
  searched: number;
  /** How many conversations are known so far, and whether there may be more. */
  known: number;
  hasMore: boolean;
  /** Conversations of which only a part was read. */
  partial: number;
  /** Conversations that couldn’t be read at all. */
  unread: number;
  /** Conversations of which only the title was searched. */
  titlesOnly: number;
  /** Why transcripts weren’t asked for anymore after several had failed in a row; undefined if they were. */
  transcriptError: Error | undefined;
  /** Whether the service wasn’t searched, as this computer has no key for it. */
  isWithoutKey: boolean;
  /** Whether some secrets may be unknown, so that they aren’t hidden. */
  areSecretsUnread: boolean;
  /** Why the search of this service ended early. */
  error: Error | undefined;
}

export interface SearchState {
  readonly query: string;
  readonly isGoing: boolean;
  readonly isCanceled: boolean;
  /** Newest first. */
  readonly found: readonly Found[];
  /** Whether some results aren’t listed. */
  readonly isCut: boolean;
  readonly progress: readonly SearchProgress[];
}

/** Texts that are kept on this computer. Never rejects. */
export interface TextStore {
  read(service: string, id: string): Promise<unknown>;
  write(service: string, id: string, texts: Texts): Promise<void>;
  remove(service: string, id: string): Promise<void>;
  /** Deletes the oldest beyond the limits. */
  tidy(): Promise<void>;
}

interface Needs {
  /** Reaches a service; undefined without a key. */
  reach: (connection: Connection) => Promise<ConnectedService | undefined>;
  /** What reads the events of a conversation; undefined if they can’t be read. */
  pagesOf: (service: ConnectedService, conversation: Conversation) => Promise<ReadPage | undefined>;
  /** Reads the secrets of a service, so that they’re masked; resolves to whether that was complete. */
  readSecrets: (service: ConnectedService) => Promise<boolean>;
  mask: Pick<SecretMask, 'event' | 'text'>;
  /** The name of a conversation that was started here. */
  startedAs?: (id: string) => string | undefined;
  store: TextStore;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A service whose conversations are searched. */
interface Searched {
  readonly service: ConnectedService;
  readonly progress: SearchProgress;
  readonly isMasked: boolean;
  /** How many transcripts in a row couldn’t be read. */
  failures: number;
}

/** After this many failures in a row, stops asking: the service stores no transcripts, or refuses them. */
const mostFailures = 3;

/** The most that is listed. */
const most = { conversations: 500, entries: 50, pages: 100 };

const nothing: SearchState = {
  ...{ query: '', isGoing: false, isCanceled: false, isCut: false },
  ...{ found: [], progress: [] },
};

/** Searches the titles and transcripts of all conversations of some connections; one search at a time. */
export class ConversationSearch {
  private current = nothing;
  private going = new AbortController();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly needs: Needs) {}

  get state(): SearchState {
    return this.current;
  }

  /** Resolves once everything was searched, or the search was canceled. Never rejects. */
  async search(query: string, connections: readonly Connection[]): Promise<void> {
    this.going.abort();
    const { signal } = (this.going = new AbortController());
    const progress = connections.map((connection) => ({
      ...{ connection, searched: 0, known: 0, hasMore: true, partial: 0, unread: 0, titlesOnly: 0 },
      ...{ areSecretsUnread: false, isWithoutKey: false, transcriptError: undefined, error: undefined },
    }));
    this.current = { ...nothing, query, isGoing: true, progress };
    this.changed.fire(undefined);
    const words = wordsOf(query);
    await Promise.all(progress.map((one) => this.searchService(words, one, signal)));
    await this.needs.store.tidy();
    if (signal.aborted) return;
    this.set({ isGoing: false });
  }

  /** Keeps the results so far. */
  cancel(): void {
    if (!this.current.isGoing) return;
    this.going.abort();
    this.set({ isGoing: false, isCanceled: true });
  }

  clear(): void {
    this.going.abort();
    this.current = nothing;
    this.changed.fire(undefined);
  }

  /** Never rejects. */
  private async searchService(
    words: readonly string[],
    progress: SearchProgress,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const service = await this.needs.reach(progress.connection);
      if (!service) {
        Object.assign(progress, { hasMore: false, isWithoutKey: true });
        return;
      }
      const isMasked = await this.needs.readSecrets(service);
      progress.areSecretsUnread = !isMasked;
      const of: Searched = { service, progress, isMasked, failures: 0 };
      const met = new Set<string>();
      let pageId: string | undefined;
      for (let pages = 0; pages < most.pages && progress.hasMore; pages += 1) {
        const query = { limit: 100, includeSubConversations: true, ...(pageId !== undefined && { pageId }) };
        const page = await service.client.listConversations(query, signal);
        const fresh = page.items.filter(({ id }) => !met.has(bareId(id)));
        for (const { id } of fresh) met.add(bareId(id));
        progress.known += fresh.length;
        progress.unread += page.skipped ?? 0;
        // A service may return the same page forever.
        progress.hasMore = page.nextPageId !== null && fresh.length > 0;
        for (const one of fresh.toSorted((a, b) => lastActive(b) - lastActive(a))) {
          await this.searchOne(words, of, titledAsStarted(one, this.needs.startedAs), signal);
          if (signal.aborted) return;
          progress.searched += 1;
          this.changed.fire(undefined);
        }
        pageId = page.nextPageId ?? undefined;
      }
    } catch (error) {
      if (!signal.aborted) progress.error = error as Error;
    }
  }

  private async searchOne(
    words: readonly string[],
    of: Searched,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<void> {
    const { service, progress } = of;
    const { baseUrl } = service.client;
    let texts: Texts | undefined;
    try {
      texts = await this.textsOf(of, conversation, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (await isGone(service.client, conversation, signal)) {
        await this.needs.store.remove(baseUrl, conversation.id);
        return;
      }
      of.failures += 1;
      if (of.failures >= mostFailures) progress.transcriptError = error as Error;
    }
    const matching: { id: string; excerpt: string }[] = [];
    let more = 0;
    let sliceEnds = performance.now() + sliceMs;
    for (const { id, text } of texts?.entries ?? []) {
      if (performance.now() > sliceEnds) {
        await nextTurn();
        sliceEnds = performance.now() + sliceMs;
      }
      if (!hasAll(text, words)) continue;
      // Secrets may have become known since it was kept.
      const shown = this.needs.mask.text(text);
      if (!hasAll(shown, words)) continue;
      if (matching.length < most.entries) matching.push({ id, excerpt: excerpt(shown, words) });
      else more += 1;
    }
    await nextTurn();
    if (signal.aborted) return;
    if (!texts) progress.titlesOnly += 1;
    else if (texts.isPartial) progress.partial += 1;
    if (matching.length > 0 || hasAll(conversation.title ?? '', words))
      this.add({ service: baseUrl, conversation, entries: matching, more });
  }

  private async textsOf(
    of: Searched,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<Texts | undefined> {
    const { store, pagesOf, mask, now } = this.needs;
    const { service, isMasked, progress } = of;
    const { baseUrl } = service.client;
    const known = textsIn(await store.read(baseUrl, conversation.id));
    if (known?.stamp === stampOf(conversation)) return known;
    const read = progress.transcriptError ? undefined : await pagesOf(service, conversation);
    if (!read) return undefined;
    const texts = await readTexts(conversation, read, mask, signal);
    of.failures = 0;
    // When a connection is removed, its kept texts are deleted, and nothing may be written after that.
    const isEnded = service.client.ended?.aborted === true;
    if (isMasked && !isEnded && isSettled(conversation, now()))
      await store.write(baseUrl, conversation.id, texts);
    return texts;
  }

  private add(found: Found): void {
    const all = [...this.current.found, found].sort(
      (a, b) => lastActive(b.conversation) - lastActive(a.conversation),
    );
    this.set({ found: all.slice(0, most.conversations), isCut: all.length > most.conversations });
  }

  private set(change: Partial<SearchState>): void {
    this.current = { ...this.current, ...change };
    this.changed.fire(undefined);
  }
}

/** More words than anybody searches for at once. */
const mostWords = 20;

/** Marks on letters and invisible characters, which don’t count; the marks of kana make other letters. */
const marks = /(?![\u3099\u309a])\p{Mn}|\p{Cf}/gu;

const isPlain = /^[\0-\x7f]*$/;

/** A text in the form that is compared: ignores case, diacritics, and how a letter is written at the end of a word. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  // Some letters have a lower case only once they are decomposed.
  const lower = text.normalize('NFKD').toLowerCase().replace(marks, '');
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

/** The words of a query in the form that is compared. */
export const wordsOf = (query: string): readonly string[] =>
  [...new Set(folded(query).split(/\s+/u))].filter((word) => word !== '').slice(0, mostWords);

/** Whether a text contains all words, in any order. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const compared = folded(text);
  return words.every((word) => compared.includes(word));
}

/** The part of a text around the first match, as one line. */
export function excerpt(text: string, words: readonly string[]): string {
  for (const line of text.split('\n')) {
    const compared = folded(line);
    const places = words.map((word) => compared.indexOf(word)).filter((place) => place >= 0);
    if (places.length === 0) continue;
    const start = placeIn(line, Math.min(...places));
    const from = start > 60 ? start - 40 : 0;
    return plainText(`${from > 0 ? '…' : ''}${wellFormed(line.slice(from, from + 240))}`, 160);
  }
  return plainText(text, 160);
}

/** Roughly where a position in the compared text is in the original text: their lengths may differ. */
function placeIn(text: string, place: number): number {
  if (isPlain.test(text)) return place;
  let start = 0;
  let compared = 0;
  for (const character of text) {
    compared += folded(character).length;
    if (compared > place) break;
    start += character.length;
  }
  return start;
}

/** Whether a conversation can’t be read because it has been deleted. */
async function isGone(
  client: Pick<ApiClient, 'getConversation'>,
  { id }: Conversation,
  signal: AbortSignal,
): Promise<boolean> {
  return (await client.getConversation(id, signal).catch(() => undefined)) === null;
}
