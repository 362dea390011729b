import * as z from 'zod/mini';
import { joined } from '../../../shared/joined';
import type { AgentAction, Task, ToolCall } from '../../../api/events/event';
import { taskSchema } from '../../../api/events/results';
import { caught } from '../../../shared/caught';
import type { DiffLine, Subject } from '../../../shared/transcript';
import { parsePatch, unifiedLines } from './patch';
import { readableArguments } from './readable';

/** What an action does to one file: as two texts, or as the lines of a patch. */
export type PlannedEdit = {
  path: string;
  /** `write`: replaces the file, or makes it if it isn’t there. */
  change: 'create' | 'edit' | 'delete' | 'write';
  movedTo?: string;
} & ({ before: string; after: string } | { lines: readonly DiffLine[] });

/** What an action is about, for people: one of these, whatever the release calls it. */
export type Purpose =
  | { to: 'terminal'; command: string }
  /** `rest` is what the edits don’t say of an action’s arguments. */
  | { to: 'edit'; edits: readonly [PlannedEdit, ...PlannedEdit[]]; rest?: AgentAction['input'] }
  | { to: 'read'; path: string; how?: 'list' | 'search' }
  | { to: 'plan'; tasks: Task[] }
  | { to: 'think' | 'finish'; text: string }
  | { to: 'mcp' | 'browser' | 'other'; input: string; about?: Subject };

type Input = AgentAction['input'];
type Make = (input: Input) => Purpose;

const textOf = (input: Input, ...names: string[]): string => {
  const value = names.map((name) => input[name]).find((one) => typeof one === 'string');
  return typeof value === 'string' ? value : '';
};

const without = (input: Input, ...names: string[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));

/** `command`, `path`, and the texts of the server’s own editor. */
function editor(input: Input): Purpose {
  const path = textOf(input, 'path');
  const { command } = input;
  if (command === 'view') return { to: 'read', path };
  const isNew = command === 'create';
  const after = isNew ? 'file_text' : 'new_str';
  const rest = without(input, 'path', after, ...(isNew ? [] : ['old_str']));
  const edit: PlannedEdit = {
    path,
    change: isNew ? 'create' : 'edit',
    before: isNew ? '' : textOf(input, 'old_str'),
    after: textOf(input, after),
  };
  const isSaid = isNew || command === 'str_replace';
  return { to: 'edit', edits: [edit], rest: isSaid ? without(rest, 'command') : rest };
}

/** A replacement; one of nothing makes a new file. */
function replacementIn(input: Input): PlannedEdit {
  const before = textOf(input, 'old_string');
  return {
    path: textOf(input, 'file_path'),
    change: before === '' ? 'create' : 'edit',
    before,
    after: textOf(input, 'new_string'),
  };
}

const replacement: Make = (input) => ({
  to: 'edit',
  edits: [replacementIn(input)],
  rest: without(input, 'file_path', 'old_string', 'new_string'),
});

const writingIn = (input: Input): PlannedEdit => ({
  path: textOf(input, 'file_path'),
  change: 'write',
  before: '',
  after: textOf(input, 'content'),
});

const writing: Make = (input) => ({
  to: 'edit',
  edits: [writingIn(input)],
  rest: without(input, 'file_path', 'content'),
});

function patching(input: Input): Purpose {
  const [first, ...others] = parsePatch(textOf(input, 'patch')) ?? [];
  if (!first) return { to: 'other', input: readableArguments(input) };
  return { to: 'edit', edits: [first, ...others], rest: without(input, 'patch') };
}

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';

/** Only if the texts are what they must be; else what would be done can’t be said. */
const sound =
  (make: Make, ...texts: string[]): Make =>
  (input) =>
    texts.every((name) => isTextOrAbsent(input[name])) ? make(input) : withArguments('other')(input);

/** An item that can’t be read still takes its place in the plan. */
const tasksSchema = caught(z.array(caught(taskSchema, { title: '', notes: '', status: 'todo' })), []);

const membersOf = (value: unknown): Input =>
  typeof value === 'object' && value !== null ? { ...value } : { value };

const withArguments =
  (to: 'mcp' | 'browser' | 'other'): Make =>
  (input) => ({
    to,
    input: readableArguments(to === 'mcp' && 'data' in input ? membersOf(input['data']) : input),
  });

