import type * as vscode from 'vscode';
import { parseConversationUrl } from '../api/agent/address';
import { type AgentClient, type AgentOptions, createAgentClient, readAgentServer } from '../api/agent/client';
import { contextKeys } from '../ids';
import type { ContextKeys } from '../editor/contextKeys';
import { SearchFiles } from '../editor/searchFiles';
import type { Connection } from '../shared/connection';
import { ConversationSearch } from '../features/search';
import type { ConnectedService } from '../features/live';
import type { Attempts } from '../features/start';
import { agentPages, storedPages, type KnownSecrets, createSecretMask } from '../features/transcript';
import type { Views } from '../editor/rows/listView';
import { SearchView } from '../features/search/rows/view';
import { meansOf } from './means';
import type { StoredSecrets } from './storedSecrets';

interface Needs {
  folder: string;
  reach: (connection: Connection) => Promise<ConnectedService | undefined>;
  listConnections: () => readonly Connection[];
  attempts: Pick<Attempts, 'of'>;
  startedAs: (id: string) => string | undefined;
  stored: Pick<StoredSecrets, 'read' | 'unread'>;
  known: KnownSecrets;
  editorKeys: ContextKeys;
  createTree: Views['createTree'];
  log: vscode.LogOutputChannel;
}

/** What commands need of the search of all conversations. */
export interface SearchParts {
  search: ConversationSearch;
  /** Makes another search with the same index. */
  create: () => ConversationSearch;
  files: SearchFiles;
  /** Brings the results to the front. */
  show: () => Promise<void>;
}

/** The search of all conversations, with its view. */
export function searchParts(
  own: <T extends { dispose(): unknown }>(disposable: T) => T,
  needs: Needs,
): SearchParts {
  const { reach, listConnections, stored, known, editorKeys, startedAs, log } = needs;
  const files = new SearchFiles(needs.folder);
  const agents = agentClients(known, log);
  const create = () =>
    new ConversationSearch({
      ...{ reach, startedAs },
      pagesOf: async (service, conversation) => {
        if (service.client.events) return storedPages(service.client, conversation.id);
        const agent = await agents(
          service,
          conversation.conversation_url ?? '',
          conversation.session_api_key,
        );
        let isSkipped = false;
        const read = agent && agentPages(agent, { newestFirst: true }, () => (isSkipped = true));
        return (
          read &&
          (async (pageId, signal) => {
            const page = await read(pageId, signal);
            return isSkipped ? { ...page, skipped: 1 } : page;
          })
        );
      },
      readSecrets: async ({ connection, client }) => {
        await stored.read(connection, client);
        return !stored.unread;
      },
      mask: createSecretMask(() => known.values),
      store: files,
      now: Date.now,
    });
  const search = create();
  const view = own(
    new SearchView(search, () => listConnections().length > 1, needs.createTree(), needs.attempts),
  );
  own(
    search.onDidChange(() => {
      editorKeys.set(contextKeys.searched, search.state.query !== '');
      editorKeys.set(contextKeys.searching, search.state.isGoing);
    }),
  );
  return { search, create, files, show: () => view.show() };
}

/** The clients of the conversations of a standalone agent server, which is asked for its release once. */
function agentClients(known: KnownSecrets, log: vscode.LogOutputChannel) {
  const releases = new WeakMap<object, Promise<string>>();
  return async (
    { connection, client }: ConnectedService,
    url: string,
    key: string | null | undefined,
  ): Promise<AgentClient | undefined> => {
    const address = parseConversationUrl(url);
    // Its key goes nowhere else.
    if (address?.baseUrl !== client.baseUrl || !key) return undefined;
    const options: AgentOptions = {
      ...meansOf(connection, log, known),
      ...(client.ended && { ended: client.ended }),
    };
    const release =
      releases.get(client) ?? readAgentServer(address, options).then((server) => server.release);
    releases.set(client, release);
    release.catch(() => releases.delete(client));
    return createAgentClient(address, key, await release, options);
  };
}
