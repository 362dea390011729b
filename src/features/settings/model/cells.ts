import type { Json } from '../../../shared/json';
import { membersOfKind } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { member, type JsonObject } from './json';
import { extrasOf, jsonOf, type HeldServer, type ServerValues } from './servers';

/**
 * A server's parts by path, of those that its kind has: members by their names here, each environment variable as
 * `env.NAME`. Contains secrets.
 */
type Cells = ReadonlyMap<string, Json>;

/** A member of a server. */
export type Member = keyof ServerValues;

/** The wire names of the members, in the order of the form. */
export const wireNames: Record<Member, string> = {
  kind: 'kind',
  ...membersOfKind.shttp,
  ...membersOfKind.stdio,
};

/** Every member, in the order of the form. */
export const members = Object.keys(wireNames) as Member[];

/** True if servers of this kind have the member. */
export function carries(kind: ServerValues['kind'], key: Member): boolean {
  return key === 'kind' || key in membersOfKind[kind];
}

function cellsOf(server: ServerValues): Cells {
  const own = members.filter((key) => key !== 'env' && carries(server.kind, key));
  const variables = carries(server.kind, 'env') ? [...server.env] : [];
  return new Map([
    ...own.map((key) => [key, jsonOf(server[key])] as const),
    ...variables.map(([name, value]) => [`env.${name}`, value] as const),
  ]);
}

/** The paths of the cells that differ between two states of a server. */
export function differingCells(before: ServerValues, after: ServerValues): string[] {
  const [previous, later] = [cellsOf(before), cellsOf(after)];
  const paths = new Set([...previous.keys(), ...later.keys()]);
  return [...paths].filter((path) => !same(previous.get(path) ?? null, later.get(path) ?? null));
}

/** A difference between what was meant and what is held; `member` is that of an `ErrorTarget`. */
export interface Miss {
  /** The path of a cell, or undefined for a member this client doesn't know. */
  path: string | undefined;
  /** Wire name. */
  name: string;
  meant: Json;
  held: Json;
}

/**
 * Where `held` isn't as `meant`, unknown members included. The service may fill in a timeout, say that a new server is on, and have members of its own.
 */
export function misses(meant: ServerValues & { readonly raw?: JsonObject }, held: HeldServer): Miss[] {
  const [sent, found] = [cellsOf(meant), cellsOf(held)];
  const cells = differingCells(meant, held)
    .filter((path) => (path !== 'timeout' && path !== 'enabled') || meant[path] !== null)
    .map((path): Miss => {
      const name = path in wireNames ? wireNames[path as Member] : path;
      return { path, name, meant: sent.get(path) ?? null, held: found.get(path) ?? null };
    });
  const others = extrasOf(held);
  // The transport is the current generation's name for the kind, which was already compared.
  const { transport: _kind, ...sentOthers } = extrasOf(meant);
  const extras = Object.entries(sentOthers).flatMap(([name, value]): Miss[] => {
    const other = member(others, name) ?? null;
    // The service leaves out empty headers.
    if (same(value, other) || (other === null && same(value, {}))) return [];
    return [{ path: undefined, name, meant: value, held: other }];
  });
  return [...cells, ...extras];
}

/** True if the service has the server as meant. */
export function holds(meant: ServerValues & { readonly raw?: JsonObject }, held: HeldServer): boolean {
  return misses(meant, held).length === 0;
}
