import type { AgentClient } from '../../../api/agent/client';
import type { AgentConversation } from '../../../api/agent/schemas/conversation';
import { ApiError } from '../../../api/http/errors';
import type { Execution } from '../../../shared/transcript';
import { same } from '../../../shared/same';
import { Refusal } from '../../../core/basics/refusal';
import { isIgnored } from './answering';
import {
  type Desk,
  done,
  isRunSafe,
  failedOutcome,
  mostStepLooks,
  startsRun,
  staysIdle,
  untilHeard,
  untilStepIsOver,
  wouldExecute,
} from './desk';
import type { Outcome } from './model';
import { runsAfterwards, sendPlan, cannotSend, mayHaveArrived, words } from '../../transcript';

/**
 * Sends a message once. Rejects what the agent waits for only if exactly that was shown when the user pressed Send. A
 * message that may have arrived stays in the outbox until an event shows that it has.
 */
export async function sendOnce(desk: Desk, text: string, images: readonly string[]): Promise<Outcome> {
  const { ports, outbox, head } = desk;
  // Servers store an empty message, too.
  if (text.trim() === '' && images.length === 0) return { kind: 'refused', problem: words.nothingToSend() };
  ports.acts(false);
  const shown = head.pending.map(({ id }) => id);
  const id = outbox.add(text, images);
  try {
    return await ports.exclusively(desk.id, async () => {
      const agent = await desk.reach(() => outbox.update(id, { state: 'resuming' }));
      outbox.update(id, { state: 'sending' });
      const prepared = await prepare(desk, agent, shown, text);
      return await deliver(desk, agent, id, { text, images }, prepared);
    });
  } catch (error) {
    // Also after a bug, which is thrown again instead of being an outcome.
    outbox.giveUp(id);
    const outcome = failedOutcome(error, ports);
    outbox.update(id, { state: 'failed', mayHaveArrived: false, problem: outcome.problem });
    return outcome.kind === 'unknown' ? { ...outcome, kind: 'refused' } : outcome;
  } finally {
    desk.lookSoon();
  }
}

/** How a message goes out. */
interface Prepared {
  /** The state that the message may start the agent from. */
  from: Execution | undefined;
  /** Time after which the message’s event must be, if events couldn’t be read just before. */
  after: string | undefined;
}

/** Reads events and the agent’s state, and answers what it asks for. */
async function prepare(
  desk: Desk,
  agent: AgentClient,
  shown: readonly string[],
  text: string,
): Promise<Prepared> {
  const { revivesStuck, blocksWhileRunning } = agent.features;
  const planOf = (status: AgentConversation) =>
    sendPlan(status.execution, { revivesStuck, isRunSafe: isRunSafe(desk, status) });
  // Looks for the message only after the known events: an earlier one may have the same text.
  let isBlind = blocksWhileRunning || !(await eventsAreRead(desk));
  let status = await desk.readStatus(agent);
  if (blocksWhileRunning && status.execution !== 'running') {
    isBlind = !(await eventsAreRead(desk));
    status = await desk.readStatus(agent);
  }
  if (!isBlind) status = await untilStepIsOver(desk, agent, status);
  const after = isBlind ? (status.updatedAt ?? '') : undefined;
  const plan = planOf(status);
  if (plan.kind === 'refuse') throw new Refusal(cannotSend[plan.state]());
  if (plan.kind === 'send') {
    if (!plan.run) return { from: undefined, after };
    const executes = status.policy !== 'never' && (await wouldExecute(desk));
    if (executes) {
      // The run would execute them.
      if (status.execution === 'paused') return { from: undefined, after };
      await agent.reject(text, desk.signal);
      await desk.readEvents();
      const mayWait = executes === 'hidden' && !agent.features.rejects;
      if (mayWait || desk.hasOpenActions()) throw new Refusal(words.notRejected());
      status = await desk.readStatus(agent);
    }
    const next = planOf(status);
    return { from: next.kind === 'send' && next.run ? status.execution : undefined, after };
  }
  await desk.readEvents();
  const waiting = desk.pendingNow().map(({ id }) => id);
  // Nothing is rejected that wasn’t shown. What was approved just before is running by now.
  if (waiting.length === 0 || !same(waiting, shown) || desk.isAnswered(waiting))
    return { from: undefined, after };
  await agent.reject(text, desk.signal);
  desk.answered(waiting);
  if (await isIgnored(desk, agent, waiting)) {
    desk.answered([]);
    throw new Refusal(words.notRejected());
  }
  desk.decided(waiting);
  status = await desk.readStatus(agent);
  const next = planOf(status);
  return { from: next.kind === 'send' && next.run ? status.execution : undefined, after };
}

/** A message can be sent without that. */
async function eventsAreRead(desk: Desk): Promise<boolean> {
  try {
    await desk.readEvents();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function deliver(
  desk: Desk,
  agent: AgentClient,
  id: string,
  message: Omit<Parameters<AgentClient['sendMessage']>[0], 'run'>,
  { from, after }: Prepared,
): Promise<Outcome> {
  const { outbox, ports, signal } = desk;
  outbox.sends(id, desk.events, after);
  try {
    await agent.sendMessage({ ...message, run: from !== undefined }, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.outcomeUnknown) throw error;
    outbox.update(id, { state: 'unknown', problem: mayHaveArrived() });
    await desk.readEvents().catch(() => undefined);
    if (outbox.has(id)) return { kind: 'unknown', problem: ports.describe(error) };
  }
  outbox.arrived(id);
  // From here on, the message has arrived: any failure concerns what follows.
  try {
    const before = from ?? (await desk.readStatus(agent)).execution;
    if (from === undefined) {
      if (!runsAfterwards(before)) return done;
      for (let tries = 1; ; tries += 1) {
        if (!(await staysIdle(desk, agent)) || (await wouldExecute(desk))) return done;
        if (await startsRun(desk, agent)) break;
        if (tries === mostStepLooks) throw new Refusal(words.stepStillEnds());
      }
    }
    await untilHeard(desk, agent, before);
    return done;
  } catch (error) {
    return { ...failedOutcome(error, ports), kind: 'unknown' };
  }
}
