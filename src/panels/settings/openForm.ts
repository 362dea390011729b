import type { ApiClient } from '../../api/service/client';
import type { FormEdits, Provider, SecretTarget } from '../../shared/form';
import type { McpServer } from '../../shared/mcp';
import type { HostMessage } from '../../shared/messages';
import type { SecretIntention } from '../../shared/settings';
import type { SettingsDocument } from '../../state/settings/document';
import type { StoredDraft } from '../../state/settings/draft';
import { carriedOver } from '../../state/settings/carriedOver';
import { droppedWords, overlapNotices } from './words';

/** A draft that the user hasn't decided on. */
export interface OfferedDraft {
  id: string;
  draft: StoredDraft;
}

/** One reading of the service's settings, with the user's edits. */
export interface OpenForm {
  /** Identifies this reading when a hidden form is shown again. */
  readonly key: string;
  /** The reading that a refresh replaced: what was typed in it just then may still be on its way. */
  replaced?: OpenForm;
  readonly client: ApiClient;
  document: SettingsDocument;
  edits: FormEdits;
  /** Newer than the document's, because they are changed by separate requests. */
  providers: Provider[];
  /** Decisions about secrets, in case the form was hidden when they were made. */
  readonly decided: { target: SecretTarget; intention: SecretIntention }[];
  /** What the user agreed to send to a new place, by key. */
  readonly agreed: Set<string>;
  /** Servers that came into the list while the form was hidden. */
  added: McpServer[];
  notices: string[];
  /** Earlier drafts that the user hasn't decided on. */
  offers: OfferedDraft[];
  suggestions: HostMessage[];
  /** While the service is being changed. */
  saving: boolean;
  /** The change in progress besides a save, in words. */
  working: string | undefined;
}

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

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
    words: [...dropped, ...overlapNotices(restored)],
  };
}

/** True if there is nothing to save. */
export function isEmpty({ values, secrets, mcpServers }: FormEdits): boolean {
  return Object.keys(values).length === 0 && Object.keys(secrets).length === 0 && mcpServers === null;
}
