import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { ListViewContent } from '../../../editor/rows/listView';
import { listMessage } from '../../../core/rows/trouble';
import { sandboxRows } from './rows';

/** The content of the Sandboxes view. */
export function sandboxesView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'sandboxes',
    model,
    rows: () =>
      sandboxRows({
        sandboxes: model.sandboxes.state,
        conversations: model.conversations.state.items,
        pending: (id) => model.pending.get(id),
        pausedByService: (id) => model.pausedByService(id),
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model, 'sandboxes', Date.now()),
  };
}
