import type { AgentClient } from '../../../api/agent/client';
import { ApiError } from '../../../api/http/errors';
import { type PendingAction, proofWords, type SettablePolicy } from '../../../shared/transcript';
import { same } from '../../../shared/same';
import { Refusal } from '../../../core/basics/refusal';
import {
  attempt,
  attemptAlone,
  type Desk,
  isRunSafe,
  mostStepLooks,
  startsRun,
  untilHeard,
  untilNextLook,
  untilStepIsOver,
  wouldExecute,
} from './desk';
import { goalOf } from './goal';
import type { Outcome } from './model';
import { canGoOn, words } from '../../transcript';

/**
 * Answers what the agent waits for, if that is exactly what `ids` names: state and actions are read again just before,
 * and nothing is sent twice.
 * @param check throws a Refusal if the answer isn’t possible now
 */
function answer(
  desk: Desk,
  ids: readonly string[],
  say: (agent: AgentClient) => Promise<void>,
  check: () => Promise<void>,
): Promise<Outcome> {
  return attemptAlone(desk, async () => {
    if (desk.isAnswered(ids)) throw new Refusal(words.alreadyAnswered());
    const agent = await desk.reach();
    const { execution } = await desk.readStatus(agent);
    if (execution !== 'waiting_for_confirmation') throw new Refusal(words.notWaiting());
    await check();
    if (!isExactly(ids, desk)) throw new Refusal(words.changed());
    desk.answered(ids);
    const saying = say(agent);
    await saying.catch((error: unknown) => {
      if (error instanceof ApiError && !error.outcomeUnknown) desk.answered([]);
    });
    const isHeard = !desk.isAnswered(ids) || (await untilHeard(desk, agent, execution));
    await saying;
    // Servers accept an approval and then ignore it while an earlier step is still ending.
    if (!isHeard) await desk.readEvents();
    if (!isHeard && isExactly(ids, desk)) throw new Refusal(words.notHeard());
    desk.decided(ids);
  });
}

const isExactly = (ids: readonly string[], desk: Desk): boolean =>
  same(
    desk
      .pendingNow()
      .map(({ id }) => id)
      .toSorted(),
    ids.toSorted(),
  );

/** Approving runs everything that waits, so everything that waits must be known. */
export function approve(desk: Desk, ids: readonly string[]): Promise<Outcome> {
  const shown = new Map(desk.head.pending.map((action) => [action.id, action]));
  return answer(
    desk,
    ids,
    (agent) => agent.accept(desk.signal),
    async () => {
      const proof = await desk.prove();
      if (proof !== 'whole') throw new Refusal(proofWords[proof]());
      const isOther = (action: PendingAction) => !same(shown.get(action.id) ?? action, action);
      if (ids.length === 0 || desk.pendingNow().some(isOther)) throw new Refusal(words.changed());
    },
  );
}

/** Rejecting is always possible, even if the waiting actions are unknown. Some releases accept it and do nothing. */
export const reject = (desk: Desk, ids: readonly string[], reason: string): Promise<Outcome> =>
  answer(
    desk,
    ids,
    async (agent) => {
      await agent.reject(reason, desk.signal);
      if (await isIgnored(desk, agent, ids)) {
        desk.answered([]);
        throw new Refusal(words.notRejected());
      }
    },
    async () => {
      await desk.readEvents();
      if (ids.length === 0 && desk.head.proof === 'whole') throw new Refusal(words.changed());
    },
  );

/** Whether the agent still waits for the same actions although its server accepted the rejection. */
export async function isIgnored(
  desk: Desk,
  agent: AgentClient,
  rejected: readonly string[],
): Promise<boolean> {
  if (await untilHeard(desk, agent, 'waiting_for_confirmation')) return false;
  await desk.readEvents();
  return isExactly(rejected, desk);
}

