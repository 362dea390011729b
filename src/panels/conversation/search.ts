import type { Entry, StepDetail } from '../../shared/transcript';
import type { ConversationModel } from '../../state/transcript/model';
import { entriesWith } from './entryText';

/** What was found so far; `isComplete` once all of the transcript was searched. */
export interface Found {
  query: string;
  ids: string[];
  isComplete: boolean;
}

/** Characters of long texts that are kept for the next search. */
const mostKept = 4_000_000;

/** Searches what a conversation has at once, then its older events, then the texts that are held without their middle. */
export class Search {
  private query = '';
  private current = new AbortController();
  /** Entries whose whole text contains the query. */
  private inWhole: ReadonlySet<string> = new Set();
  private isDone = true;
  /** Long texts in lower case, those read last at the end. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly model: ConversationModel,
    private readonly tell: (found: Found) => void,
  ) {}

  async search(query: string): Promise<void> {
    this.current.abort();
    const { signal } = (this.current = new AbortController());
    this.query = query;
    this.inWhole = new Set();
    this.isDone = query.trim() === '';
    this.tellFound();
    if (this.isDone) return;
    if (this.model.head.hasOlder) {
      await this.model.loadAll(signal);
      if (!signal.aborted) this.tellFound();
    }
    await this.searchLongTexts(query.trim().toLowerCase(), signal);
    if (signal.aborted) return;
    this.isDone = true;
    this.tellFound();
  }

  /** The transcript changed. */
  update(): void {
    if (this.query !== '') this.tellFound();
  }

  dispose(): void {
    this.current.abort();
  }

  private tellFound(): void {
    const { query, model, inWhole } = this;
    const held = new Set([...entriesWith(query, model.entries), ...inWhole]);
    const ids = model.entries.flatMap(({ id }) => (held.has(id) ? [id] : []));
    this.tell({ query, ids, isComplete: this.isDone && !model.head.hasOlder });
  }

  private async searchLongTexts(wanted: string, signal: AbortSignal): Promise<void> {
    const held = new Set(entriesWith(wanted, this.model.entries));
    for (const entry of this.model.entries) {
      if (signal.aborted) return;
      if (held.has(entry.id) || !isShortened(entry)) continue;
      const text = await this.textOf(entry.id, signal);
      if (!text.includes(wanted)) continue;
      this.inWhole = new Set([...this.inWhole, entry.id]);
      this.tellFound();
    }
  }

  private async textOf(id: string, signal: AbortSignal): Promise<string> {
    const known = this.texts.get(id);
    if (known !== undefined) return known;
    const text = (await this.model.fullText(id, signal).catch(() => ''))?.toLowerCase() ?? '';
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

function isShortened(entry: Entry): boolean {
  if (entry.kind === 'message' || entry.kind === 'error') return isCut(entry.text);
  const output = entry.kind === 'step' ? outputOf(entry.detail) : null;
  return output !== null && isCut(output);
}

const outputOf = (detail: StepDetail) => ('output' in detail ? detail.output : null);
const isCut = ({ text, length }: { text: string; length: number }) => length > text.length;
