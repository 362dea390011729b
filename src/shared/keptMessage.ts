import { soundTime } from './soundTime';
import type { QuotedSelection } from './selection';
import { membersOf } from './membersOf';
import { storedText } from './readable';

/** Where a message was started. */
export interface MessageContext {
  /** The sandbox from whose row it was started. */
  readonly sandboxId?: string;
  /** The folder of a standalone agent server from whose row it was started. */
  readonly folder?: string;
  /** URI of the file that was open in the active editor. */
  readonly about?: string;
  /** URI of the repository whose uncommitted changes go along. */
  readonly changes?: string;
  /** The files of it that were selected the last time the message was sent. */
  readonly selected?: readonly string[];
  /** The options that are offered first. */
  readonly choice?: object;
}

/** The message of a new conversation, as it's kept. */
export interface KeptMessage {
  readonly text: string;
  /** Milliseconds since the epoch; the editor compares versions by it. */
  readonly savedAt: number;
  readonly context: MessageContext;
  readonly selections: readonly QuotedSelection[];
}

/** The members of a context that are text. */
const places = ['sandboxId', 'folder', 'about', 'changes'] as const;
const known: ReadonlySet<string> = new Set([...places, 'selected', 'choice']);

const isText = (value: unknown) => typeof value === 'string';

function isSelection(value: unknown): value is QuotedSelection {
  const { text, label } = membersOf(value);
  return isText(text) && isText(label);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads a stored message; whatever part of it can't be read is as in a new one. */
export function parseMessage(stored: unknown): KeptMessage {
  const { text, savedAt, selections, ...kept } = membersOf(stored);
  const { selected, choice, ...context } = membersOf(kept['context']);
  const named = places.filter((name) => isText(context[name]));
  return {
    text: isText(text) ? text : '',
    savedAt: typeof savedAt === 'number' ? soundTime(savedAt) : 0,
    context: {
      ...Object.fromEntries(named.map((name) => [name, context[name]])),
      ...(typeof choice === 'object' && choice !== null && { choice }),
      ...(Array.isArray(selected) && { selected: selected.filter(isText) }),
    },
    selections: listOf(selections).filter(isSelection),
  };
}

/** What to store for a message in place of `stored`: what a later version added stays. */
export function storedMessage(message: KeptMessage, stored: unknown): Record<string, unknown> {
  const kept = membersOf(stored);
  const isRecord = (value: unknown) => Object.keys(membersOf(value)).length > 0;
  const unreadable = listOf(kept['selections']).filter((one) => isRecord(one) && !isSelection(one));
  const laterContext = Object.entries(membersOf(kept['context'])).filter(([name]) => !known.has(name));
  return {
    ...kept,
    ...message,
    text: storedText(message.text, kept['text']),
    context: { ...Object.fromEntries(laterContext), ...message.context },
    selections: [...message.selections, ...unreadable],
  };
}
