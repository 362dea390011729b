import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import type { Disposable } from '../../../core/basics/emitter';

/** What the lists of a window, which are read anyway, say about a conversation. */
export interface Listed {
  /** As listed; undefined if this comes from the list of sandboxes. */
  record: Conversation | undefined;
  /** State of its sandbox. */
  status: string | null | undefined;
  /** When the reading that brought it began, in milliseconds since the epoch. */
  readAt: number;
}

interface List<T> {
  get(id: string): T | undefined;
  readonly state: { readonly readAt: number | undefined };
}

/** The lists of a window. */
export interface Lists {
  readonly conversations: List<Conversation>;
  readonly sandboxes: List<Pick<Sandbox, 'status'>>;
  /** Fires after every change of the lists. */
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** Tells what the lists say about a conversation, each time that has changed since; costs no request. */
export function followLists(lists: Lists, id: string, listener: (listed: Listed) => void): Disposable {
  const { conversations, sandboxes } = lists;
  const read = () => {
    const record = conversations.get(id);
    return { record, status: sandboxes.get(record?.sandbox_id ?? '')?.status };
  };
  let known = read();
  return lists.onDidChange(() => {
    const { record, status } = read();
    const before = known;
    known = { record, status };
    if (record && record !== before.record)
      listener({ record, status: record.sandbox_status, readAt: conversations.state.readAt ?? -Infinity });
    if (status !== undefined && status !== before.status)
      listener({ record: undefined, status, readAt: sandboxes.state.readAt ?? -Infinity });
  });
}
