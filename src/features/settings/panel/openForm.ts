import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../../api/service/client';
import type { FormEdits, FormModel, Provider } from '../shared/form';
import type { KeptEdits, ProviderChange, ShownForm } from '../shared/messages';
import type { SettingsDocument } from '../model/document';
import type { StoredDraft, RestoredEdits } from '../model/draft';
import { withMore, moreValues } from '../model/moreSettings';
import { droppedWords, overlapNotices, unplacedNotices } from './words';
import type { McpServer } from '../../../shared/mcp';

/** A draft that the user hasn't decided on. */
export interface OfferedDraft {
  id: string;
  draft: StoredDraft;
}

/** A change of the edits that the extension host made. */
export type EditsStep = (edits: FormEdits) => FormEdits;

/** One reading of the service's settings, with the user's edits. */
export interface OpenForm {
  /** Identifies this reading in messages: what the page says about another one comes too late. */
  readonly key: string;
  /** The reading that a refresh replaced: what was typed in it just then may still be on its way. */
  readonly replaced: OpenForm | undefined;
  readonly client: ApiClient;
  readonly document: SettingsDocument;
  edits: FormEdits;
  /** What was changed here; made again to edits from a page that didn't know of it, such as a hidden one. */
  readonly steps: EditsStep[];
  /** The page's count of its changes, as of its last edits. */
  revision: number;
  /** Newer than the document's, because they are changed by separate requests. */
  providers: Provider[];
  providerChanges: readonly ProviderChange[];
  /** What the user agreed to send to a new place, by key. */
  readonly agreed: Set<string>;
  notices: readonly string[];
  serverNotices: ShownForm['serverNotices'];
  /** Earlier drafts that the user hasn't decided on. */
  offers: readonly OfferedDraft[];
  suggestions: ShownForm['suggestions'];
  /** The change to the service that's under way, in words. */
  working: string | null;
}

/** What has just ended, for the one message that tells the page. */
export type JustEnded = Partial<Pick<ShownForm, 'result' | 'goTo'>>;

/** How a change of the service ended, for the form. */
export interface Ending extends JustEnded, Partial<Pick<OpenForm, 'notices' | 'serverNotices'>> {
  /** What the service holds now, where that was read. */
  document?: SettingsDocument;
  /** It was read before: the providers on screen may be newer. */
  isEarlier?: true;
  /** The edits on it that are still unsaved; none if missing. */
  edits?: FormEdits;
}

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };
export const noServerNotices: ShownForm['serverNotices'] = { words: [], failed: false };

/**
 * A form that was just read; `previous` is the one it follows, of the same client.
 * @param isEarlier the document was read before: the previous's providers may be newer
 */
export function formOf(
  client: ApiClient,
  document: SettingsDocument,
  previous?: OpenForm,
  isEarlier = false,
): OpenForm {
  const { providers, providersTold } = document.model;
  return {
    key: randomUUID(),
    replaced: undefined,
    client,
    document,
    edits: noEdits,
    steps: [],
    revision: previous?.revision ?? 0,
    // If the service doesn't say, the last known value is used.
    providers: (providersTold && !isEarlier ? undefined : previous?.providers) ?? providers,
    providerChanges: previous?.providerChanges ?? [],
    agreed: new Set(),
    notices: [],
    serverNotices: noServerNotices,
    offers: previous?.offers ?? [],
    suggestions: previous?.suggestions ?? {},
    working: null,
  };
}

/** The settings as the form shows them. */
export function modelOf({ document, providers }: Pick<OpenForm, 'document' | 'providers'>): FormModel {
  return { ...document.model, providers };
}

/** Edits from the page with everything that was changed here in the meantime. */
export function withSteps(open: OpenForm, { steps, edits }: KeptEdits): FormEdits {
  return open.steps.slice(steps).reduce((changed, step) => step(changed), edits);
}

/** Both edits at once; where both change the same thing, `over` wins. */
export function overlaid(under: FormEdits, over: FormEdits): FormEdits {
  const more = { ...under.more, ...over.more };
  return withMore(
    {
      values: { ...under.values, ...over.values },
      secrets: { ...under.secrets, ...over.secrets },
      mcpServers: over.mcpServers ?? under.mcpServers,
    },
    more,
  );
}

/**
 * The form's edits on another reading, where they still change anything, and words about what couldn't be kept.
 * @param without id of a server that left the service
 */
export function editsOn(
  next: SettingsDocument,
  { document, edits }: Pick<OpenForm, 'document' | 'edits'>,
  without?: string,
): { edits: FormEdits; words: string[] } {
  const restored = carriedOver(document, edits, next, without);
  const dropped = restored.dropped.length === 0 ? [] : [droppedWords(restored.dropped)];
  return {
    edits: next.review(restored.edits).length > 0 ? restored.edits : noEdits,
    words: [...dropped, ...unplacedNotices(restored), ...overlapNotices(restored)],
  };
}

/** True if there is nothing to save. */
export function isEmpty({ values, secrets, mcpServers, more = {} }: FormEdits): boolean {
  return mcpServers === null && [values, secrets, more].every((one) => Object.keys(one).length === 0);
}

/**
 * Carries unsaved changes over from `previous` to the document that a change of the service ended with. Typed secrets
 * exist only in `previous` and have to be entered again; `dropped` names them.
 * @param without id of a server that left the service by that change
 */
export function carriedOver(
  previous: SettingsDocument,
  edits: FormEdits,
  next: SettingsDocument,
  without?: string,
): RestoredEdits {
  const rest = (servers: readonly McpServer[]) => servers.filter(({ id }) => id !== without);
  const { values, mcpServers, more } = previous.model;
  const mine = { ...edits, mcpServers: edits.mcpServers && rest(edits.mcpServers) };
  return next.restore(mine, { values, mcpServers: rest(mcpServers), more: moreValues(more) });
}
