import type { AgentClient } from '../../api/agent/client';
import { ApiError } from '../../api/http/errors';
import type { Execution } from '../../shared/transcript';
import { Refusal } from '../basics/refusal';
import { type Desk, done, outcomeOf, untilHeard } from './desk';
import type { Outcome } from './model';
import { runsAfterwards, sendPlan } from './sendPlan';
import { cannotSend, mayHaveArrived, words } from './words';

/**
 * Sends a message once. Rejects what the agent waits for only if exactly that was shown when the user pressed Send. A
 * message that may have arrived stays in the outbox until an event shows that it has.
 */
export async function send(desk: Desk, text: string, images: readonly string[]): Promise<Outcome> {
  const { ports, outbox, head } = desk;
  // Servers store an empty message, too.
  if (text.trim() === '' && images.length === 0) return { kind: 'refused', problem: words.nothingToSend() };
  const shown = head.pending.map(({ id }) => id);
  const id = outbox.add(text, images, ports.now());
  try {
    return await ports.exclusively(desk.id, async () => {
      const agent = await desk.reach(() => outbox.update(id, { state: 'resuming' }));
      outbox.update(id, { state: 'sending' });
      const from = await prepare(desk, agent, shown, text);
      return await deliver(desk, agent, id, { text, images }, from);
    });
  } catch (error) {
    // Also after a bug, which is thrown again instead of being an outcome.
    outbox.giveUp(id);
    const outcome = outcomeOf(error, ports);
    outbox.update(id, { state: 'failed', mayHaveArrived: false, problem: outcome.problem });
    return outcome.kind === 'unknown' ? { ...outcome, kind: 'refused' } : outcome;
  } finally {
    desk.lookSoon();
  }
}

/** Reads the agent’s state, and answers what it asks for. Resolves to the state that the message may start it from. */
async function prepare(
  desk: Desk,
  agent: AgentClient,
  shown: readonly string[],
  text: string,
): Promise<Execution | undefined> {
  const { revivesStuck, messageRejects } = agent.features;
  const { execution } = await desk.readStatus(agent);
  const plan = sendPlan(execution, revivesStuck);
  if (plan.kind === 'send') return plan.run ? execution : undefined;
  if (plan.kind === 'refuse') throw new Refusal(cannotSend[plan.state]());
  await desk.readEvents();
  const waiting = desk.pendingNow().map(({ id }) => id);
  if (waiting.length === 0) return undefined;
  if (waiting.toString() !== shown.toString()) {
    // The message itself would reject what nobody has seen.
    if (messageRejects) throw new Refusal(words.changed());
    return undefined;
  }
  // A rejection would hit actions that were approved and are running by now.
  if (desk.isAnswered(waiting)) return undefined;
  await agent.reject(text, desk.signal);
  desk.answered(waiting);
  const { execution: after } = await desk.readStatus(agent);
  const next = sendPlan(after, revivesStuck);
  return next.kind === 'send' && next.run ? after : undefined;
}

async function deliver(
  desk: Desk,
  agent: AgentClient,
  id: string,
  message: Omit<Parameters<AgentClient['sendMessage']>[0], 'run'>,
  from: Execution | undefined,
): Promise<Outcome> {
  const { outbox, ports, signal } = desk;
  // The message is looked for only after the known events: an earlier one may have the same words.
  if (desk.newest === '') await desk.readEvents();
  outbox.update(id, { mayHaveArrived: true, after: desk.newest });
  try {
    await agent.sendMessage({ ...message, run: from !== undefined }, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.outcomeUnknown) throw error;
    outbox.update(id, { state: 'unknown', problem: mayHaveArrived() });
    await desk.readEvents().catch(() => undefined);
    if (outbox.has(id)) return { kind: 'unknown', problem: ports.describe(error) };
  }
  // From here on, the message has arrived: a failure is about what follows.
  try {
    const before = from ?? (await desk.readStatus(agent)).execution;
    if (from === undefined) {
      if (!runsAfterwards(before)) return done;
      await agent.run(signal);
    }
    await untilHeard(desk, agent, before);
    return done;
  } catch (error) {
    return { ...outcomeOf(error, ports), kind: 'unknown' };
  }
}
