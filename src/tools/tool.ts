import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import type { ToolId } from '../ids';
import type { Connection } from '../shared/connection';
import { plainText } from '../shared/plainText';
import type { ServiceModel } from '../state/serviceModel';
import type { StartTasks } from '../state/startTasks';
import { inputOf, type InputSchema } from './inputs';

/** What a tool works with: the connection of this window at the moment of the call. */
export interface Present {
  connection: Connection;
  client: ApiClient;
  model: ServiceModel;
  starts: StartTasks;
}

/** What the user is asked before something is changed. */
export interface Question {
  /** Ours alone: the editor may read it as markup. */
  title: string;
  /** Plain text, a paragraph each. */
  lines: string[];
  /** Shown as it is, line by line. */
  quoted?: string;
}

/** How a tool is written. */
export interface ToolOptions<T> {
  id: ToolId;
  input: InputSchema<T>;
  /** Said while it runs. */
  doing: () => string;
  /** Asked first; absent for a tool that only reads. */
  question?: (input: T, present: Present) => Question;
  /** Resolves to text for the model. */
  run: (input: T, present: Present, signal: AbortSignal) => Promise<string>;
}

/** A tool as the toolbox sees it: takes whatever a model sends. */
export interface Tool {
  readonly changes: boolean;
  doing: () => string;
  /** Undefined when nothing will be done: for a tool that only reads, and for an input that `run` refuses. */
  question: (input: unknown, present: Present) => Question | undefined;
  /** Rejects with `ToolError` when the input is not right. */
  run: (input: unknown, present: Present, signal: AbortSignal) => Promise<string>;
}

export function defineTool<T>({ id, input: schema, doing, question, run }: ToolOptions<T>): Tool {
  return {
    changes: question !== undefined,
    doing,
    question: (input, present) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? question?.(parsed.data, present) : undefined;
    },
    run: (input, present, signal) => run(inputOf(id, schema, input), present, signal),
  };
}

/** The connection, as the last line of a question. */
export function connectionLine({ connection }: Present): string {
  return l10n.t('Connection: {0}, {1}', plainText(connection.name, 60), plainText(connection.baseUrl, 200));
}
