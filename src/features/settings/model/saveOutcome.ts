import type { ApiError } from '../../../api/http/errors';
import type { Conflict, Resolution, SaveNote } from '../shared/form';
import type { Problem } from '../shared/messages';
import type { SaveApplied } from './compare';
import type { Doubt } from './doubts';

/** How a save of a document ended. Unless `saved`, the caller keeps the edits. */
export type OutcomeOf<Document> =
  /** Stored, read back and compared; `document` is what the service has now. */
  | { kind: 'saved'; document: Document; notes: SaveNote[] }
  /** Nothing was posted: someone else changed the same values. Save again with a resolution for every key. */
  | { kind: 'conflict'; conflicts: Conflict[]; document: Document }
  /** Nothing was stored: the form or the service refused a value. */
  | { kind: 'invalid'; errors: Problem[] }
  /** Nothing was posted: the user has to agree first. Save again with the doubt in `confirmed`. */
  | ({ kind: 'needsConfirmation' } & Doubt)
  /**
   * A request failed; `applied` says, from reading back, whether the save took place anyway. Before the post, two
   * reasons come from this client: `busy`, and `noneSaved`, after which only the user can say that the settings are
   * really gone (`SeenSettings.delete`).
   */
  | { kind: 'failed'; error: ApiError; applied: SaveApplied };

/** The user's decisions about earlier outcomes of the save. */
export interface SaveOptions {
  resolution?: Resolution;
  /** What the user has agreed to. */
  confirmed?: readonly Doubt[];
}