/** A tool with a sentence of its own, about the first of these members that is set. */
const about =
  (what: Subject['what'], ...names: string[]): Make =>
  (input) => ({
    to: what === 'open' ? 'browser' : 'other',
    input: readableArguments(input),
    about: { what, subject: textOf(input, ...names) },
  });

function delegation(input: Input): Purpose {
  const { ids, tasks } = input;
  const names = Array.isArray(ids) ? ids : Object.keys(membersOf(tasks ?? {}));
  return {
    to: 'other',
    input: readableArguments(input),
    about: { what: input['command'] === 'spawn' ? 'spawn' : 'delegate', subject: names.join(', ') },
  };
}

function searching(input: Input): Purpose {
  const [pattern, path] = [textOf(input, 'pattern'), textOf(input, 'path')];
  if (pattern === '') return withArguments('other')(input);
  return { to: 'read', how: 'search', path: joined(pattern, path) };
}

const terminal: Make = (input) => ({ to: 'terminal', command: textOf(input, 'command') });

/** By the names that releases give their actions. */
const purposes: readonly [name: RegExp, make: Make][] = [
  [/^(?:Terminal|ExecuteBash)Action/, terminal],
  [
    /^(?:FileEditor|StrReplaceEditor|PlanningFileEditor)Action/,
    sound(editor, 'path', 'file_text', 'old_str', 'new_str'),
  ],
  [/^ApplyPatchAction/, patching],
  [/^EditAction/, sound(replacement, 'file_path', 'old_string', 'new_string')],
  [/^WriteFileAction/, sound(writing, 'file_path', 'content')],
  [/^ReadFileAction/, (input) => ({ to: 'read', path: textOf(input, 'file_path') })],
  [/^ListDirectoryAction/, (input) => ({ to: 'read', how: 'list', path: textOf(input, 'dir_path') || '.' })],
  [/^(?:Glob|Grep)Action/, searching],
  [/^TaskTrackerAction/, (input) => ({ to: 'plan', tasks: tasksSchema.parse(input['task_list']) })],
  [/^ThinkAction/, (input) => ({ to: 'think', text: textOf(input, 'thought') })],
  [/^FinishAction/, (input) => ({ to: 'finish', text: textOf(input, 'message') })],
  [/^MCPToolAction/, withArguments('mcp')],
  [/^BrowserNavigateAction/, about('open', 'url')],
  [/^Browser/, withArguments('browser')],
  [/^TaskAction/, about('task', 'description', 'prompt')],
  [/^DelegateAction/, delegation],
  [/^WorkflowAction/, about('workflow', 'name')],
  [/^StartChildConversationAction/, about('child', 'title', 'task')],
  [/^AskOracleAction/, about('advice', 'question')],
  [/^ConsultTomAction/, about('advice', 'custom_query', 'reason')],
  [/^SleeptimeComputeAction/, about('index')],
  [/^InvokeSkillAction/, about('skill', 'name')],
  [/^SwitchLLMAction/, about('model', 'profile_name')],
  [/^ClassifyAndSwitchLLMAction/, about('choice')],
  [/^VisionInspectAction/, about('vision', 'question')],
];

/** What an action is about. */
export function purposeOf({ kind, input }: AgentAction): Purpose {
  const make = purposes.find(([name]) => name.test(kind))?.[1] ?? withArguments('other');
  return make(input);
}

/** The names that the server’s tools have for arguments, by those that agents give their own tools’. */
const argumentNames = new Map(
  Object.entries({
    file_path: 'path abs_path absolute_path notebook_path filePath target_file',
    old_string: 'oldString old_str',
    new_string: 'newString new_str',
    content: 'file_text fileText contents',
    patch: 'input',
  }).flatMap(([usual, others]) => others.split(' ').map((other) => [other, usual] as const)),
);

function withUsualNames(input: Input): Input {
  const taken = new Set(Object.keys(input));
  const usual = (name: string, value: unknown): string => {
    const own = argumentNames.get(name);
    if (own === undefined || taken.has(own) || typeof value !== 'string') return name;
    taken.add(own);
    return own;
  };
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [usual(name, value), value]));
}

