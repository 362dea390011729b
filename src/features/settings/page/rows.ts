import {
  type McpEnvEntry,
  type McpKind,
  type McpSecret,
  type McpServer,
  mcpKinds,
  testedAs,
} from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { serverText } from './search';
import type { Problem, TestResult } from '../shared/messages';
import { serverProblems } from '../shared/serverRules';
import * as l10n from '@vscode/l10n';

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
function heldServer(base: readonly McpServer[], id: string): McpServer | undefined {
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

/** `quiet` marks missing values, so that a new server isn't full of errors before anything is typed. */
export interface FoundProblem extends Problem {
  quiet: boolean;
}

/** Problems with the user's changes to the servers. */
export function rowProblems(base: readonly McpServer[], rows: readonly McpRow[]): FoundProblem[] {
  const wanted = rows.filter(({ deleted }) => !deleted);
  const servers = wanted.map(({ server }) => server);
  return wanted.flatMap(({ server, timeoutText }) => {
    const before = heldServer(base, server.id);
    const found = serverProblems(server, before, servers);
    const isUnread = server.kind === 'shttp' && isUnreadable(timeoutText);
    const unread = isUnread ? [{ member: 'timeout', message: notANumber(), isMissing: false }] : [];
    return [...found.filter(({ member }) => !isUnread || member !== 'timeout'), ...unread].map(
      ({ member, message, isMissing }) => ({
        target: { at: 'mcp', id: server.id, member },
        message,
        quiet: isMissing,
      }),
    );
  });
}

/** The number in `text`, null when empty, undefined when it isn't a number. */
export function parseNumber(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : undefined;
}

export function isUnreadable(text: string | undefined): boolean {
  return text !== undefined && parseNumber(text) === undefined;
}

export function notANumber(): string {
  return l10n.t('Enter a number, using digits and at most one decimal point.');
}

/** A server's place among those of its kind, from 1. The service keeps a list for each kind. */
export interface ServerPosition {
  place: number;
  count: number;
}

/** The rows with `id` and its next neighbor of the same kind swapped. */
export function moveRow(rows: readonly McpRow[], id: string, step: 1 | -1): readonly McpRow[] {
  const from = rows.findIndex(({ server }) => server.id === id);
  const moved = rows[from];
  if (moved === undefined) return rows;
  for (let to = from + step; to >= 0 && to < rows.length; to += step) {
    const other = rows[to];
    if (other === undefined || other.deleted || other.server.kind !== moved.server.kind) continue;
    return rows.with(from, other).with(to, moved);
  }
  return rows;
}

/** The place of each server that isn't deleted, by id. */
export function placesOf(rows: readonly McpRow[]): ReadonlyMap<string, ServerPosition> {
  const lists = mcpKinds.map((kind) =>
    rows.filter(({ server, deleted }) => !deleted && server.kind === kind),
  );
  return new Map(
    lists.flatMap((list) =>
      list.map(({ server }, index) => [server.id, { place: index + 1, count: list.length }] as const),
    ),
  );
}

/** True if the order of the service's servers has changed; adding and deleting doesn't count. */
export function isReordered(base: readonly McpServer[], rows: readonly McpRow[]): boolean {
  const left = rows.filter(({ deleted }) => !deleted).map(({ server }) => server.id);
  const kept = new Set(left);
  const before = base.filter(({ id }) => kept.has(id));
  const held = new Set(before.map(({ id }) => id));
  return left.filter((id) => held.has(id)).some((id, index) => id !== before[index]?.id);
}

/** A test of a server: running while there is no result. */
export interface RowTest {
  /** What was tested: a result says nothing about a server that has changed since. */
  about: readonly string[];
  result: TestResult | null;
  /** Whether it's a sign-in. */
  signsIn?: boolean | undefined;
}

/** The running test of a server, or the last one if the server has not changed since. */
export function testOf(tests: Readonly<Record<string, RowTest>>, server: McpServer): RowTest | undefined {
  const test = Object.hasOwn(tests, server.id) ? tests[server.id] : undefined;
  return test && (test.result === null || same(test.about, testedAs(server))) ? test : undefined;
}
