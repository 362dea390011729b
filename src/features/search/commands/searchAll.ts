import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { SessionStore } from '../../../core/session/session';
import type { ConfiguredConnections } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import { askPick, askText, needsText } from '../../../editor/inputs';
import type { SearchFiles } from '../../../editor/searchFiles';
import type { SessionKeys } from '../../../editor/sessionKeys';
import type { Connection } from '../../../shared/connection';
import type { ConversationSearch } from '../model/search';

interface Needs {
  session: SessionStore;
  keys: SessionKeys;
  listConnections: () => ConfiguredConnections;
  searching: () => Promise<{
    search: Pick<ConversationSearch, 'search' | 'cancel' | 'clear'>;
    files: Pick<SearchFiles, 'keepOnly'>;
    show: () => Promise<void>;
  }>;
  showEntry: (id: string, entry: string, service: string) => Promise<void>;
}

/** Search All Conversations…: in titles, messages, and steps, of one connection or of all. */
export function searchAll(needs: Needs): Handler {
  return async () => {
    const title = l10n.t('Search All Conversations');
    const connections = await askConnections(needs, title);
    if (!connections) return;
    if (connections.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('This window isn’t connected to an agent workspace service.'),
      );
      return;
    }
    const query = await askText({
      title,
      prompt: l10n.t('Finds titles, messages, and steps with all of these words.'),
      placeholder: l10n.t('For example, login test'),
      validate: needsText,
    });
    if (typeof query !== 'string') return;
    const { search, show } = await needs.searching();
    const searched = search.search(query, connections);
    await show();
    await searched;
  };
}

/** Undefined if the user cancels. */
async function askConnections(
  { session, keys, listConnections }: Needs,
  title: string,
): Promise<readonly Connection[] | undefined> {
  const all = listConnections().connections.filter(({ origin }) => keys.has(origin));
  const { current } = session;
  const here = all.find((one) => 'connection' in current && one.baseUrl === current.connection.baseUrl);
  if (all.length <= 1 || !here) return all;
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select where to search'),
    items: [
      { label: here.name, description: l10n.t('current'), connections: [here] },
      { label: l10n.t('All Connections'), description: String(all.length), connections: all },
    ],
  });
  return typeof picked === 'object' ? picked.connections : undefined;
}

/** Opens a conversation at an entry that was found. */
export function showEntry({ showEntry }: Needs): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    if (ref?.kind === 'entry') await showEntry(ref.id, ref.entry, ref.service);
  };
}

export function cancelSearch({ searching }: Needs): Handler {
  return async () => (await searching()).search.cancel();
}

export function clearSearch({ searching }: Needs): Handler {
  return async () => (await searching()).search.clear();
}

/** Clear Search Index: deletes the texts of conversations that are kept for the next search. */
export function clearSearchIndex({ searching }: Needs): Handler {
  return async () => {
    const { search, files } = await searching();
    search.clear();
    await files.keepOnly([]);
    void vscode.window.showInformationMessage(
      l10n.t('The search index is cleared. The next search reads all conversations again.'),
    );
  };
}
