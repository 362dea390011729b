import * as z from 'zod/mini';
import type { AgentAction, Task } from '../../api/events/event';
import { taskSchema } from '../../api/events/kinds';

/** What an action is about, for people: one of these, whatever the release calls it. */
export type Purpose =
  | { to: 'terminal'; command: string }
  | { to: 'edit'; path: string; before: string; after: string; isNew: boolean }
  | { to: 'read'; path: string }
  | { to: 'plan'; tasks: Task[] }
  | { to: 'think' | 'finish'; text: string }
  | { to: 'mcp' | 'browser' | 'other'; input: string };

type Input = AgentAction['input'];

const textOf = (input: Input, name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};

/** Arguments as people read them. */
export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

function edit(input: Input): Purpose {
  const path = textOf(input, 'path');
  if (input['command'] === 'view') return { to: 'read', path };
  const isNew = input['command'] === 'create';
  return {
    to: 'edit',
    path,
    isNew,
    before: textOf(input, 'old_str'),
    after: textOf(input, isNew ? 'file_text' : 'new_str'),
  };
}

/** An item that can’t be read still takes its place in the plan. */
const tasksSchema = z.catch(z.array(z.catch(taskSchema, { title: '', notes: '', status: 'todo' })), []);

const withArguments =
  (to: 'mcp' | 'browser' | 'other') =>
  (input: Input): Purpose => ({ to, input: pretty(to === 'mcp' ? (input['data'] ?? input) : input) });

/** By the names that releases give their actions. */
const purposes: readonly [name: RegExp, make: (input: Input) => Purpose][] = [
  [/^(?:Terminal|ExecuteBash)Action$/, (input) => ({ to: 'terminal', command: textOf(input, 'command') })],
  [/^(?:FileEditor|StrReplaceEditor)Action$/, edit],
  [/^TaskTrackerAction$/, (input) => ({ to: 'plan', tasks: tasksSchema.parse(input['task_list']) })],
  [/^ThinkAction$/, (input) => ({ to: 'think', text: textOf(input, 'thought') })],
  [/^FinishAction$/, (input) => ({ to: 'finish', text: textOf(input, 'message') })],
  [/^MCPToolAction$/, withArguments('mcp')],
  [/^Browser/, withArguments('browser')],
];

/** What an action is about. */
export function purposeOf({ kind, input }: AgentAction): Purpose {
  const make = purposes.find(([name]) => name.test(kind))?.[1] ?? withArguments('other');
  return make(input);
}
