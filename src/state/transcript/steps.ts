import type { Content } from '../../api/events/content';
import type { Result } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Clipped, Execution, StepDetail, StepEntry } from '../../shared/transcript';
import { type Purpose, purposeOf } from './actions';
import { clippedOf } from './compact';
import { diffOf, shortened } from './diff';
import type { ActionEvent, OutcomeEvent } from './outcomes';

/** Lines of a diff in a step. */
const mostLines = 60;

const clipped = (content: Content | undefined): Clipped | null =>
  content ? { text: content.text, length: content.length } : null;

/** What each kind of action shows. */
function detailOf(purpose: Purpose, result: Result | undefined, tool: string): StepDetail {
  const output = clipped(result);
  switch (purpose.to) {
    case 'terminal':
      return { step: 'terminal', command: purpose.command, output, exitCode: result?.exitCode ?? null };
    case 'edit':
      return editDetail(purpose, result);
    case 'read':
      return { step: 'read', path: purpose.path, output };
    case 'plan':
      return { step: 'plan', tasks: result?.tasks ?? purpose.tasks };
    case 'think':
    case 'finish':
      return { step: purpose.to, text: purpose.text };
    case 'mcp':
    case 'browser':
    case 'other':
      return { step: purpose.to, tool, input: purpose.input, output };
  }
}

function editDetail(
  { path, before, after, isNew }: Extract<Purpose, { to: 'edit' }>,
  result: Result | undefined,
): StepDetail {
  const edited = result?.after ?? null;
  const hasContents = edited !== null;
  const diff = hasContents ? diffOf(result?.before ?? '', edited) : diffOf(before, after);
  return {
    step: 'edit',
    path: result?.path ?? path,
    isNew: isNew && (result?.before ?? null) === null,
    added: diff.added,
    removed: diff.removed,
    diff: shortened(diff.lines, mostLines),
    hasContents,
  };
}

/** What an action without an outcome is doing, unless it’s done. */
const unanswered: Partial<Record<Execution, StepEntry['state']>> = {
  waiting_for_confirmation: 'pending',
  running: 'running',
  // The current step still ends after a pause.
  paused: 'running',
};

function stateOf(outcome: OutcomeEvent | undefined, execution: Execution): StepEntry['state'] {
  switch (outcome?.kind) {
    case undefined:
      return unanswered[execution] ?? 'done';
    case 'rejection':
      return 'rejected';
    case 'toolError':
      return 'failed';
    case 'observation':
      return outcome.result.isError || (outcome.result.exitCode ?? 0) !== 0 ? 'failed' : 'done';
  }
}

/** What went wrong, in the outcome’s own words. */
function problemOf(outcome: OutcomeEvent | undefined): Clipped {
  const isProblem = outcome && (outcome.kind !== 'observation' || outcome.result.isError);
  return isProblem ? clippedOf(outcome) : { text: '', length: 0 };
}

/** Action and outcome as one step. */
export function stepOf(
  action: ActionEvent,
  outcome: OutcomeEvent | undefined,
  execution: Execution,
): StepEntry {
  const purpose: Purpose = action.action ? purposeOf(action.action) : { to: 'other', input: action.call };
  const result = outcome?.kind === 'observation' ? outcome.result : undefined;
  return {
    kind: 'step',
    id: action.id,
    at: timeOf(action),
    state: stateOf(outcome, execution),
    thought: action.thought,
    summary: action.summary,
    risk: action.risk,
    took: outcome ? Math.max(0, timeOf(outcome) - timeOf(action)) : null,
    problem: problemOf(outcome),
    detail: detailOf(purpose, result, action.tool),
  };
}
