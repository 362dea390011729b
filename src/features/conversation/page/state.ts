import { soundTime } from '../../../shared/soundTime';
import {
  type Action,
  type Aside,
  type Attachment,
  type FoundContext,
  type KeptPage,
  type Searched,
  type SendKey,
  type ToPage,
} from '../../../shared/conversationMessages';
import { agentFolders, type AgentFolders } from '../../../shared/agentFolders';
import type { Entry, Execution, Head } from '../../../shared/transcript';
import type { SearchOptions } from '../shared/searchPattern';
import type { Filter, View } from './items';

/** A search in the transcript. */
export interface FindState {
  query: string;
  /** Entries that contain the query, oldest first. */
  ids: readonly string[];
  /** The one that is shown; undefined before the first answer. */
  current: string | undefined;
  searched: Searched;
}

/** A `#` being typed in the message, and what was found by the name after it. */
interface Mention {
  /** What it begins with: context goes along with the message, a skill is named at its beginning. */
  sign: '#' | '/';
  query: string;
  /** Where the name ends in the text. */
  end: number;
  items: readonly FoundContext[];
  /** Index of the item that Enter takes. */
  active: number;
}

/** What the user knows and does about the actions that wait for approval. */
export interface Card {
  /** What waits; different for every set of actions, whatever their ids. */
  signature: string;
  /** Marks of the actions of which all was on screen: whoever comes back need not look again. */
  seenActions: readonly string[];
  /** All of it was on screen. */
  seen: boolean;
  /** Some of it wasn't yet. */
  hasRest: boolean;
  /** It was for long enough that a click can’t be meant for what was there before. */
  settled: boolean;
  /** It replaced other actions while the card was on screen. */
  changed: boolean;
  /** The reason for rejecting, while the user is being asked for it. */
  reason: string | null;
  /** It was answered, and the agent hasn't continued yet. */
  answered: boolean;
}

export const noCard: Card = {
  signature: '',
  seenActions: [],
  seen: false,
  hasRest: false,
  settled: false,
  changed: false,
  reason: null,
  answered: false,
};

export interface ConversationState {
  id: string;
  service: string;
  unavailable: { message: string; nextStep: string; button?: string | undefined } | null;
  head: Head | null;
  entries: readonly Entry[];
  hasOlder: boolean;
  loadingOlder: boolean;
  /** Loading older entries failed; the user decides when to try again. */
  olderFailed: boolean;
  filter: Filter;
  /** Keys of the folds and ids of the steps that are open. */
  open: ReadonlySet<string>;
  /** The entry that the keyboard is at. */
  active: string | undefined;
  /** New entries below the view. */
  unseen: number;
  /** Where the agent’s files are, and paths of those that are here as well. */
  folders: AgentFolders;
  here: ReadonlySet<string>;
  /** The end of the transcript is in view. */
  isAtEnd: boolean;
  search: FindState | null;
  finding: SearchOptions;
  sendWith: SendKey;
  /** The name of the conversation’s connection if the window is on another one. */
  elsewhere: string;
  /** What is in the composer, and its revision. */
  text: string;
  revision: number;
  attachments: readonly Attachment[];
  mention: Mention | null;
  aside: Aside | null;
  /** Pictures of messages, as data URIs, by the id of the entry. */
  pictures: ReadonlyMap<string, readonly string[]>;
  notices: readonly string[];
  /** Actions whose outcome isn't known yet. */
  busy: ReadonlySet<Action>;
  card: Card;
  /** Ids of the pending actions whose edits the editor's diff has shown. */
  reviewed: ReadonlySet<string>;
}

export const noFolders = agentFolders('', null);

export const initialConversation: ConversationState = {
  id: '',
  service: '',
  unavailable: null,
  head: null,
  entries: [],
  hasOlder: false,
  loadingOlder: false,
  olderFailed: false,
  filter: 'all',
  open: new Set(),
  active: undefined,
  unseen: 0,
  folders: noFolders,
  here: new Set(),
  isAtEnd: true,
  search: null,
  finding: {},
  sendWith: 'enter',
  elsewhere: '',
  text: '',
  revision: 0,
  attachments: [],
  mention: null,
  aside: null,
  pictures: new Map(),
  notices: [],
  busy: new Set(),
  card: noCard,
  reviewed: new Set(),
};

/** States in which the agent isn’t done with what it was told. */
const working: ReadonlySet<Execution> = new Set(['running', 'waiting_for_confirmation', 'paused']);

export function viewOf({ filter, open, head, hasOlder }: ConversationState): View {
  return { filter, open, hasOlder, isWorking: head !== null && working.has(head.execution) };
}

/** The page after it was hidden. */
export function keptState({ filter, draft, revision, reason, seen }: KeptPage): ConversationState {
  return {
    ...initialConversation,
    filter,
    text: draft,
    revision: soundTime(revision),
    card: { ...noCard, reason, seenActions: seen },
  };
}

/** The page when the extension host starts over: earlier requests may never be answered. */
export function begunState(
  { text, revision, card }: ConversationState,
  { id, service, draft }: Extract<ToPage, { type: 'begin' }>,
): Partial<ConversationState> {
  return {
    id,
    service,
    // The page may know more of the draft by now; of two without a revision, the one with text.
    ...(revision > draft.revision || (revision === draft.revision && draft.text === '')
      ? { text, revision }
      : draft),
    unavailable: null,
    entries: [],
    here: new Set(),
    busy: new Set(),
    card: cardFor([], card),
    loadingOlder: false,
    olderFailed: false,
  };
}

/** The card for these pending actions, after the one before. What the user writes to reject them stays. */
export function cardFor(pending: Head['pending'], before: Card): Card {
  const signature = pending.length === 0 ? '' : JSON.stringify(pending);
  if (signature === before.signature) return before;
  const changed = before.signature !== '' && signature !== '' && !before.answered;
  const reason = before.answered ? null : before.reason;
  const { seenActions } = before;
  return { ...noCard, signature, changed, reason, seenActions };
}

/** Returns the set with the member added or removed. */
export function toggled<T>(set: ReadonlySet<T>, member: T, isIn: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (isIn) next.add(member);
  else next.delete(member);
  return next;
}
