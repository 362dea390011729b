import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import type { ListViewContent } from '../listView';
import { sandboxRows } from './rows';

/** What the view Sandboxes shows. */
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
    message: () => listMessage(session.current, model.sandboxes.state),
    reveal: (id) => model.sandboxes.show(id),
  };
}
