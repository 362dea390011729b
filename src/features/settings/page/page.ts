import * as z from 'zod/mini';
import type { Section } from '../../../shared/fields';
import { keptEditsSchema, type WebviewMessage } from '../shared/messages';

/** What survives while the panel is hidden. */
export const keptSchema = z.strictObject({
  edits: keptEditsSchema,
  /** The texts of the form. */
  texts: z.record(z.string(), z.string()),
  open: z.array(z.string()),
  /** Whether a review came before a save. */
  reviewed: z.boolean(),
  /** Providers without a token that the user added. */
  addedProviders: z.array(z.string()),
  /** What was typed as the host of a provider and isn't applied yet. */
  hosts: z.record(z.string(), z.string()),
});
export type Kept = z.infer<typeof keptSchema>;

/** The page around the form. */
export interface FormPage {
  post: (message: WebviewMessage) => void;
  keep: (kept: Kept | null) => void;
  draw: () => void;
  /** Calls `act` when nothing more urgent is to be done. */
  later: (act: () => void) => void;
  /** Focuses the first element of these ids that exists, once it is drawn. */
  focus: (...ids: string[]) => void;
  reveal: (section: Section) => void;
}
