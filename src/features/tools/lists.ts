import * as l10n from '@vscode/l10n';
import { passes, queryOf, type ConversationFilter } from '../../core/lists/conversationFilter';
import { readPages } from '../../core/lists/pages';
import { conversationState } from '../../core/lists/status';
import { inputs, limits } from './inputs';
import { conversationText, countStates, listing, newestFirst, sandboxRow } from './rows';
import { defineTool } from './tool';
import { needed } from '../../api/service/client';
import { readSpecs, specsLine } from './specs';

/** Lists conversations, including those that agents started. */
export const listConversations = defineTool({
  input: inputs.listConversations,
  doing: () => l10n.t('Listing conversations'),
  run: async (
    { limit, sandboxId, titleContains, repository, state, updatedWithinDays },
    { client },
    signal,
  ) => {
    const filter: ConversationFilter = {
      ...(titleContains !== undefined && { title: titleContains }),
      ...(repository !== undefined && { repository }),
      ...(state !== undefined && { state: state.toLowerCase() }),
      ...(updatedWithinDays !== undefined && { updatedWithinDays }),
    };
    const now = Date.now();
    const asked = { ...queryOf(filter, now), includeSubConversations: true };
    const { items, complete } = await readPages(
      (query) => client.listConversations({ ...asked, ...query }, signal),
      { pages: limits.pages },
    );
    const matching = newestFirst(
      items.filter(
        (one) => passes(filter, one, now) && (sandboxId === undefined || one.sandbox_id === sandboxId),
      ),
      ({ updated_at, created_at }) => updated_at ?? created_at,
    );
    return listing({
      what: 'conversations',
      rows: matching.slice(0, limit).map((one) => conversationText(one)),
      matching: matching.length,
      read: items.length,
      complete,
      filters: 'state, titleContains, repository, sandboxId, or updatedWithinDays',
      states: countStates(items, conversationState),
    });
  },
});

/** Lists sandboxes and, on request, the specs to start new ones from. */
export const listSandboxes = defineTool({
  input: inputs.listSandboxes,
  doing: () => l10n.t('Listing sandboxes'),
  run: async ({ limit, status, includeSpecs = false }, { client, model }, signal) => {
    const [{ items, complete }, specs] = await Promise.all([
      readPages((query) => needed(client.sandboxes).searchSandboxes(query, signal), { pages: limits.pages }),
      includeSpecs ? readSpecs(client, signal) : undefined,
    ]);
    const matching = newestFirst(
      items.filter(
        (sandbox) => status === undefined || sandbox.status?.toLowerCase() === status.toLowerCase(),
      ),
      ({ created_at }) => created_at,
    );
    const text = listing({
      what: 'sandboxes',
      rows: matching.slice(0, limit).map((sandbox) => sandboxRow(sandbox, model)),
      matching: matching.length,
      read: items.length,
      complete,
      filters: 'status',
      states: countStates(items, (sandbox) => sandbox.status ?? 'unknown'),
    });
    return specs === undefined ? text : `${text}\n${specsLine(specs)}`;
  },
});
