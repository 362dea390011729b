import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../api/service/client';
import type { Conversation } from '../../api/service/schemas/conversation';
import type { ToolId } from '../../ids';
import type { Connection } from '../../shared/connection';
import { plainText } from '../../shared/plainText';
import type { ServiceModel } from '../../core/lists/serviceModel';
import type { ConversationModels } from '../live';
import type { ConversationSearch } from '../search';
import type { StartTasks } from '../start';
import { inputOf, type InputSchema } from './inputs';

/** What a tool works with: the window's connection at the time of the call. */
export interface ToolContext {
  connection: Connection;
  client: ApiClient;
  model: ServiceModel;
  starts: StartTasks;
  /** The first folder that is open in this window, on this computer. */
  openFolder: () => string | undefined;
  /** Loaded with the first tool that needs them. */
  conversations: () => Promise<Pick<ConversationModels, 'model' | 'service'>>;
  /** A search beside that of the view, with the same index. */
  newSearch: () => Promise<Pick<ConversationSearch, 'search' | 'cancel' | 'state'>>;
  /** A conversation as it was read for a question, or as the lists have it. */
  conversation: (id: string) => Conversation | undefined;
  /** To compute ages; in milliseconds since the epoch. */
  now: number;
}

/** What the user is asked before a change. */
export interface Question {
  /** Contains no text from outside: the editor may read it as Markdown. */
  title: string;
  /** Plain text, one paragraph each. */
  lines: string[];
  /** Shown verbatim. */
  quoted?: string;
}

/** The definition of a tool. */
export interface ToolOptions<T> {
  input: InputSchema<T>;
  /** Shown while the tool runs. */
  doing: () => string;
  /** What to ask first; omitted for a tool that only reads. */
  question?: (input: T, context: ToolContext) => Question | undefined;
  /** The id of the conversation that the question names. */
  asksAbout?: (input: T) => string;
  /** Resolves to text for the model. */
  run: (input: T, context: ToolContext, signal: AbortSignal) => Promise<string>;
}

/** A tool as the toolbox uses it, with unchecked input from a model. */
export interface Tool {
  readonly changes: boolean;
  doing: () => string;
  /** Undefined if nothing will be changed: for a tool that only reads, or an input that `run` rejects. */
  question: (input: unknown, context: ToolContext) => Question | undefined;
  /** The id of the conversation that the question names; undefined if it names none. */
  asksAbout: (input: unknown) => string | undefined;
  /** Rejects with `ToolError` if the input isn't valid; `id` is the tool's own. */
  run: (id: ToolId, input: unknown, context: ToolContext, signal: AbortSignal) => Promise<string>;
}

export function defineTool<T>({ input: schema, doing, question, asksAbout, run }: ToolOptions<T>): Tool {
  return {
    changes: question !== undefined,
    doing,
    question: (input, context) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? question?.(parsed.data, context) : undefined;
    },
    asksAbout: (input) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? asksAbout?.(parsed.data) : undefined;
    },
    run: (id, input, context, signal) => run(inputOf(id, schema, input), context, signal),
  };
}

/** The line of a question that names the connection. */
export function connectionLine({ connection }: ToolContext): string {
  return l10n.t('Connection: {0}, {1}', plainText(connection.name, 60), plainText(connection.baseUrl, 200));
}