/** Only affects a working agent, although servers answer 200 in other states too. */
function stop(desk: Desk, how: (agent: AgentClient) => Promise<void>): Promise<Outcome> {
  const work = async () => {
    const agent = await desk.reach();
    const { execution } = await desk.readStatus(agent);
    if (execution !== 'running') throw new Refusal(words.notWorking());
    await how(agent);
  };
  return attempt(desk, work, true);
}

export const pause = (desk: Desk): Promise<Outcome> => stop(desk, (agent) => agent.pause(desk.signal));

export const interrupt = (desk: Desk): Promise<Outcome> =>
  stop(desk, async (agent) => {
    if (!agent.features.interrupts) throw new Refusal(words.cannotInterrupt());
    await agent.interrupt(desk.signal);
  });

/**
 * Wakes the sandbox if it’s paused, and then the agent, if a run has an effect and executes nothing without approval.
 */
export function resume(desk: Desk): Promise<Outcome> {
  return attemptAlone(desk, async () => {
    const wasAsleep = desk.head.limit === 'asleep';
    const agent = await desk.reach(() => undefined);
    for (let tries = 1; ; tries += 1) {
      const status = await untilStepIsOver(desk, agent, await desk.readStatus(agent));
      const { execution } = status;
      const asksNothing = status.policy === 'never';
      if (!canGoOn(execution) && !(execution === 'waiting_for_confirmation' && asksNothing)) {
        if (wasAsleep) return;
        throw new Refusal(cannotGoOn(execution));
      }
      if (execution === 'paused' && !isRunSafe(desk, status)) throw new Refusal(words.stepStillEnds());
      const executes = !asksNothing && (await wouldExecute(desk));
      if (executes === 'hidden') throw new Refusal(words.mayExecute());
      if (executes)
        throw new Refusal(execution === 'paused' ? words.stepStillEnds() : words.unapprovedWaits());
      if (await startsRun(desk, agent)) {
        await untilHeard(desk, agent, execution);
        return;
      }
      if (execution !== 'paused' || tries === mostStepLooks) throw new Refusal(words.stepStillEnds());
      await untilNextLook(desk);
    }
  });
}

function cannotGoOn(execution: string): string {
  if (execution === 'running') return words.alreadyWorking();
  return execution === 'waiting_for_confirmation' ? words.answerFirst() : words.nothingLeft();
}

export const setPolicy = (desk: Desk, policy: SettablePolicy): Promise<Outcome> =>
  attempt(desk, async () => {
    const agent = await desk.reach();
    if (desk.head.policy === 'itself') throw new Refusal(words.decidesItself());
    if (policy !== 'never' && goalOf(desk.events)?.isActive) throw new Refusal(words.goalRuns());
    await agent.setPolicy(policy, desk.signal);
    // It has changed, even if it can’t be read now.
    await desk.readStatus(agent).catch(() => undefined);
  });

/**
 * Continues with the model of a profile of the agent server, or with a model that another vendor’s agent names itself.
 * Doesn’t execute anything that waits.
 */
export const switchModel = (desk: Desk, name: string): Promise<Outcome> =>
  attempt(desk, async () => {
    const agent = await desk.reach();
    const { policy, execution } = await desk.readStatus(agent);
    if (policy !== 'itself') {
      await agent.switchModel(name, desk.signal);
      return;
    }
    // Its session handles one request at a time.
    if (execution === 'running') throw new Refusal(words.alreadyWorking());
    await agent.switchAgentModel(name, desk.signal);
  });

/** Summarizes what came before, while the agent neither works nor waits. */
export const summarize = (desk: Desk): Promise<Outcome> =>
  attempt(desk, async () => {
    const agent = await desk.reach();
    const { execution, policy } = await desk.readStatus(agent);
    if (policy === 'itself') throw new Refusal(words.ownSummary());
    if (execution === 'running') throw new Refusal(words.alreadyWorking());
    if (execution === 'waiting_for_confirmation') throw new Refusal(words.answerFirst());
    await agent.condense(desk.signal);
  });
