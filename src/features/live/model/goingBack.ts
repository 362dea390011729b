import * as l10n from '@vscode/l10n';
import type { AgentClient } from '../../../api/agent/client';
import { Refusal } from '../../../core/basics/refusal';
import { attemptAlone, type Desk } from './desk';
import type { Outcome } from './model';
import type { Head } from '../../../shared/transcript';
import { restingPlace, words } from '../../transcript';

/** Continues after an earlier entry: later entries are abandoned, and the files stay as they are. */
export const goBack = (desk: Desk, entryId: string): Promise<Outcome> =>
  attemptAlone(desk, async () => {
    const { agent, eventId } = await placeOf(desk, entryId);
    await agent.navigate(eventId, desk.signal);
    await desk.readStatus(agent).catch(() => undefined);
  });

/**
 * Starts a conversation with everything up to an entry, in the same folder. Resolves to its id. Throws Refusal and
 * ApiError.
 */
export async function branch(desk: Desk, entryId: string, title: string): Promise<string> {
  const { agent, eventId } = await placeOf(desk, entryId);
  return agent.fork({ eventId, title }, desk.signal);
}

/** Throws a Refusal while the agent works or waits, and if it can’t continue from an entry. */
async function placeOf(desk: Desk, entryId: string): Promise<{ agent: AgentClient; eventId: string }> {
  const agent = await desk.reach();
  if (!agent.features.branches)
    throw new Refusal(l10n.t('This release of the agent server can’t go back or branch. Update it first.'));
  refuseUnlessResting(await desk.readStatus(agent));
  if ((await desk.prove()) !== 'whole') throw new Refusal(notHere());
  const eventId = restingPlace(desk.events, entryId);
  if (eventId === undefined) throw new Refusal(notHere());
  return { agent, eventId };
}

/** Throws a Refusal while the agent works or waits, and if it can’t go back at all. */
export function refuseUnlessResting({ execution, policy }: Pick<Head, 'execution' | 'policy'>): void {
  if (policy === 'itself')
    throw new Refusal(l10n.t('This agent keeps its own history, so it can’t go back or branch.'));
  if (execution === 'running')
    throw new Refusal(l10n.t('The agent is working in this folder. Pause it, and try again.'));
  if (execution === 'waiting_for_confirmation') throw new Refusal(words.answerFirst());
}

const notHere = () =>
  l10n.t(
    'The agent can’t continue from here: not all steps up to here have a result that can be read. Select another entry.',
  );
