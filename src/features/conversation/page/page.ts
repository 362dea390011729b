import type { FromPage } from '../../../shared/conversationFromPage';
import type { KeptPage } from '../../../shared/conversationMessages';

/** The page around the transcript. */
export interface TranscriptPage {
  post: (message: FromPage) => void;
  keep: (kept: KeptPage) => void;
  draw: () => void;
  /** The place in the transcript; null at its end. */
  place: () => KeptPage['place'];
  /** Scrolls to an entry or an item, which was `offset` pixels below the top before the page was hidden. */
  reveal: (key: string, offset?: number) => void;
  toEnd: () => void;
  /** Focuses the next or previous message. */
  move: (by: 1 | -1) => void;
  /** Scrolls the card to its first part that wasn't on screen. */
  showRest: () => void;
  /** Keeps what is on screen where it is when something opens. */
  hold: () => void;
  /** Focuses the element with this id once it's drawn. */
  focus: (id: string) => void;
  /** Focuses the entry that the search found, or else what had the focus before it. */
  leaveSearch: (isFound: boolean) => void;
  /** Says something to screen readers. */
  announce: (words: string) => void;
}
