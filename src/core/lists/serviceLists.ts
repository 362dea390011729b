import type { ApiClient } from '../../api/service/client';
import type { ConversationQuery } from '../../api/http/query';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { Page } from '../../api/page';
import type { ServerFolder } from '../../api/service/schemas/agentServer';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import type { SandboxSpec } from '../../api/service/schemas/sandboxSpec';
import { type ConversationFilter, queryOf } from './conversationFilter';
import { titledAsStarted } from './names';
import type { PendingActions } from './pendingActions';
import { type LiveChange, type LiveSource, LiveStates } from './liveStates';
import { type FetchListPage, type ListState, ResourceList } from './resourceList';
import { SandboxHistory } from './history';
import { countRunning, countRunningIn } from './status';

/** The lists in the views. */
export type ListName = 'sandboxes' | 'conversations' | 'specs' | 'workspaces';

/** A folder that is saved on a standalone agent server; its path is its id. */
export type Workspace = ServerFolder & { readonly id: string };

/** The lists to read: those above, and the conversations that match what the service can filter by. */
export type ReadList = ListName | 'matches';

/** What a service without such records has. */
const none: Page<never> = { items: [], nextPageId: null };

/** What was read from the service, all of it with one client. */
export class ServiceLists {
  readonly sandboxes = this.list<Sandbox>(async (client, query, signal) => {
    // An answer for a previous client must not get into the current history.
    const { history } = this;
    const page = (await client.sandboxes?.searchSandboxes(query, signal)) ?? none;
    return { ...page, items: page.items.map((sandbox) => history.read(sandbox)) };
  });
  /** All conversations, including those that agents started, whatever the filter. */
  readonly conversations = this.list<Conversation>((client, query, signal) =>
    this.readConversations(client, query, signal),
  );
  readonly specs = this.list<SandboxSpec>(
    async (client, query, signal) => (await client.sandboxes?.searchSandboxSpecs(query, signal)) ?? none,
  );
  /** Those of a server that has folders of its own. */
  readonly workspaces = this.list<Workspace>(async (client, _query, signal) => {
    const folders = (await client.agents?.listWorkspaces(signal)) ?? [];
    return { items: folders.map((folder) => ({ ...folder, id: folder.path })), nextPageId: null };
  });
  readonly matches = this.list<Conversation>((client, query, signal) =>
    this.readConversations(client, { ...query, ...this.filterQuery }, signal),
  );
  history: SandboxHistory;
  private readonly live: LiveStates;
  /**
   * Whether the sandboxes themselves are read. Otherwise, only what the conversations say about them is known.
   */
  readsSandboxes = false;
  filter: ConversationFilter | undefined;

  /**
   * @param now milliseconds since the epoch
   * @param startedAs returns the name of a conversation that was started here until the service has a title
   */
  constructor(
    private readonly pending: PendingActions,
    private readonly now: () => number,
    private readonly startedAs: (conversationId: string) => string | undefined = () => undefined,
  ) {
    this.history = new SandboxHistory(pending, now);
    this.live = new LiveStates(now);
  }

  /** Uses `client` from now on, and forgets everything from a previous client. */
  reset(client: ApiClient | undefined): void {
    this.filter = undefined;
    this.live.clear();
    this.history = new SandboxHistory(this.pending, this.now);
    for (const list of [this.sandboxes, this.conversations, this.specs, this.workspaces, this.matches])
      list.reset(client);
  }

  /** The part of the filter that the service applies; undefined if there is none. */
  get filterQuery(): ConversationQuery | undefined {
    return this.filter && queryOf(this.filter, this.now());
  }

  /** The list behind the Conversations view. */
  get filtered(): ResourceList<Conversation> {
    return this.filterQuery && this.matches.state.loaded ? this.matches : this.conversations;
  }

  /** The list that a view shows. */
  behind(view: ListName) {
    return view === 'conversations' ? this.filtered : this[view];
  }

  /**
   * The list that a view's numbers come from, whatever the filter. Conversations also say which sandboxes are running.
   */
  counted(view: ListName) {
    return view === 'sandboxes' && !this.readsSandboxes ? this.conversations : this[view];
  }

  /** The number of running sandboxes, as far as is known; undefined before anything was read. */
  get running(): number | undefined {
    const sandboxes = this.sandboxes.state;
    const conversations: ListState<Conversation> = this.conversations.state;
    if (sandboxes.loaded && (this.readsSandboxes || !conversations.loaded)) {
      return countRunning(sandboxes.items);
    }
    return conversations.loaded ? countRunningIn(conversations.items) : undefined;
  }

  /** Takes what an open conversation says about itself. */
  hear(id: string, change: LiveChange, source: LiveSource): void {
    this.live.hear(id, change, source);
    for (const list of [this.conversations, this.matches])
      list.amend(id, (record) => this.live.applied(record));
  }

  private list<T extends { id: string }>(fetchPage: FetchListPage<T>): ResourceList<T> {
    return new ResourceList(fetchPage, () => this.now());
  }

  private async readConversations(
    client: ApiClient,
    query: ConversationQuery,
    signal: AbortSignal,
  ): Promise<Page<Conversation>> {
    const { history, readsSandboxes, live } = this;
    const began = this.now();
    const page = await client.listConversations({ ...query, includeSubConversations: true }, signal);
    const items = page.items.map((read) => {
      const conversation = titledAsStarted(read, this.startedAs);
      const { sandbox_id: id, sandbox_status: status } = conversation;
      if (!id || !status) return live.applied(conversation, began);
      const sure = readsSandboxes ? history.sureStatus(id, status) : history.read({ id, status }).status;
      return live.applied(sure === status ? conversation : { ...conversation, sandbox_status: sure }, began);
    });
    return { ...page, items };
  }
}
