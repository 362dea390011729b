import type { AgentEvent, GoalState } from '../../../api/events/event';
import { Refusal } from '../../../core/basics/refusal';
import { attempt, type Desk, wouldExecute } from './desk';
import type { Outcome } from './model';
import { words } from '../../transcript';

/** How far the agent is with its goal, by what is known; undefined if none was set. */
export const goalOf = (events: readonly AgentEvent[]): GoalState | undefined =>
  events.findLast((event) => event.kind === 'goal');

/**
 * Lets the agent work toward a goal, round by round. Only where nobody is asked: the server begins each round with a run,
 * which executes an action that waits for approval (docs/protocol/agent-server.md, “Steering a conversation”).
 */
export const setGoal = (desk: Desk, objective: string, rounds: number): Promise<Outcome> =>
  attempt(desk, async () => (await ready(desk)).startGoal(objective, rounds, desk.signal));

/** Continues with the goal that was stopped last, under the same condition. */
export const resumeGoal = (desk: Desk): Promise<Outcome> =>
  attempt(desk, async () => (await ready(desk)).resumeGoal(desk.signal));

/** Stops after the current step; the goal can be resumed. */
export const stopGoal = (desk: Desk): Promise<Outcome> =>
  attempt(desk, async () => (await desk.reach()).stopGoal(desk.signal));

async function ready(desk: Desk) {
  const agent = await desk.reach();
  const { execution, policy } = await desk.readStatus(agent);
  if (policy === 'itself') throw new Refusal(words.ownGoal());
  if (execution === 'running') throw new Refusal(words.alreadyWorking());
  if (execution === 'waiting_for_confirmation') throw new Refusal(words.answerFirst());
  if (policy !== 'never') throw new Refusal(words.goalAsksNobody());
  await desk.readEvents();
  if (await wouldExecute(desk)) throw new Refusal(words.goalWouldExecute());
  return agent;
}

/** Gives the agent a secret, in any state: nothing is executed by that. */
export const sendSecret = (desk: Desk, name: string, value: string): Promise<Outcome> =>
  attempt(desk, async () => (await desk.reach()).giveSecret(name, value, desk.signal));
