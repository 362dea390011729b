import type { Section } from '../../shared/fields';
import type { KeptEdits, WebviewMessage } from '../../shared/messages';
import type { Form } from './model';

/** What survives while the panel is hidden. */
export interface Kept {
  edits: KeptEdits;
  texts: Form['texts'];
  open: string[];
  /** Whether a review came before a save. */
  reviewed: boolean;
  /** Providers without a token that the user added. */
  addedProviders: readonly string[];
  /** What was typed as the host of a provider and isn't applied yet. */
  hosts: Readonly<Record<string, string>>;
}

/** The page around the form. */
export interface Page {
  post: (message: WebviewMessage) => void;
  keep: (kept: Kept | null) => void;
  draw: () => void;
  /** Calls `act` when nothing more urgent is to be done. */
  later: (act: () => void) => void;
  /** Focuses the first element of these ids that exists, once it is drawn. */
  focus: (...ids: string[]) => void;
  reveal: (section: Section) => void;
}
