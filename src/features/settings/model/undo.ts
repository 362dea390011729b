import type { FormEdits } from '../shared/form';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { secretFields, type PlainValues } from '../../../shared/settings';
import { hides } from './hiddenSecrets';
import type { Merged, Snapshot } from './merge';
import { moreValues, withMore } from './moreSettings';
import { changedFields } from './record';
import type { TypedSecrets } from './secrets';
import { placeOfServer, toMcpServer, type HeldServer } from './servers';
import { weave } from './mergeServers';

/** How to undo a save. */
export interface Undo {
  /** Edits for the document the save ended with; saving them merges later changes of others as usual. */
  edits: FormEdits;
  /**
   * Wire names of the secrets that were replaced or cleared, whose previous values are unknown; of servers, with their
   * label.
   */
  notRestored: string[];
  /** The servers in `edits` that keep such a secret. The current secret hasn't been used for the old address. */
  keeping: McpServer[];
}

/**
 * The edits that restore what `saved` changed, on a document that holds `after`. The secrets of MCP servers that the
 * service shows come back too, by way of `typed`; a deleted server is a new one that copies the old one.
 */
export function undoEdits(saved: Merged, after: Snapshot, typed: TypedSecrets): Undo {
  const before = saved.fresh;
  const changed = changedFields(after.values, before.values).filter((field) => field in saved.values);
  const values: Partial<PlainValues> = Object.fromEntries(
    changed.map((field) => [field, before.values[field]]),
  );
  const now = moreValues(after.more);
  const more = Object.fromEntries(
    Object.entries(moreValues(before.more)).filter(
      ([path, value]) => Object.hasOwn(saved.more, path) && value !== now[path],
    ),
  );
  const sent = secretFields.filter((field) => field in saved.secrets);
  // If there was none before, clearing restores that.
  const added = sent.filter((field) => before.secrets[field] === 'notSet');
  const servers = saved.serversChange ? previousServers(saved, after, typed) : undefined;
  const isSame = same(servers?.all, after.servers.map(toMcpServer));
  return {
    edits: withMore(
      {
        values,
        secrets: Object.fromEntries(added.map((field) => [field, 'clear'])),
        mcpServers: servers === undefined || isSame ? null : servers.all,
      },
      more,
    ),
    notRestored: [...sent.filter((field) => !added.includes(field)), ...(servers?.lost ?? [])],
    keeping: servers?.keeping ?? [],
  };
}

interface PreviousServers {
  all: McpServer[];
  /** Names of the secrets that only the service had. */
  lost: string[];
  keeping: McpServer[];
}

function previousServers(saved: Merged, after: Snapshot, typed: TypedSecrets): PreviousServers {
  const found = saved.fresh.servers.map((server) => {
    const now = after.servers.find(({ id }) => id === server.id);
    const lost: string[] = [];
    return { lost, server: now ? reverted(server, now, typed, lost) : revived(server, lost) };
  });
  const restored = found.map(({ server }) => server);
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
  return {
    all: ids.flatMap((id) => all.get(id) ?? []),
    lost: found.flatMap(({ lost, server }) => lost.map((name) => `${mcpLabel(server)}: ${name}`)),
    keeping: found.filter(({ lost }) => lost.length > 0).map(({ server }) => server),
  };
}

/** A deleted server, as a new one with the secrets of `server`. Those that were hidden are `lost`. */
function revived(server: HeldServer, lost: string[]): McpServer {
  const previous = toMcpServer(server);
  if (hides(server.apiKey)) {
    lost.push('api_key');
    previous.apiKey = { presence: 'notSet', intention: 'clear' };
  }
  const env = previous.env.filter(({ name }) => {
    const isHidden = hides(server.env.get(name) ?? null);
    if (isHidden) lost.push(`env.${name}`);
    return !isHidden;
  });
  return { ...previous, env, id: `new-${server.id}`, copiedFrom: server.id };
}

/** An existing server with its previous values. Changed secrets that were hidden are `lost`: the current ones stay. */
function reverted(server: HeldServer, now: HeldServer, typed: TypedSecrets, lost: string[]): McpServer {
  const [previous, current] = [toMcpServer(server), toMcpServer(now)];
  const { id } = previous;
  if (server.apiKey !== now.apiKey) {
    if (hides(server.apiKey)) {
      lost.push('api_key');
      previous.apiKey = current.apiKey;
    } else {
      previous.apiKey.intention = server.apiKey === null ? 'clear' : 'replace';
      if (server.apiKey !== null) typed.set({ at: 'mcpApiKey', id }, server.apiKey, placeOfServer(server));
    }
  }
  previous.env = previous.env.filter((entry) => {
    const value = server.env.get(entry.name) ?? null;
    if (same(value, now.env.get(entry.name) ?? null)) return true;
    if (hides(value)) {
      lost.push(`env.${entry.name}`);
      return now.env.has(entry.name);
    }
    entry.intention = 'replace';
    typed.set(
      { at: 'mcpEnv', id, name: entry.name },
      typeof value === 'string' ? value : JSON.stringify(value),
      placeOfServer(server),
    );
    return true;
  });
  return previous;
}
