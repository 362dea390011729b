import type { AgentAction } from '../../../api/events/event';
import type { Execution, PendingAction } from '../../../shared/transcript';
import { derived } from '../../../core/basics/derived';
import {
  type PlannedEdit,
  type Purpose,
  purposeOf,
  clipAll,
  type Diff,
  plannedSides,
  wholeDiff,
  type ActionEvent,
  pretty,
  readableArguments,
  detailOf,
} from '../../transcript';
import type { EditedFile } from './model';

/**
 * The actions that wait for approval, in full: every valid action that nothing has answered, but only while the agent
 * waits. They are answered together.
 */
export function pendingActions(unanswered: readonly ActionEvent[], execution: Execution): PendingAction[] {
  if (execution !== 'waiting_for_confirmation') return [];
  return unanswered.flatMap((event) => (event.action ? [whole(event, event.action)] : []));
}

/** Both sides of an action’s edit; undefined if it edits nothing. */
export function plannedEdit({ action }: ActionEvent): EditedFile | undefined {
  const edits = action ? editsOf(purposeOf(action)) : [];
  const [first] = edits;
  return first && { path: first.movedTo ?? first.path, ...plannedSides(edits) };
}

const editsOf = (purpose: Purpose): readonly PlannedEdit[] => (purpose.to === 'edit' ? purpose.edits : []);

function whole(event: ActionEvent, action: AgentAction): PendingAction {
  const { id, risk, thought, tool } = event;
  const { counts, ...contents } = contentsOf(action);
  return {
    ...{ id, risk, thought, tool },
    detail: lineOf(purposeOf(action), tool, counts),
    ...contents,
    startsAgents: agentStarters.test(action.kind) || agentTools.has(tool.toLowerCase()),
  };
}

/** Cached for each action, since comparing long texts takes time. */
const contentsOf = derived((action: AgentAction) => {
  const purpose = purposeOf(action);
  const edits = editsOf(purpose);
  const [edit, ...others] = edits;
  const only = others.length === 0 ? edit : undefined;
  const { lines, ...counts } = wholeDiff(edits);
  return {
    text: textOf(purpose, action.input),
    raw: pretty(action.input),
    path: only?.path ?? '',
    ...(only?.movedTo !== undefined && { movedTo: only.movedTo }),
    ...(only?.change === 'write' && { overwrites: true }),
    diff: lines,
    counts,
  };
});

/** Actions that start other agents, by kind and by tool name. */
const agentStarters = /^(?:Task|Delegate|Workflow|StartChildConversation)(?:Tool)?Action/;
const agentTools: ReadonlySet<string> = new Set(['task', 'delegate', 'workflow', 'start_child_conversation']);

/** What is shown in words or as a command. */
function textOf(purpose: Purpose, input: AgentAction['input']): string {
  if (purpose.to === 'edit') return readableArguments(purpose.rest ?? input);
  const { command, ...more } = input;
  // A command with anything more than its text is shown with all its arguments.
  const isUsual = ([name, value]: [string, unknown]) => value === false && /^(?:is_input|reset)$/.test(name);
  const isPlain = purpose.to === 'terminal' && Object.entries(more).every(isUsual);
  return isPlain && typeof command === 'string' ? command : readableArguments(input);
}

/** Characters of each text in a line. */
const mostInLine = 500;

/** What a line needs from an action; everything else is shown below. */
function lineOf(purpose: Purpose, tool: string, counts: Omit<Diff, 'lines'>): PendingAction['detail'] {
  const detail = detailOf(purpose, undefined, tool);
  const short = detail.step === 'edit' ? { ...detail, ...counts, diff: [] } : detail;
  return clipAll(short, mostInLine) as PendingAction['detail'];
}
