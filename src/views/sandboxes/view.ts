import type { ServiceModel } from '../../state/lists/serviceModel';
import type { SessionStore } from '../../state/session/session';
import type { ListViewContent } from '../listView';
import { listMessage } from '../trouble';
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
