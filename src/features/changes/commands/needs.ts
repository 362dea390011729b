import * as l10n from '@vscode/l10n';
import type { KeptPatches } from '../../../editor/keptPatches';
import type { LiveNeeds } from '../../live/editor';
import { tellFailed } from '../../targets/editor';
import type { Deliveries } from '../model/deliveries';
import type { SeenChanges } from '../model/seenChanges';
import type { ShownChanges } from '../model/shownChanges';
import type { CommentThreads } from './commentThreads';
import type { KeptUndo } from './keptUndo';

/** What is known of the changes of conversations. */
export interface ChangesState {
  shownChanges: ShownChanges;
  seenChanges: SeenChanges;
  /** Changes on their way into sandboxes, and their patches on this computer. */
  deliveries: Deliveries;
  patches: KeptPatches;
  /** How files were before changes were last applied to them. */
  appliedChanges: KeptUndo;
  /** Comments on changes of a service that weren’t sent yet, in the editor; by default, of the connected one. */
  commentThreads: (service?: string) => CommentThreads | undefined;
}

/** What the commands on changes need. */
export type ChangesNeeds = LiveNeeds &
  ChangesState & {
    showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  };

/** Says why changes can’t be shown. */
export function tellFailure(error: unknown): Promise<void> {
  return tellFailed(l10n.t('Couldn’t read the changes.'), error);
}
