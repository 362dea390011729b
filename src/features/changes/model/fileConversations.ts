import type { Conversation } from '../../../api/service/schemas/conversation';
import type { OpenRepository } from '../../../shared/openRepository';
import { someAtOnce } from '../../../core/basics/someAtOnce';
import { hasRemote } from '../../../core/gitRemote';
import { lastActive } from '../../../core/lists/status';
import type { ChangeKind, ChangeSet } from '../../sandboxChanges';

/** The most conversations that are checked, starting with the last active ones: each may take many requests. */
export const mostAsked = 30;
/** Conversations that are checked at the same time. */
const atOnce = 3;

/** A file of a repository that is open here. */
export interface FileHere extends Pick<OpenRepository, 'remotes'> {
  /** Relative to the repository. */
  path: string;
  /** Path on this computer. An agent server can work in the same folder. */
  fullPath: string;
}

/** Conversations that may have changed a file. */
export interface Candidates {
  /** About its repository, or about none that is known; the last active first. */
  asked: Conversation[];
  /** How many more there are that won’t be checked. */
  left: number;
}

/** The conversations about a file’s repository, followed by those without a repository. */
export function candidatesFor(file: FileHere, conversations: readonly Conversation[]): Candidates {
  const isAbout = ({ selected_repository: name }: Conversation) =>
    Boolean(name) && hasRemote(file, name ?? '');
  const fitting = conversations
    .filter((one) => !one.selected_repository || isAbout(one))
    .toSorted((a, b) => Number(isAbout(b)) - Number(isAbout(a)) || lastActive(b) - lastActive(a));
  return { asked: fitting.slice(0, mostAsked), left: Math.max(0, fitting.length - mostAsked) };
}

/** What a set of changes did to a file; undefined for nothing. */
export function changeOf(
  file: FileHere,
  { repository, files }: Pick<ChangeSet, 'repository' | 'files'>,
  about: string | null | undefined,
): ChangeKind | undefined {
  // Events don’t name the remote, but are about the conversation’s repository.
  const address = repository.remote ?? about ?? null;
  const isSame = address !== null && hasRemote(file, address);
  return files.find(({ path, oldPath }) =>
    [path, oldPath].some(
      (one) =>
        one !== undefined && (isSame ? one === file.path : joined(repository.root, one) === file.fullPath),
    ),
  )?.kind;
}

/** An absolute path in events may be outside the folder that is assumed to be the repository. */
const joined = (root: string, path: string) => (path.startsWith('/') ? path : `${root}/${path}`);

/** What a conversation did to a file. */
export interface Touch {
  conversation: Conversation;
  kind: ChangeKind;
  /** True if the transcript shows it; otherwise only its sandbox does, which other conversations may share. */
  isOwn: boolean;
}

/** What the check found. */
export interface Touches {
  found: Touch[];
  /** Conversations whose transcripts couldn’t be read. */
  unread: number;
  /** Conversations whose sandboxes couldn’t be read: what commands did there isn’t known. */
  apart: number;
}

/** Where to read what a conversation changed. Both reject if it can’t be read. */
export interface TouchSources {
  fromEvents: (conversation: Conversation, signal: AbortSignal) => Promise<readonly ChangeSet[]>;
  fromSandbox: (conversation: Conversation, signal: AbortSignal) => Promise<readonly ChangeSet[]>;
}

/** Finds out what conversations did to a file, a few at a time. Throws the signal’s reason. */
export async function touchesOf(
  file: FileHere,
  asked: readonly Conversation[],
  { fromEvents, fromSandbox }: TouchSources,
  report: (done: number) => void,
  signal: AbortSignal,
): Promise<Touches> {
  let [done, unread, apart] = [0, 0, 0];
  const ask = async (conversation: Conversation): Promise<Touch | undefined> => {
    const kindIn = (sets: readonly ChangeSet[]) =>
      sets
        .map((set) => changeOf(file, set, conversation.selected_repository))
        .find((kind) => kind !== undefined);
    const own = await fromEvents(conversation, signal).then(kindIn, () => 'unread' as const);
    signal.throwIfAborted();
    if (own !== undefined && own !== 'unread') return { conversation, kind: own, isOwn: true };
    const there = await fromSandbox(conversation, signal).then(kindIn, () => 'unread' as const);
    signal.throwIfAborted();
    if (there === 'unread') apart += 1;
    if (own === 'unread' && (there === 'unread' || !there)) unread += 1;
    return there && there !== 'unread' ? { conversation, kind: there, isOwn: false } : undefined;
  };
  const touches = await someAtOnce(asked, atOnce, async (conversation) => {
    const touch = await ask(conversation);
    report((done += 1));
    return touch;
  });
  return { found: touches.filter((touch) => touch !== undefined), unread, apart };
}
