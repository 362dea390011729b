import * as z from 'zod/mini';
import { soundRevision } from './conversationMessages';
import type { QuotedSelection } from './selection';
import { membersOf, readable, unreadable } from './readable';

const text = z.string();

/** Where a message was started. */
export interface MessageContext {
  /** The sandbox from whose row it was started. */
  readonly sandboxId?: string;
  /** URI of the file that was open in the active editor. */
  readonly about?: string;
  /** URI of the repository whose uncommitted changes go along. */
  readonly changes?: string;
  /** The files of it that were selected the last time the message was sent. */
  readonly selected?: readonly string[];
}

/** The message of a new conversation, as it's kept. */
export interface KeptMessage {
  readonly text: string;
  /** Milliseconds since the epoch; the editor compares versions by it. */
  readonly savedAt: number;
  readonly context: MessageContext;
  readonly selections: readonly QuotedSelection[];
}

const selectionSchema = z.object({ text, label: text });

/** Reads a stored message; whatever part of it can't be read is as in a new one. */
export function parseMessage(stored: unknown): KeptMessage {
  const kept = membersOf(stored);
  const context = membersOf(kept['context']);
  const named = (['sandboxId', 'about', 'changes'] as const).flatMap((name) => {
    const { data } = text.safeParse(context[name]);
    return data === undefined ? [] : [[name, data] as const];
  });
  const { selected } = context;
  return {
    text: text.safeParse(kept['text']).data ?? '',
    savedAt: soundRevision(z.number().safeParse(kept['savedAt']).data ?? 0),
    context: {
      ...Object.fromEntries(named),
      ...(Array.isArray(selected) && { selected: readable(text, selected) }),
    },
    selections: readable(selectionSchema, kept['selections']),
  };
}

/** What to store for a message in place of `stored`: what a later version added stays. */
export function storedMessage(message: KeptMessage, stored: unknown): Record<string, unknown> {
  const kept = membersOf(stored);
  return {
    ...kept,
    ...message,
    selections: [...message.selections, ...unreadable(selectionSchema, kept['selections'])],
  };
}
