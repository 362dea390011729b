import type { AgentAction } from '../../api/events/event';
import type { DiffLine, Execution, PendingAction } from '../../shared/transcript';
import { pretty, purposeOf } from './actions';
import type { ActionEvent } from './outcomes';

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
  const { command, ...more } = action.input;
  // A command with anything more than its text is shown with all its arguments.
  const isPlain = purpose.to === 'terminal' && Object.values(more).every((value) => value === false);
  return {
    id: event.id,
    risk: event.risk,
    thought: event.thought,
    tool: event.tool,
    text: isPlain && typeof command === 'string' ? command : pretty(action.input),
    path: purpose.to === 'edit' ? purpose.path : '',
    diff: purpose.to === 'edit' ? wholeDiff(purpose.before, purpose.after) : [],
  };
}

/** Every line, including unchanged ones. */
function wholeDiff(before: string, after: string): DiffLine[] {
  const lines = (kind: DiffLine['kind'], text: string): DiffLine[] =>
    text === '' ? [] : text.split('\n').map((line) => ({ kind, text: line }));
  return [...lines('removed', before), ...lines('added', after)];
}
