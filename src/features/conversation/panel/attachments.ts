import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { caught } from '../../../shared/caught';
import {
  mostAttachments,
  mostPictures,
  pictureUris,
  type Attachment,
} from '../../../shared/conversationMessages';
import { readable } from '../../../shared/readable';
import type { QuotedSelection } from '../../../shared/selection';
import { soundTime } from '../../../shared/soundTime';
import { beginning } from '../../../shared/wellFormed';

/** What a later version added stays. */
export const attachedSchema = z.looseObject({
  id: z.string(),
  kind: z.enum(['quote', 'picture']),
  label: z.string(),
  /** Markdown that goes below the message, or a data URI. */
  content: z.string(),
});
type Attached = z.infer<typeof attachedSchema>;

/** A message that is being written; lenient, as it's read from what another version may have stored. */
export const draftSchema = z.object({
  text: caught(z.string(), ''),
  /** The text's revision, like the page's. */
  revision: z.pipe(caught(z.number(), 0), z.transform(soundTime)),
  attachments: z.pipe(
    z.optional(z.unknown()),
    z.transform((stored) => readable(attachedSchema, stored)),
  ),
});
export type Draft = z.infer<typeof draftSchema>;

export const noDraft: Draft = { text: '', revision: 0, attachments: [] };

/** What goes along with the message in the composer. */
export class Attachments {
  private count = 0;

  constructor(private list: readonly Attached[]) {}

  /** With their contents, to be stored or put back. */
  get all(): readonly Attached[] {
    return this.list;
  }

  /** As the page shows them. */
  get shown(): Attachment[] {
    return this.list.slice(0, mostAttachments).map(({ id, kind, label, content }) => {
      const [preview = null] = kind === 'picture' ? pictureUris([content]) : [];
      return { id, kind, label, preview };
    });
  }

  /** False if there are too many for some of them. */
  addQuotes(quotes: readonly QuotedSelection[]): boolean {
    const room = Math.max(0, mostAttachments - mostPictures - this.list.length);
    for (const { text, label } of quotes.slice(0, room)) this.add('quote', label, text);
    return quotes.length <= room;
  }

  /** False if there are too many pictures. */
  addPicture(uri: string): boolean {
    if (this.pictures >= mostPictures) return false;
    this.putBack([uri]);
    return true;
  }

  /** Pictures of a message that was taken back: all of them, even if there are too many now. */
  putBack(uris: readonly string[]): void {
    for (const uri of uris) this.add('picture', this.nextName(), uri);
  }

  remove(id: string): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  /** Takes everything out and returns it. */
  take(): readonly Attached[] {
    const taken = this.list;
    this.list = [];
    return taken;
  }

  private get pictures(): number {
    return this.list.filter(({ kind }) => kind === 'picture').length;
  }

  /** For another picture. Their count alone would repeat a name once an earlier one was removed. */
  private nextName(): string {
    const names = new Set(this.list.map(({ label }) => label));
    let number = this.pictures + 1;
    while (names.has(nameOf(number))) number += 1;
    return nameOf(number);
  }

  private add(kind: Attached['kind'], label: string, content: string): void {
    this.count += 1;
    const id = `${Date.now()}-${this.count}`;
    this.list = [...this.list, { id, kind, label: beginning(label, 500), content }];
  }
}

const nameOf = (number: number) => l10n.t('Picture {0}', number);

/** The whole text of a message with what is quoted in it, and its pictures. */
export function messageOf(text: string, taken: readonly Attached[]): { text: string; images: string[] } {
  const of = (wanted: Attached['kind']) =>
    taken.filter(({ kind }) => kind === wanted).map(({ content }) => content);
  return { text: [text.trim(), ...of('quote')].filter(Boolean).join('\n\n'), images: of('picture') };
}
