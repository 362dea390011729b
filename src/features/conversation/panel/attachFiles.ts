import * as l10n from '@vscode/l10n';
import { inQuestion } from '../../../shared/inQuestion';
import { plainText } from '../../../shared/plainText';
import { agreedQuotes, type ContextItem, type ContextSource } from '../../context';
import type { ConversationHost } from './conversationHost';

/** Attaches what the user chose in a picker of the editor, and asks about what may hold secrets. */
export function attachChosen(host: ConversationHost, items: readonly ContextItem[]): Promise<void> {
  return attach(host, items, () => true);
}

/** Attaches what the page offered and the user chose. Asks before it reads what is outside the workspace. */
export function attachOffered(host: ConversationHost, items: readonly ContextItem[]): Promise<void> {
  return attach(host, items, ({ isInside }) => isInside);
}

/** Attaches files that the page names. Asks before it reads what is outside the workspace. */
export function attachNamed(host: ConversationHost, uris: readonly string[]): Promise<void> {
  const { ports } = host;
  const locate = async (uri: string) => {
    const file = await ports.locateFile(uri);
    return file && { ...file, read: () => ports.readFile(file.uri) };
  };
  return attachOffered(
    host,
    uris.map((uri) => ({ kind: 'file', label: uri, detail: '', locate: () => locate(uri) })),
  );
}

async function attach(
  host: ConversationHost,
  items: readonly ContextItem[],
  isFree: (source: Pick<ContextSource, 'isInside'>) => boolean,
): Promise<void> {
  const title = inQuestion(plainText(host.model.head.title, 100) || l10n.t('Conversation'));
  const sources = await Promise.all(items.map(({ locate }) => locate()));
  const { quotes, unreadable } = await agreedQuotes(sources, { title, confirm: host.ports.confirm, isFree });
  if (quotes.length > 0) host.attach(quotes);
  if (unreadable > 0) host.say(l10n.t('Only text files of up to 1 MB can be attached.'));
}
