import * as l10n from '@vscode/l10n';
import { needed } from '../../api/service/client';
import { readPages } from '../../core/lists/pages';
import { inputs, limits } from './inputs';
import { countStates, listing, newestFirst, sandboxRow } from './rows';
import { readSpecs, specsLine } from './specs';
import { defineTool } from './tool';

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
