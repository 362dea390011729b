import { viewIds } from '../../ids';
import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import { ListView } from '../listView';
import { specRows } from './rows';

/** The view Sandbox Specs. */
export function specsView(session: SessionStore, model: ServiceModel): ListView {
  return new ListView({
    id: viewIds.specs,
    list: 'specs',
    model,
    rows: () => specRows(model.specs.state, Date.now()),
    message: () => listMessage(session.current, model.specs.state),
  });
}
