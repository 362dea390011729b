import type { Differences } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { ListViewContent } from '../../../editor/rows/listView';
import { listMessage } from '../../../core/rows/trouble';
import { sandboxRows } from './rows';

/**
 * The content of the Sandboxes view.
 * @param differences what attempts differ in, by service
 */
export function sandboxesView(
  session: SessionStore,
  model: ServiceModel,
  differences: Differences & Pick<ServiceModel, 'onDidChange'>,
): ListViewContent {
  return {
    list: 'sandboxes',
    model,
    events: [differences.onDidChange],
    rows: () =>
      sandboxRows({
        sandboxes: model.sandboxes.state,
        conversations: model.conversations.state.items,
        pending: (id) => model.pending.get(id),
        pausedByService: (id) => model.pausedByService(id),
        differenceOf: (one) => differences.of(model.service ?? '', one)?.label,
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model, 'sandboxes', Date.now()),
  };
}
