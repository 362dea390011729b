import type { AgentAction } from '../../api/events/event';
import type { Execution, PendingAction } from '../../shared/transcript';
import { type Purpose, purposeOf } from './actions';
import { clipAll } from './clip';
import { wholeLines } from './edits';
import type { ActionEvent } from './outcomes';
import { pretty, readable } from './readable';
import { detailOf } from './steps';

/**
 * The actions that wait for approval, in full: every valid action that nothing has answered, but only while the agent
 * waits. They are answered together.
 */
export function pendingActions(unanswered: readonly ActionEvent[], execution: Execution): PendingAction[] {
  if (execution !== 'waiting_for_confirmation') return [];
  return unanswered.flatMap((event) => (event.action ? [whole(event, event.action)] : []));
}

function whole(event: ActionEvent, action: AgentAction): PendingAction {
  const purpose = purposeOf(action);
  const [edit, ...others] = purpose.to === 'edit' ? purpose.edits : [];
  return {
    id: event.id,
    risk: event.risk,
    thought: event.thought,
    tool: event.tool,
    detail: lineOf(purpose, event.tool),
    text: textOf(purpose, action.input),
    raw: pretty(action.input),
    path: edit && others.length === 0 ? edit.path : '',
    diff: edit ? wholeLines([edit, ...others]) : [],
    startsAgents: agentStarters.test(action.kind) || agentTools.has(event.tool),
  };
}

/** Actions that start other agents, by their kinds and by their tools’ names. */
const agentStarters = /^(?:Task|Delegate|Workflow|StartChildConversation)(?:Tool)?Action$/;
const agentTools: ReadonlySet<string> = new Set(['task', 'delegate', 'workflow', 'start_child_conversation']);

/** What is shown in words or as a command. */
function textOf(purpose: Purpose, input: AgentAction['input']): string {
  if (purpose.to === 'edit') return readable(purpose.rest);
  const { command, ...more } = input;
  // A command with anything more than its text is shown with all its arguments.
  const isPlain = purpose.to === 'terminal' && Object.values(more).every((value) => value === false);
  return isPlain && typeof command === 'string' ? command : readable(input);
}

/** Characters of each text in a line. */
const mostInLine = 500;

/** What a line needs of an action: all of it is shown below. */
function lineOf(purpose: Purpose, tool: string): PendingAction['detail'] {
  const detail = detailOf(purpose, undefined, tool);
  const short = detail.step === 'edit' ? { ...detail, diff: [] } : detail;
  return clipAll(short, mostInLine) as PendingAction['detail'];
}
