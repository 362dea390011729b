import type { ServiceModel } from '../../../../core/lists/serviceModel';
import type { SessionStore } from '../../../../core/session/session';
import type { ListViewContent } from '../../../../editor/rows/listView';
import { listMessage } from '../../../../core/rows/trouble';
import { specRows } from './rows';

/** The content of the Sandbox Specs view. */
export function specsView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'specs',
    model,
    rows: () => specRows(model.specs.state, Date.now()),
    message: () => listMessage(session.current, model, 'specs', Date.now()),
  };
}
