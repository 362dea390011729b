import * as l10n from '@vscode/l10n';
import { longestName } from '../../shared/bounded';
import { plainText } from '../../shared/plainText';
import { secretSign } from '../../state/changes/secretFiles';
import type { ConversationHost } from './conversationHost';
import { inQuestion } from '../../shared/inQuestion';
import type { LocatedFile, ReadFile } from './ports';

/** Attaches files that the user chose in a dialog of the editor, and asks about those that may hold secrets. */
export function attachChosen(host: ConversationHost, uris: readonly string[]): Promise<void> {
  return attach(host, uris, () => true);
}

/** Likewise files that the page names, and asks about those outside the workspace before they are read. */
export function attachNamed(host: ConversationHost, uris: readonly string[]): Promise<void> {
  return attach(host, uris, ({ isInside }) => isInside);
}

async function attach(
  host: ConversationHost,
  uris: readonly string[],
  isFree: (file: LocatedFile) => boolean,
): Promise<void> {
  const { ports } = host;
  const located = await Promise.all(uris.map((uri) => ports.locateFile(uri)));
  const known = located.filter((file) => file !== undefined);
  const title = plainText(host.model.head.title, 100) || l10n.t('Conversation');
  const allowed = await agreed(
    host,
    known,
    (file) => !isFree(file),
    l10n.t('Attach files from outside the workspace to “{0}”?', inQuestion(title)),
  );
  const read = await Promise.all(
    allowed.map(async (file) => ({ ...file, ...(await ports.readFile(file.uri)) })),
  );
  const readable = read.filter((file): file is LocatedFile & ReadFile => file.quote !== undefined);
  const attached = await agreed(
    host,
    readable,
    ({ paths, text }) => paths.some((one) => secretSign(one, Buffer.from(text)) !== undefined),
    l10n.t('Attach files that may contain secrets to “{0}”?', inQuestion(title)),
  );
  if (attached.length > 0) host.attach(attached.map(({ quote }) => quote));
  const unreadable = uris.length - known.length + allowed.length - readable.length;
  if (unreadable > 0) host.say(l10n.t('Only text files of up to 1 MB can be attached.'));
}

/** These files, without those that need the user's consent and don't get it. */
async function agreed<File extends LocatedFile>(
  { ports }: ConversationHost,
  files: readonly File[],
  needsConsent: (file: File) => boolean,
  question: string,
): Promise<readonly File[]> {
  const doubtful = new Set(files.filter(needsConsent));
  if (doubtful.size === 0) return files;
  // All of them: what isn't named can't be agreed to.
  const names = [...doubtful].map(({ name }) => plainText(name, longestName)).join('\n');
  const detail = `${names}\n\n${l10n.t('The agent will be able to read them.')}`;
  if (await ports.confirm(question, detail, l10n.t('Attach'))) return files;
  return files.filter((file) => !doubtful.has(file));
}
