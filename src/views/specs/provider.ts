import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import type { ListViewContent } from '../listView';
import { specRows } from './rows';

/** What the view Sandbox Specs shows. */
export function specsView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'specs',
    model,
    rows: () => specRows(model.specs.state, Date.now()),
    message: () => listMessage(session.current, model.specs.state),
  };
}
