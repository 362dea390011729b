import * as l10n from '@vscode/l10n';
import type { ChangePlace, ChangeOrigin } from './changePlace';
import type { ConversationChanges } from './conversationChanges';
import type { ChangeSource } from './changeSet';
import { Refusal } from '../basics/refusal';
import { isBinary } from './merge';
import { largestContent } from './sandboxScripts';

/** Lists that are held; older ones are made again when one of their files is opened. */
const mostLists = 50;

/** The changes that the editor shows: finds the text of each side. */
export class ShownChanges {
  private readonly sources = new Map<string, Promise<ChangeSource>>();

  /** @param changesOf a conversation of the connected service */
  constructor(private readonly changesOf: (conversation: string) => ConversationChanges | undefined) {}

  /** Holds the source of a list that is being shown. */
  add(origin: ChangeOrigin, source: ChangeSource): void {
    const key = keyOf(origin);
    this.sources.delete(key);
    this.sources.set(key, Promise.resolve(source));
    for (const oldest of this.sources.keys()) {
      if (this.sources.size <= mostLists) return;
      this.sources.delete(oldest);
    }
  }

  /** The text to show for a side of a file: words stand for what isn’t text. Throws ApiError and Refusal. */
  async read(place: ChangePlace): Promise<Uint8Array> {
    const said = wordsFor(place);
    if (said !== undefined) return new TextEncoder().encode(said);
    const source = await this.sourceOf(place);
    const content = await source.content(place.version).catch((error: unknown) => {
      // A sandbox that was restarted has another address or key.
      if (!(error instanceof Refusal)) this.sources.delete(keyOf(place));
      throw error;
    });
    if (!isBinary(content)) return content;
    return new TextEncoder().encode(
      l10n.t('Binary file, {0} bytes\nHash: {1}\n', content.byteLength, place.version.oid),
    );
  }

  private sourceOf(place: ChangePlace): Promise<ChangeSource> {
    const key = keyOf(place);
    const known = this.sources.get(key);
    if (known) return known;
    const made = this.makeSource(place);
    this.sources.set(key, made);
    made.catch(() => this.sources.delete(key));
    return made;
  }

  private async makeSource({ conversation, from, root }: ChangePlace): Promise<ChangeSource> {
    const changes = this.changesOf(conversation);
    if (!changes) throw new Refusal(l10n.t('The changes belong to another service. Connect to it first.'));
    const source =
      from === 'sandbox'
        ? await changes.repository(root)
        : from === 'events'
          ? await changes.fromEvents()
          : await changes.ofStep(from.step);
    // Names of files become known with the list.
    await source.list();
    return source;
  }
}

const keyOf = ({ conversation, from, root }: ChangeOrigin) => JSON.stringify([conversation, from, root]);

/** What to show instead of the content; undefined if it is to be shown. */
function wordsFor({ version: { oid, mode, size }, kind }: ChangePlace): string | undefined {
  if (mode === '160000') return l10n.t('Submodule at commit {0}\n', oid);
  if (kind === 'modeChanged') return l10n.t('File mode {0}\n', mode);
  if (oid === '' && size === null) return l10n.t('This file’s contents aren’t in the transcript.\n');
  if (oid === '' || (size ?? 0) > largestContent)
    return l10n.t('This file is too large to show ({0} bytes). It’s still in the sandbox.\n', size ?? 0);
  return undefined;
}
