import * as l10n from '@vscode/l10n';
import type { KeptPatches } from '../../../editor/keptPatches';
import type { LiveNeeds } from '../../live/editor';
import { tellFailed } from '../../targets/editor';
import type { Deliveries } from '../model/deliveries';
import type { SeenChanges } from '../model/seenChanges';
import type { ShownChanges } from '../model/shownChanges';
import type { CommentThreads } from './commentThreads';
import type { KeptUndo } from './keptUndo';

/** What the commands on changes need. */
export type ChangesNeeds = LiveNeeds & {
  shownChanges: ShownChanges;
  seenChanges: SeenChanges;
  deliveries: Deliveries;
  patches: KeptPatches;
  appliedChanges: KeptUndo;
  commentThreads: (service?: string) => CommentThreads | undefined;
} & { showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void> };

/** Says why changes can’t be shown. */
export function tellFailure(error: unknown): Promise<void> {
  return tellFailed(l10n.t('Couldn’t read the changes.'), error);
}
