import { viewIds } from '../../ids';
import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import { ListView } from '../listView';
import { sandboxRows } from './rows';

/** The view Sandboxes. */
export function sandboxesView(session: SessionStore, model: ServiceModel): ListView {
  return new ListView({
    id: viewIds.sandboxes,
    list: 'sandboxes',
    model,
    rows: () =>
      sandboxRows({
        sandboxes: model.sandboxes.state,
        conversations: model.conversations.state.items,
        pending: (id) => model.pending.get(id),
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model.sandboxes.state),
  });
}
