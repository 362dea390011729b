import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, viewIds, type CommandId } from '../../../ids';
import { plainText } from '../../../shared/plainText';
import { Dismissed, mayHaveStarted, NotFollowed, type BegunStart } from '../model/startTasks';
import { clientOf } from '../../../core/session/session';
import { pauseForMore, pauseForMoreTitle } from '../../sandboxes/editor';
import { limitIn } from '../model/toldLimits';
import { finishDelivery } from './finishDelivery';
import { type OutcomeNeeds, tellHeld, tellNotFollowed } from './startOutcome';

type Needs = OutcomeNeeds & { run: (id: CommandId, args: unknown[]) => Promise<void> };

/**
 * Follows attempts that were started together; their rows in Conversations show their progress. Once all have ended,
 * says how they ended: a failed one is offered again, and the others continue.
 */
export async function followAttempts(needs: Needs, begun: readonly BegunStart[]): Promise<void> {
  const { model } = needs;
  void vscode.commands.executeCommand(`${viewIds.conversations}.focus`);
  const ended = await Promise.all(begun.map((one) => follow(needs, one)));
  await model.refresh('conversations', 'sandboxes');
  if (ended.includes('notFollowed')) tellNotFollowed();
  const idsOf = (what: Ended) => begun.filter((_, at) => ended[at] === what).map(({ id }) => id);
  const [failed, refused, held] = [idsOf('failed'), idsOf('refused'), idsOf('held')];
  tellHeld(needs.starts, held, begun.length);
  if (failed.length + refused.length === 0) {
    if (ended.includes('started')) await tellStarted(needs, begun);
    return;
  }
  await Promise.all([
    offerAgain(needs, failed, begun.length, false),
    offerAgain(needs, refused, begun.length, true),
  ]);
}

async function tellStarted({ starts, run }: Needs, begun: readonly BegunStart[]): Promise<void> {
  const ids = begun.flatMap(({ id }) => starts.conversationOf(id) ?? []);
  const compare = l10n.t('Compare Attempts');
  const picked = await (ids.length > 1
    ? vscode.window.showInformationMessage(l10n.t('{0} attempts have started.', ids.length), compare)
    : vscode.window.showInformationMessage(l10n.t('1 attempt has started.')));
  if (picked === compare) await run(commandIds.conversationCompare, [{ ref: { kind: 'attempts', ids } }]);
}

/** `refused`: because of the service’s limit. `held`: the conversation exists, but its agent may not work now. */
type Ended = 'started' | 'held' | 'failed' | 'refused' | 'notFollowed' | 'dismissed';

async function follow(needs: Needs, { id: startId, ended }: BegunStart): Promise<Ended> {
  const { model, deliveries, starts } = needs;
  try {
    const conversationId = await model.pending.during(
      ended.finally(() => void model.refresh('conversations', 'sandboxes')),
    );
    const delivery = deliveries.ofStart(startId);
    if (delivery) await finishDelivery(needs, { ...delivery, conversationId });
    return starts.limits.heldWith(startId) === undefined ? 'started' : 'held';
  } catch (error) {
    if (error instanceof Dismissed) return 'dismissed';
    // Show what the service has now before telling the user.
    if (mayHaveStarted(error)) await model.refresh('conversations', 'sandboxes');
    if (error instanceof NotFollowed) return 'notFollowed';
    return limitIn(error) ? 'refused' : 'failed';
  }
}

async function offerAgain(
  needs: Needs,
  ids: readonly string[],
  all: number,
  isLimit: boolean,
): Promise<void> {
  const { starts, session, model } = needs;
  const known = () => ids.flatMap((id) => starts.get(id) ?? []);
  const [first] = known();
  if (!first) return;
  const mayPause = isLimit && clientOf(session.current)?.sandboxes !== undefined;
  const again = mayPause ? pauseForMoreTitle() : l10n.t('Try Again');
  const reason = plainText(first.failure ?? '', 300);
  const words = known().some(({ unknown }) => unknown)
    ? // The reason says to check first.
      l10n.t('{0} of {1} attempts may have started: {2} The message is kept.', ids.length, all, reason)
    : isLimit
      ? l10n.t(
          '{0} of {1} attempts couldn’t start because of the service’s limit: {2} The message is kept.',
          ids.length,
          all,
          reason,
        )
      : l10n.t('{0} of {1} attempts couldn’t start: {2} The message is kept.', ids.length, all, reason);
  if ((await vscode.window.showErrorMessage(words, again)) !== again) return;
  if (mayPause && !(await pauseForMore(model))) return;
  const client = clientOf(session.current);
  const begun = known().flatMap(({ id, message }) => (client && starts.retry(id, client, message)) ?? []);
  if (begun.length > 0) await followAttempts(needs, begun);
}
