import type { AgentClient } from '../../api/agent/client';
import { ApiError } from '../../api/http/errors';
import type { Policy } from '../../shared/transcript';
import { Refusal } from '../basics/refusal';
import { attempt, attemptAlone, type Desk, untilHeard } from './desk';
import type { Outcome } from './model';
import { canGoOn } from './sendPlan';
import { words } from './words';

/**
 * Answers what the agent waits for, if that is exactly what `ids` names: state and actions are read again just before,
 * and nothing is sent twice.
 */
function answer(
  desk: Desk,
  ids: readonly string[],
  say: (agent: AgentClient) => Promise<void>,
): Promise<Outcome> {
  return attemptAlone(desk, async () => {
    if (desk.isAnswered(ids)) throw new Refusal(words.alreadyAnswered());
    const agent = await desk.reach();
    const { execution } = await desk.readStatus(agent);
    if (execution !== 'waiting_for_confirmation') throw new Refusal(words.notWaiting());
    await desk.readEvents();
    const waiting = desk.pendingNow().map(({ id }) => id);
    if (waiting.length === 0 || waiting.toSorted().toString() !== ids.toSorted().toString())
      throw new Refusal(words.changed());
    desk.answered(ids);
    const saying = say(agent);
    await saying.catch((error: unknown) => {
      if (error instanceof ApiError && !error.outcomeUnknown) desk.answered([]);
    });
    if (desk.isAnswered(ids)) await untilHeard(desk, agent, execution);
    await saying;
  });
}

export const approve = (desk: Desk, ids: readonly string[]): Promise<Outcome> =>
  answer(desk, ids, (agent) => agent.accept(desk.signal));

export const reject = (desk: Desk, ids: readonly string[], reason: string): Promise<Outcome> =>
  answer(desk, ids, (agent) => agent.reject(reason, desk.signal));

/** Only affects a working agent, although servers answer 200 in other states too. */
function stop(desk: Desk, how: (agent: AgentClient) => Promise<void>): Promise<Outcome> {
  return attempt(desk, async () => {
    const agent = await desk.reach();
    const { execution } = await desk.readStatus(agent);
    if (execution !== 'running') throw new Refusal(words.notWorking());
    await how(agent);
  });
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
    const { execution, policy } = await desk.readStatus(agent);
    const asksNoMore = execution === 'waiting_for_confirmation' && policy === 'never';
    if (canGoOn(execution) || asksNoMore) {
      await agent.run(desk.signal);
      await untilHeard(desk, agent, execution);
    } else if (!wasAsleep) throw new Refusal(cannotGoOn(execution));
  });
}

function cannotGoOn(execution: string): string {
  if (execution === 'running') return words.alreadyWorking();
  return execution === 'waiting_for_confirmation' ? words.answerFirst() : words.nothingLeft();
}

export const setPolicy = (desk: Desk, policy: Exclude<Policy, 'unknown'>): Promise<Outcome> =>
  attempt(desk, async () => {
    const agent = await desk.reach();
    await agent.setPolicy(policy, desk.signal);
    // It has changed, even if it can’t be read now.
    await desk.readStatus(agent).catch(() => undefined);
  });
