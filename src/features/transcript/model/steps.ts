import type { Content } from '../../../api/events/content';
import type { Result } from '../../../api/events/event';
import { timeOf } from '../../../api/events/schema';
import type { Clipped, Execution, Risk, StepDetail, StepEntry, StepHook } from '../../../shared/transcript';
import { type Purpose, purposeOf, purposeOfCall } from './actions';
import { clippedOf } from './compact';
import { editDetail } from './edits';
import type { ActionEvent, OutcomeEvent } from './outcomes';
import { joinedReports, type Reports } from './toolCalls';

const clipped = (content: Content | undefined): Clipped | null =>
  content ? { text: content.text, length: content.length } : null;

/** What each kind of action shows. */
export function detailOf(purpose: Purpose, result: Result | undefined, tool: string): StepDetail {
  const output = clipped(result);
  switch (purpose.to) {
    case 'terminal':
      return {
        step: 'terminal',
        command: purpose.command,
        output,
        exitCode: result?.exitCode ?? null,
        ...(result?.folder !== undefined && { folder: result.folder }),
      };
    case 'edit':
      return editDetail(purpose.edits, result);
    case 'read':
      return { step: 'read', path: purpose.path, ...(purpose.how && { how: purpose.how }), output };
    case 'plan':
      return { step: 'plan', tasks: result?.tasks ?? purpose.tasks };
    case 'think':
    case 'finish':
      return { step: purpose.to, text: purpose.text };
    case 'mcp':
    case 'browser':
    case 'other':
      return {
        step: purpose.to,
        tool,
        input: purpose.input,
        output,
        ...(purpose.about && { about: purpose.about }),
      };
  }
}

export const purposeOfEvent = ({ action, call }: ActionEvent): Purpose =>
  action ? purposeOf(action) : { to: 'other', input: call };

/** What the step of an action shows, whose arguments may have been shortened since. */
function detailWith(event: ActionEvent, result: Result | undefined): StepDetail {
  const { edit, tool } = event;
  const purpose = purposeOfEvent(event);
  if (!edit) return detailOf(purpose, result, tool);
  const made = editDetail(purpose.to === 'edit' ? purpose.edits : [], result);
  return made.hasContents ? made : edit;
}

/** What an action without an outcome is doing. */
const unanswered: Partial<Record<Execution | 'left', StepEntry['state']>> = {
  left: 'left',
  waiting_for_confirmation: 'pending',
  running: 'running',
  // The current step still ends after a pause.
  paused: 'running',
};

function stateOf(
  outcome: OutcomeEvent | undefined,
  execution: Execution | 'left',
  { step }: StepDetail,
): StepEntry['state'] {
  switch (outcome?.kind) {
    case undefined:
      // Thoughts and last words have no effect that could be missing.
      return unanswered[execution] ?? (step === 'think' || step === 'finish' ? 'done' : 'unanswered');
    case 'rejection':
      return 'rejected';
    case 'toolError':
      return 'failed';
    case 'observation':
      return outcome.result.isError || (outcome.result.exitCode ?? 0) !== 0 ? 'failed' : 'done';
  }
}

const nothing: Clipped = { text: '', length: 0 };

/** What went wrong, in the outcome’s own words. */
function problemOf(outcome: OutcomeEvent | undefined): Clipped {
  const isProblem = outcome && (outcome.kind !== 'observation' || outcome.result.isError);
  return isProblem ? clippedOf(outcome) : nothing;
}

/** What other events say about a step. */
export interface Around {
  execution: Execution | 'left';
  risk: Risk;
  /** When it began to run, if it was approved: milliseconds; NaN if that isn’t known. */
  approvedAt: number | undefined;
  hooks: readonly StepHook[] | undefined;
}

/** Milliseconds between two times; null if one of them isn’t known. */
function between(from: number, to: number): number | null {
  const took = Math.max(0, to - from);
  return Number.isFinite(took) ? took : null;
}

/** How long an answered action waited for a person, if it did. */
function waitOf(
  action: ActionEvent,
  outcome: OutcomeEvent,
  approvedAt: number | undefined,
): Pick<StepEntry, 'waited'> | undefined {
  if (outcome.kind === 'rejection' && !outcome.byHook)
    return { waited: between(timeOf(action), timeOf(outcome)) };
  return approvedAt === undefined ? undefined : { waited: between(timeOf(action), approvedAt) };
}

/** Action and outcome as one step. */
export function stepOf(action: ActionEvent, outcome: OutcomeEvent | undefined, around: Around): StepEntry {
  const { execution, risk, approvedAt, hooks } = around;
  const result = outcome?.kind === 'observation' ? outcome.result : undefined;
  const detail = detailWith(action, result);
  const remedy = outcome?.kind === 'toolError' ? outcome.remedy : undefined;
  return {
    kind: 'step',
    id: action.id,
    at: timeOf(action),
    state: stateOf(outcome, execution, detail),
    thought: action.thought,
    summary: action.summary,
    risk,
    took: outcome ? between(approvedAt ?? timeOf(action), timeOf(outcome)) : null,
    ...(outcome && waitOf(action, outcome, approvedAt)),
    problem: problemOf(outcome),
    ...(outcome?.kind === 'rejection' && outcome.byHook && { isBlocked: true }),
    ...(remedy && { remedy }),
    ...(hooks && { hooks: [...hooks] }),
    ...(result && result.images > 0 && { images: result.images }),
    ...(action.shortened && { isCut: true }),
    detail,
  };
}

/** A tool call of an agent that runs its tools itself, as one step. */
export function stepOfCall(reports: Reports, execution: Execution): StepEntry {
  const call = joinedReports(reports);
  const { state, result, title } = call;
  const [first] = reports;
  const hasEnded = state !== 'running';
  const detail =
    call.edit ?? detailOf(purposeOfCall(call), hasEnded ? result : undefined, call.tool || title);
  return {
    kind: 'step',
    id: first.id,
    at: timeOf(first),
    state: hasEnded ? state : execution === 'running' || execution === 'paused' ? 'running' : 'unanswered',
    thought: '',
    summary: detail.step === 'other' ? '' : title,
    risk: 'UNKNOWN',
    took: hasEnded ? between(timeOf(first), timeOf(reports.at(-1) ?? first)) : null,
    problem: result.isError ? clippedOf(reports.at(-1) ?? first) : nothing,
    ...(result.images > 0 && { images: result.images }),
    ...(call.shortened && { isCut: true }),
    detail,
  };
}
