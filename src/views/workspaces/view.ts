import type { ServiceModel } from '../../state/lists/serviceModel';
import type { SessionStore } from '../../state/session/session';
import type { ListViewContent } from '../listView';
import { listMessage } from '../trouble';
import { workspaceRows } from './rows';

/** The content of the Workspaces view. */
export function workspacesView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'workspaces',
    model,
    rows: () =>
      workspaceRows({
        workspaces: model.workspaces.state,
        conversations: model.conversations.state.items,
        pausedByService: (id) => model.pausedByService(id),
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model, 'workspaces', Date.now()),
  };
}
