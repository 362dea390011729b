import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { CommentThreads } from '../commands/conversation/changes/commentThreads';
import { KeptUndo } from '../commands/conversation/changes/keptUndo';
import type { ChangesDependencies } from '../commands/dependencies';
import { changeCommentsState, contextKeys, stateIds } from '../ids';
import type { ContextKeys } from '../platform/contextKeys';
import { KeptPatches } from '../platform/keptPatches';
import { thrownWords } from '../shared/thrown';
import { Refusal } from '../state/basics/refusal';
import { ChangeComments } from '../state/changes/changeComments';
import { placeOf } from '../state/changes/changePlace';
import { Deliveries } from '../state/changes/deliveries';
import { SeenChanges } from '../state/changes/seenChanges';
import { ShownChanges } from '../state/changes/shownChanges';
import type { ConversationModels } from '../state/transcript/models';

/** What agents changed, with the parts of the editor that show it. */
export interface ChangesParts extends ChangesDependencies {
  /** The text to show for a side of a file. Rejects with words for people. */
  read: (uri: vscode.Uri) => Promise<Uint8Array>;
  dispose: () => void;
}

export function changes(
  conversations: Pick<ConversationModels, 'service' | 'model' | 'onDidChange'>,
  memento: vscode.Memento,
  storage: vscode.Uri,
  keys: ContextKeys,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): ChangesParts {
  const shownChanges = new ShownChanges((id) => conversations.model(id)?.changes);
  const stored = (key: string) => ({
    read: () => memento.get<unknown>(key),
    write: (value: unknown) => void memento.update(key, value),
  });
  let threads: CommentThreads | undefined;
  const follow = () => {
    threads?.dispose();
    threads = undefined;
    const { service } = conversations;
    if (service === undefined) return;
    try {
      threads = new CommentThreads(new ChangeComments(stored(changeCommentsState(service))), log);
    } catch (error) {
      // Every command needs what is made here; only those about comments need these.
      log.warn(`Can’t show the comments on changes: ${thrownWords(error)}`);
    }
  };
  follow();
  const following = conversations.onDidChange(follow);
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
    commentThreads: () => threads,
    read: async (uri) => {
      const place = placeOf(uri);
      if (!place) throw new Refusal(l10n.t('These changes can’t be opened again. Run Show Changes.'));
      return shownChanges.read(place);
    },
    dispose: () => {
      following.dispose();
      threads?.dispose();
    },
  };
}
