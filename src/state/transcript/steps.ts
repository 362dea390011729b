import type { Content } from '../../api/events/content';
import type { Result } from '../../api/events/event';
import { timeOf } from '../../api/events/schema';
import type { Clipped, Execution, StepDetail, StepEntry } from '../../shared/transcript';
import { type Purpose, purposeOf } from './actions';
import { diffOf, shortened } from './diff';
import type { ActionEvent, OutcomeEvent } from './outcomes';

/** Lines of a diff in a step. */
const mostLines = 60;

const clipped = (content: Content | undefined): Clipped | null =>
  content ? { text: content.text, length: content.length } : null;

type Details = {
  [P in Purpose['to']]: (
    purpose: Extract<Purpose, { to: P }>,
    result: Result | undefined,
    tool: string,
  ) => StepDetail;
};

/** What each kind of action shows. */
const details: Details = {
  terminal: ({ command }, result) => ({
    step: 'terminal',
    command,
    output: clipped(result),
    exitCode: result?.exitCode ?? null,
  }),
  edit: ({ path, before, after, isNew }, result) => {
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
  },
  read: ({ path }, result) => ({ step: 'read', path, output: clipped(result) }),
  plan: ({ tasks }, result) => ({ step: 'plan', tasks: result?.tasks ?? tasks }),
  think: ({ text }) => ({ step: 'think', text }),
  finish: ({ text }) => ({ step: 'finish', text }),
  mcp: withOutput('mcp'),
  browser: withOutput('browser'),
  other: withOutput('other'),
};

function withOutput(step: 'mcp' | 'browser' | 'other') {
  return ({ input }: { input: string }, result: Result | undefined, tool: string): StepDetail => ({
    step,
    tool,
    input,
    output: clipped(result),
  });
}

function detailOf(purpose: Purpose, result: Result | undefined, tool: string): StepDetail {
  const make = details[purpose.to] as (
    purpose: Purpose,
    result: Result | undefined,
    tool: string,
  ) => StepDetail;
  return make(purpose, result, tool);
}

/** What an action without an outcome is doing. */
const unanswered: Record<Execution, StepEntry['state']> = {
  waiting_for_confirmation: 'pending',
  running: 'running',
  // The current step still ends after a pause.
  paused: 'running',
  idle: 'done',
  finished: 'done',
  error: 'done',
  stuck: 'done',
  deleting: 'done',
  unknown: 'done',
};

function stateOf(outcome: OutcomeEvent | undefined, execution: Execution): StepEntry['state'] {
  switch (outcome?.kind) {
    case undefined:
      return unanswered[execution];
    case 'rejection':
      return 'rejected';
    case 'toolError':
      return 'failed';
    case 'observation':
      return outcome.result.isError || (outcome.result.exitCode ?? 0) !== 0 ? 'failed' : 'done';
  }
}

function problemOf(outcome: OutcomeEvent | undefined): string {
  switch (outcome?.kind) {
    case 'rejection':
      return outcome.reason;
    case 'toolError':
      return outcome.error;
    case 'observation':
      return outcome.result.isError ? outcome.result.text : '';
    case undefined:
      return '';
  }
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
