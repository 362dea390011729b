import type { ServiceModel } from '../../state/lists/serviceModel';
import type { SessionStore } from '../../state/session/session';
import type { ListViewContent } from '../listView';
import { listMessage } from '../trouble';
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
