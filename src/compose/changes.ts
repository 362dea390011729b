import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { commentController, CommentThreads } from '../features/changes/commands/commentThreads';
import { KeptUndo } from '../features/changes/commands/keptUndo';
import type { ChangesState } from '../features/changes/commands/needs';
import { changeCommentsState, contextKeys, stateIds } from '../ids';
import type { ContextKeys } from '../editor/contextKeys';
import { KeptPatches } from '../editor/keptPatches';
import { thrownWords } from '../shared/thrown';
import { Refusal } from '../core/basics/refusal';
import { ChangeComments, Deliveries, SeenChanges, ShownChanges } from '../features/changes';
import { placeOf } from '../features/targets';
import type { ConversationModels } from '../features/live';

/** What agents changed, with the parts of the editor that show it. */
export interface ChangesParts extends ChangesState {
  /** The text to show for a side of a file. Rejects with words for people. */
  read: (uri: vscode.Uri) => Promise<Uint8Array>;
  dispose: () => void;
}

export function changes(
  conversations: Pick<ConversationModels, 'service' | 'model' | 'hold' | 'onDidChange'>,
  memento: vscode.Memento,
  storage: vscode.Uri,
  keys: ContextKeys,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): ChangesParts {
  const shownChanges = new ShownChanges(conversations);
  const stored = (key: string) => ({
    read: () => memento.get<unknown>(key),
    write: (value: unknown) => void memento.update(key, value),
  });
  /** By service; they stay when the window switches to another connection, as the changes do. */
  const threads = new Map<string, CommentThreads>();
  let controller: vscode.CommentController | undefined;
  const threadsOf = (service = conversations.service) => {
    if (service === undefined || threads.has(service)) return threads.get(service ?? '');
    try {
      const comments = new ChangeComments(stored(changeCommentsState(service)));
      controller ??= commentController();
      threads.set(service, new CommentThreads(controller, comments, service, log));
    } catch (error) {
      // Every command needs what is made here; only those about comments need these.
      log.warn(`Can’t show the comments on changes: ${thrownWords(error)}`);
    }
    return threads.get(service);
  };
  threadsOf();
  const following = conversations.onDidChange(() => void threadsOf());
  return {
    shownChanges,
    seenChanges: new SeenChanges(stored(stateIds.seenChanges)),
    deliveries: new Deliveries(stored(stateIds.deliveries)),
    patches: new KeptPatches(storage),
    appliedChanges: new KeptUndo(storage, {
      ...stored(stateIds.undo),
      write: (value) => {
        stored(stateIds.undo).write(value);
        keys.set(contextKeys.applied, value !== undefined);
      },
    }),
    commentThreads: threadsOf,
    read: async (uri) => {
      const place = placeOf(uri);
      if (!place) throw new Refusal(l10n.t('These changes can’t be opened again. Run Show Changes.'));
      threadsOf(place.service);
      return shownChanges.read(place);
    },
    dispose: () => {
      following.dispose();
      shownChanges.dispose();
      controller?.dispose();
    },
  };
}