/** An edit of which only arguments are known. */
const untold = (path: string, change: 'edit' | 'delete', told: Input): PlannedEdit => ({
  path,
  change,
  lines:
    Object.keys(told).length === 0
      ? []
      : readableArguments(told)
          .split('\n')
          .map((text) => ({ kind: 'gap', text })),
});

/** One of several changes: `{"add": {…}}`, `{"type": "add", …}`, or `{"kind": {"type": "add"}, "diff": …}`. */
function editOfChange(path: string, told: Input): PlannedEdit {
  const { type, kind, ...rest } = told;
  const inner = membersOf(kind);
  const how = ['add', 'delete', 'update'].find(
    (one) => one in told || [type, kind, inner['type']].includes(one),
  );
  const own = { ...rest, ...inner, ...membersOf(told[how ?? '']) };
  const text = textOf(own, 'content', 'unified_diff', 'diff');
  const movedTo = textOf(own, 'move_path');
  if (how === 'add') return { path, change: 'create', before: '', after: text };
  if (how === 'delete') return { path, change: 'delete', before: text, after: '' };
  if (how === undefined || (text === '' && movedTo === '')) return untold(path, 'edit', told);
  return {
    path,
    change: 'edit',
    lines: text === '' ? [] : unifiedLines(text),
    ...(movedTo !== '' && { movedTo }),
  };
}

/** Changes by their paths, or in a list. */
function editsIn(changes: unknown): PlannedEdit[] {
  const all = Array.isArray(changes)
    ? changes.map(membersOf).map(({ path, ...one }) => [path, one] as const)
    : Object.entries(typeof changes === 'object' ? (changes ?? {}) : {});
  return all.flatMap(([path, one]) =>
    typeof path === 'string' && path !== '' ? [editOfChange(path, membersOf(one))] : [],
  );
}

/** What an agent’s own tool does to files, by its arguments; empty where they don’t say. */
function editsOfCall(told: Input): readonly PlannedEdit[] {
  const path = textOf(told, 'file_path');
  const { edits } = told;
  const patched = parsePatch(textOf(told, 'patch')) ?? [];
  if (patched.length > 0) return patched;
  const changes = editsIn(told['changes']);
  if (changes.length > 0 || path === '') return changes;
  if ('old_string' in told) return [replacementIn(told)];
  if ('content' in told) return [writingIn(told)];
  const several = (Array.isArray(edits) ? edits : []).map((edit) =>
    replacementIn({ ...withUsualNames(membersOf(edit)), file_path: path }),
  );
  return several.length > 0 ? several : [untold(path, 'edit', without(told, 'file_path'))];
}

/** What a tool call of an agent that runs its tools itself is about. */
export function purposeOfCall({ tool, title, input, result }: ToolCall): Purpose {
  const told = withUsualNames(input ?? {});
  const [first, ...others] = result.files ?? [];
  if (first) return { to: 'edit', edits: [plannedOf(first), ...others.map(plannedOf)] };
  switch (tool) {
    case 'execute': {
      const { command } = told;
      const words = Array.isArray(command) ? command.map(String).join(' ') : textOf(told, 'command', 'cmd');
      return { to: 'terminal', command: words || title };
    }
    case 'edit': {
      const [edit, ...more] = editsOfCall(told);
      if (edit) return { to: 'edit', edits: [edit, ...more] };
      break;
    }
    case 'delete': {
      const { file_path: path, ...rest } = told;
      if (typeof path === 'string') return { to: 'edit', edits: [untold(path, 'delete', rest)] };
      break;
    }
    case 'read':
      return { to: 'read', path: textOf(told, 'file_path') || title };
    case 'search':
      return { to: 'read', how: 'search', path: textOf(told, 'pattern', 'query') || title };
    case 'think':
      return { to: 'think', text: result.text || title };
  }
  return {
    to: 'other',
    input: input ? readableArguments(input) : '',
    about: { what: 'call', subject: title },
  };
}

const plannedOf = ({ path, before, after, movedTo }: NonNullable<ToolCall['result']['files']>[number]) =>
  ({
    path,
    change: before === null ? 'create' : after === null ? 'delete' : 'edit',
    before: before ?? '',
    after: after ?? '',
    ...(movedTo !== undefined && { movedTo }),
  }) satisfies PlannedEdit;
