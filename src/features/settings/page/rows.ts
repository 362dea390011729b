import type { McpEnvEntry, McpKind, McpSecret, McpServer } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { isUnreadable } from './numbers';
import { serverText } from './search';

/** A server in the form's list. A deleted one stays in its place until the save, so that the user can still keep it. */
export interface McpRow {
  readonly server: McpServer;
  readonly deleted: boolean;
  /** The typed timeout, where it differs from how the number is written. */
  readonly timeoutText?: string;
}

export type RowState = 'same' | 'new' | 'changed' | 'deleted';

const noSecret: McpSecret = { presence: 'notSet', intention: 'keep' };

/** The rows for an edited list. Servers missing from it were deleted; they stand where they were. */
export function rowsOf(base: readonly McpServer[], edited: readonly McpServer[] | null): McpRow[] {
  if (edited === null) return base.map((server) => ({ server, deleted: false }));
  const kept = new Set(edited.map((server) => server.id));
  const rows: McpRow[] = edited.map((server) => ({ server, deleted: false }));
  base.forEach((server, index) => {
    if (!kept.has(server.id)) rows.splice(Math.min(index, rows.length), 0, { server, deleted: true });
  });
  return rows;
}

/** The list as the user wants it, or null when it equals the service's. */
export function editedServers(base: readonly McpServer[], rows: readonly McpRow[]): McpServer[] | null {
  const servers = rows.filter((row) => !row.deleted).map((row) => row.server);
  return same(servers, base) ? null : servers;
}

const indexes = new WeakMap<readonly McpServer[], ReadonlyMap<string, McpServer>>();

/** The server with an id in the service's list. Drawing looks up every row several times, so a list has an index. */
export function heldServer(base: readonly McpServer[], id: string): McpServer | undefined {
  let index = indexes.get(base);
  if (index === undefined) {
    index = new Map(base.map((server) => [server.id, server]));
    indexes.set(base, index);
  }
  return index.get(id);
}

export function rowState(base: readonly McpServer[], row: McpRow): RowState {
  if (row.deleted) return 'deleted';
  const before = heldServer(base, row.server.id);
  if (before === undefined) return 'new';
  return same(row.server, before) && !isUnreadable(row.timeoutText) ? 'same' : 'changed';
}

export function newServer(id: string, kind: McpKind): McpServer {
  return { id, kind, url: '', apiKey: noSecret, timeout: null, name: '', command: '', args: [], env: [] };
}

/** A copy to change. Secrets the service has come along, also to the copy of a copy; typed ones don't. */
export function copyOf(server: McpServer, id: string, isHeld: boolean): McpServer {
  const copiedFrom = isHeld ? server.id : server.copiedFrom;
  const copy = ({ presence, intention }: McpSecret): McpSecret =>
    copiedFrom === undefined
      ? noSecret
      : { presence, intention: intention === 'replace' ? 'keep' : intention };
  return {
    ...server,
    id,
    ...(copiedFrom !== undefined && { copiedFrom }),
    name: server.name === '' ? '' : `${server.name}-copy`,
    apiKey: copy(server.apiKey),
    env: server.env.map((entry) => ({ ...entry, ...copy(entry) })),
  };
}

/** A variable without a name. Its identity is unlike any name, so that it never gets another variable's value. */
export function newVariable(identity: string): McpEnvEntry {
  return { name: '', originalName: identity, ...noSecret };
}

/** Removes a row that was never saved; marks any other as deleted. */
export function deleteRow(base: readonly McpServer[], rows: readonly McpRow[], id: string): McpRow[] {
  if (heldServer(base, id) === undefined) return rows.filter((row) => row.server.id !== id);
  return rows.map((row) => (row.server.id === id ? { ...row, deleted: true } : row));
}

export function changeRow(
  rows: readonly McpRow[],
  id: string,
  change: (row: McpRow) => Partial<McpRow>,
): McpRow[] {
  return rows.map((row) => (row.server.id === id ? { ...row, ...change(row) } : row));
}

export function changeServer(
  rows: readonly McpRow[],
  id: string,
  change: (server: McpServer) => Partial<McpServer>,
): McpRow[] {
  return changeRow(rows, id, (row) => ({ server: { ...row.server, ...change(row.server) } }));
}

/** True when the server of `row` can be found by `filter`. */
export function matchesFilter({ server }: McpRow, filter: string): boolean {
  return serverText(server).toLowerCase().includes(filter.trim().toLowerCase());
}
