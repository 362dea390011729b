import * as l10n from '@vscode/l10n';
import { linkedAddress } from './connectLink';
import { no } from './parsed';

/** Longer than any base address with an id. */
const longest = 2_048;

/** A conversation that a link names, or a sentence that tells the user what is wrong with the link. */
export type ConversationLink =
  { ok: true; baseUrl: string; origin: string; id: string } | { ok: false; reason: string };

/**
 * Reads a link `vscode://agent-workspace.agent-workspace/conversation?connection=…&id=…`. Anybody can write one, so it may
 * contain the address of a service and an id, and nothing else.
 *
 * @param query query of the link without the question mark, percent-encoded or not
 */
export function parseConversationLink(query: string): ConversationLink {
  if (query.length > longest) return no(l10n.t('The address in the link is too long.'));
  const members = new URLSearchParams(query);
  const names = [...members.keys()].sort().join();
  const id = members.get('id') ?? '';
  if (names !== 'connection,id' || !/^[\w-]{1,100}$/.test(id))
    return no(l10n.t('The link must contain a connection and the ID of a conversation, and nothing else.'));
  const address = linkedAddress(members.get('connection') ?? '');
  return address.ok ? { ...address, id } : address;
}

/** The path and query of the link to a conversation. */
export function conversationLink(baseUrl: string, id: string): string {
  return `conversation?${new URLSearchParams({ connection: baseUrl, id }).toString()}`;
}
