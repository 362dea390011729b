import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { ListViewContent } from '../../../editor/rows/listView';
import { listMessage } from '../../../core/rows/trouble';
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
