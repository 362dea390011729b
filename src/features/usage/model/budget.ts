import { bareId, isUuid } from '../../../api/http/ids';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { listedUsage } from '../../../core/lists/usage';
import { stateIds } from '../../../ids';
import { dayOf } from './totals';

/**
 * What the conversations that were started today have cost, if that is more than the budget and no window has said so yet.
 * @param lists a list for each service, as far as it was read
 * @param now milliseconds since the epoch
 */
export function overBudget(
  lists: readonly (readonly Conversation[])[],
  budget: number,
  store: ChoiceStore,
  now: number,
): number | undefined {
  if (!(budget > 0)) return undefined;
  const today = dayOf(now);
  const mark = `${today} ${budget}`;
  if (store.get(stateIds.budgetTold) === mark) return undefined;
  const costs = new Map<string, number>();
  for (const [place, list] of lists.entries())
    for (const { id, created_at, metrics } of list)
      // A service may be reached by several addresses.
      if (dayOf(created_at) === today)
        costs.set(isUuid(id) ? bareId(id) : `${place} ${id}`, listedUsage({ metrics }).cost ?? 0);
  const cost = [...costs.values()].reduce((sum, one) => sum + one, 0);
  if (cost <= budget) return undefined;
  void store.update(stateIds.budgetTold, mark);
  return cost;
}
