import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Differences } from '../../../core/lists/names';
import type { SessionStore } from '../../../core/session/session';
import type { ListViewContent } from '../../../editor/rows/listView';
import { listMessage } from '../../../core/rows/trouble';
import { workspaceRows } from './rows';

/**
 * The content of the Workspaces view.
 * @param differences what attempts differ in, by service
 */
export function workspacesView(
  session: SessionStore,
  model: ServiceModel,
  differences: Differences & Pick<ServiceModel, 'onDidChange'>,
): ListViewContent {
  return {
    list: 'workspaces',
    model,
    events: [differences.onDidChange],
    rows: () =>
      workspaceRows({
        workspaces: model.workspaces.state,
        conversations: model.conversations.state.items,
        pausedByService: (id) => model.pausedByService(id),
        differenceOf: (one) => differences.of(model.service ?? '', one)?.label,
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model, 'workspaces', Date.now()),
  };
}
