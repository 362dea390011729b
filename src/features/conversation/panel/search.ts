import { nextTurn } from '../../../core/basics/nextTurn';
import type { ToPage } from '../../../shared/conversationMessages';
import { clippedTexts } from '../../../shared/clippedTexts';
import { searchPattern, type SearchOptions } from '../shared/searchPattern';
import { type Entry, isCut } from '../../../shared/transcript';
import type { ConversationModel } from '../../live';
import { entryText } from '../../transcript';

/** Characters of long texts that are kept for the next search. */
const mostKept = 4_000_000;

/** Milliseconds of searching before others get their turn. */
const turnMs = 10;

/** Searches the entries at hand, then older events, then long texts whose middle isn't kept. */
export class TranscriptSearch {
  private query = '';
  /** Undefined for nothing to search. */
  private pattern: RegExp | undefined;
  private current = new AbortController();
  /** Whether each entry contains the query, as far as that is known. */
  private known = new WeakMap<Entry, boolean>();
  /** Entries whose whole text contains the query. */
  private inWhole = new Set<string>();
  private isDone = true;
  /** Whether a text without its middle couldn’t be read in full. */
  private isPartial = false;
  /** The signal of the search through the entries at hand. */
  private looking: AbortSignal | undefined;
  /** Long texts, those read last at the end. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly model: ConversationModel,
    /** Takes what was found so far. */
    private readonly tell: (found: Extract<ToPage, { type: 'found' }>) => void,
  ) {}

  async search(query: string, options: SearchOptions = {}): Promise<void> {
    this.current.abort();
    const { signal } = (this.current = new AbortController());
    this.query = query;
    this.pattern = searchPattern(query, options);
    this.known = new WeakMap();
    this.looking = undefined;
    this.inWhole = new Set();
    this.isDone = false;
    this.isPartial = false;
    if (this.pattern) await this.searchAll(signal);
    if (signal.aborted) return;
    this.isDone = true;
    this.tellFound();
  }

  private async searchAll(signal: AbortSignal): Promise<void> {
    await this.searchHeld(signal);
    if (this.model.head.hasOlder) {
      await this.model.loadAll(signal);
      await this.searchHeld(signal);
    }
    await this.searchLongTexts(signal);
  }

  /** The transcript changed. */
  update(): void {
    if (this.query !== '' && !this.looking) this.tellFound();
  }

  dispose(): void {
    this.current.abort();
  }

  private isIn(text: string): boolean {
    return this.pattern !== undefined && text.search(this.pattern) >= 0;
  }

  private has(entry: Entry): boolean {
    const has = this.known.get(entry) ?? this.isIn(entryText(entry));
    this.known.set(entry, has);
    return has;
  }

  /** Looks at every entry that is held, a few at a time. */
  private async searchHeld(signal: AbortSignal): Promise<void> {
    this.looking = signal;
    let turnEnds = performance.now() + turnMs;
    for (const entry of this.model.entries) {
      if (signal.aborted) return;
      this.has(entry);
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
    this.looking = undefined;
    this.tellFound();
  }

  private tellFound(): void {
    const { query, model, inWhole } = this;
    const ids = model.entries.flatMap((entry) =>
      this.has(entry) || inWhole.has(entry.id) ? [entry.id] : [],
    );
    const reach = model.head.hasOlder || this.isPartial ? 'part' : 'all';
    this.tell({ type: 'found', query, ids, searched: this.isDone ? reach : 'going' });
  }

  private async searchLongTexts(signal: AbortSignal): Promise<void> {
    const isOver = () => signal.aborted;
    for (const entry of this.model.entries) {
      if (isOver()) return;
      if (!clippedTexts(entry).some(isCut) || this.has(entry)) continue;
      const text = await this.textOf(entry.id, signal);
      if (isOver() || !this.isIn(text)) continue;
      this.inWhole.add(entry.id);
      this.tellFound();
    }
  }

  private async textOf(id: string, signal: AbortSignal): Promise<string> {
    const known = this.texts.get(id);
    if (known !== undefined) return known;
    const read = await this.model.fullText(id, signal).catch(() => null);
    if (read === null) {
      // The next search reads it again.
      this.isPartial ||= !signal.aborted;
      return '';
    }
    const text = read ?? '';
    this.texts.set(id, text);
    let size = [...this.texts.values()].reduce((sum, one) => sum + one.length, 0);
    for (const [oldest, one] of this.texts) {
      if (size <= mostKept) break;
      this.texts.delete(oldest);
      size -= one.length;
    }
    return text;
  }
}
