import type { FormEdits } from '../../shared/form';
import type { McpServer } from '../../shared/mcp';
import { same } from '../../shared/same';
import { secretFields, type PlainValues } from '../../shared/settings';
import { placeOfServer } from './destinations';
import type { Merged, Snapshot } from './merge';
import { moreValues, withMore } from './moreSettings';
import { changedFields } from './record';
import type { TypedSecrets } from './secrets';
import { toMcpServer, type HeldServer } from './servers';
import { weave } from './mergeServers';

/** How to undo a save. */
export interface Undo {
  /** Edits for the document the save ended with; saving them merges later changes of others as usual. */
  edits: FormEdits;
  /** Wire names of the secrets that were replaced or cleared, whose previous values are unknown. */
  notRestored: string[];
}

/**
 * The edits that restore what `saved` changed, on a document that holds `after`. The secrets of MCP servers are known
 * and come back too, by way of `typed`; a deleted server is a new one that copies its former self.
 */
export function undoEdits(saved: Merged, after: Snapshot, typed: TypedSecrets): Undo {
  const before = saved.fresh;
  const changed = changedFields(after.values, before.values).filter((field) => field in saved.values);
  const values: Partial<PlainValues> = Object.fromEntries(
    changed.map((field) => [field, before.values[field]]),
  );
  const [former, now] = [moreValues(before.more), moreValues(after.more)];
  const more = Object.fromEntries(
    Object.keys(saved.more).flatMap((path) => {
      const value = former[path];
      return value === undefined || value === now[path] ? [] : [[path, value]];
    }),
  );
  const sent = secretFields.filter((field) => field in saved.secrets);
  // If there was none before, clearing restores that.
  const added = sent.filter((field) => before.secrets[field] === 'notSet');
  return {
    edits: withMore(
      {
        values,
        secrets: Object.fromEntries(added.map((field) => [field, 'clear'])),
        mcpServers: saved.serversChange ? formerServers(saved, after, typed) : null,
      },
      more,
    ),
    notRestored: sent.filter((field) => !added.includes(field)),
  };
}

function formerServers(saved: Merged, after: Snapshot, typed: TypedSecrets): McpServer[] {
  const restored = saved.fresh.servers.map((server) => {
    const now = after.servers.find(({ id }) => id === server.id);
    return now === undefined ? revived(server) : reverted(server, now, typed);
  });
  // Servers others have added since stay; servers the save added go.
  const others = after.servers.filter(
    ({ id }) =>
      !restored.some((server) => server.id === id) && !saved.servers.some((server) => server.id === id),
  );
  const all = new Map([...restored, ...others.map(toMcpServer)].map((server) => [server.id, server]));
  const ids = weave(
    restored.map(({ id }) => id),
    after.servers.map(({ id }) => id),
    all,
  );
  return ids.flatMap((id) => all.get(id) ?? []);
}

/** A deleted server, as a new one with the secrets of `server`. */
function revived(server: HeldServer): McpServer {
  return { ...toMcpServer(server), id: `new-${server.id}`, copiedFrom: server.id };
}

/** An existing server with its previous values. */
function reverted(server: HeldServer, now: HeldServer, typed: TypedSecrets): McpServer {
  const former = toMcpServer(server);
  const { id } = former;
  if (server.apiKey !== now.apiKey) {
    former.apiKey.intention = server.apiKey === null ? 'clear' : 'replace';
    if (server.apiKey !== null) typed.set({ at: 'mcpApiKey', id }, server.apiKey, placeOfServer(server));
  }
  for (const entry of former.env) {
    const value = server.env.get(entry.name) ?? null;
    if (same(value, now.env.get(entry.name) ?? null)) continue;
    entry.intention = 'replace';
    typed.set(
      { at: 'mcpEnv', id, name: entry.name },
      typeof value === 'string' ? value : JSON.stringify(value),
      placeOfServer(server),
    );
  }
  return former;
}
