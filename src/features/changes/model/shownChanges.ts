import * as l10n from '@vscode/l10n';
import { Refusal } from '../../../core/basics/refusal';
import type { Holding } from '../../../core/lists/conversationAt';
import { type ConversationChanges, type ChangeSource, largestContent } from '../../sandboxChanges';
import type { ChangePlace, ChangeOrigin } from '../../targets';
import { isBinary } from './merge';

/** How many lists are held; older ones are created again when one of their files is opened. */
const mostLists = 50;

interface Needs {
  model: (id: string, service?: string) => { readonly changes: ConversationChanges } | undefined;
  /** Keeps the models of a service. */
  hold: (service: string) => Holding;
}

/** The changes that the editor shows: finds the text of each side. */
export class ShownChanges {
  private readonly sources = new Map<string, { made: Promise<ChangeSource>; holding: Holding | undefined }>();

  constructor(private readonly needs: Needs) {}

  /** Holds the source of a list that is being shown. */
  add(origin: ChangeOrigin, source: ChangeSource): void {
    const holding = this.hold(origin);
    this.drop(keyOf(origin));
    this.sources.set(keyOf(origin), { made: Promise.resolve(source), holding });
    for (const oldest of this.sources.keys()) {
      if (this.sources.size <= mostLists) return;
      this.drop(oldest);
    }
  }

  dispose(): void {
    for (const key of [...this.sources.keys()]) this.drop(key);
  }

  /** The text to show for a side of a file: words stand for what isn’t text. Throws ApiError and Refusal. */
  async read(place: ChangePlace): Promise<Uint8Array> {
    const said = wordsFor(place);
    if (said !== undefined) return new TextEncoder().encode(said);
    const source = this.sourceOf(place);
    const content = await (await source).content(place.version).catch((error: unknown) => {
      // A sandbox that was restarted has another address or key.
      if (!(error instanceof Refusal)) this.drop(keyOf(place), source);
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
    if (known) return known.made;
    const holding = this.hold(place);
    const made = this.makeSource(place, holding);
    this.sources.set(key, { made, holding });
    made.catch(() => this.drop(key, made));
    return made;
  }

  /** Changes stay readable when the window switches to another connection. */
  private hold({ service }: ChangeOrigin): Holding | undefined {
    return service === undefined ? undefined : this.needs.hold(service);
  }

  /** @param made drops only this one */
  private drop(key: string, made?: Promise<ChangeSource>): void {
    const known = this.sources.get(key);
    if (!known || (made && known.made !== made)) return;
    this.sources.delete(key);
    known.holding?.dispose();
  }

  private async makeSource(
    { conversation, service, from, root }: ChangePlace,
    holding: Holding | undefined,
  ): Promise<ChangeSource> {
    await holding?.reached;
    const changes = this.needs.model(conversation, service)?.changes;
    if (!changes) throw new Refusal(l10n.t('The changes belong to another service. Connect to it first.'));
    const source =
      from === 'sandbox'
        ? await changes.repository(root)
        : from === 'events'
          ? await changes.fromEvents()
          : 'commit' in from
            ? await changes.repository(root, from.commit)
            : await changes.ofStep(from.step);
    // Names of files become known with the list.
    await source.list();
    return source;
  }
}

const keyOf = ({ conversation, service, from, root }: ChangeOrigin) =>
  JSON.stringify([service, conversation, from, root]);

/** What to show instead of the content; undefined if it is to be shown. */
function wordsFor({ version: { oid, mode, size }, kind }: ChangePlace): string | undefined {
  if (mode === '160000') return l10n.t('Submodule at commit {0}\n', oid);
  if (kind === 'modeChanged') return l10n.t('File mode {0}\n', mode);
  if (oid === '' && size === null) return l10n.t('This file’s contents aren’t in the transcript.\n');
  if (oid === '' || (size ?? 0) > largestContent)
    return l10n.t('This file is too large to show ({0} bytes). It’s still in the sandbox.\n', size ?? 0);
  return undefined;
}
