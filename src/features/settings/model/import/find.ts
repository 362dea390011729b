import type { Node } from 'jsonc-parser/lib/esm/main.js';
import { allMembersOf, nodeMembers } from './json';

/** A server of a file, before it's read. */
interface Entry {
  name: string;
  node: Node;
  /** Where in the file it is, such as the path of a project; empty for the usual place. */
  from: string;
  /** Whether the file disables it elsewhere. */
  isOff: boolean;
  /** The type that its list says; empty if it says none. */
  type: string;
}

/** Members that hold the address, by the names that tools have for it. */
export const urlMembers = [
  'url',
  'serverUrl',
  'httpUrl',
  'baseUrl',
  'server_url',
  'base_url',
  'endpoint',
  'uri',
];

/** Deeper, there are no settings. */
const deepest = 6;

/** What was found: servers, and lists of servers that aren't lists. */
export interface FoundServers {
  entries: Entry[];
  bad: { name: string; node: Node }[];
  hasList: boolean;
}

/** Finds the servers of a file in any known format, wherever they are. */
export function findServers(root: Node): FoundServers {
  const found: FoundServers = { entries: [], bad: [], hasList: false };
  const isOff = switchesOf(root);
  const add = (name: string, node: Node, parent: Node, path: readonly string[]) => {
    if (node.type === 'null') return;
    found.hasList = true;
    const from = path
      .filter(
        (part) => !/^(?:mcp|mcp_config|agent_settings|projects|customizations|vscode|settings)$/.test(part),
      )
      .join(' › ');
    const entries = entriesIn(node);
    const offHere = offIn(parent);
    if (entries === undefined) found.bad.push({ name, node });
    for (const [own, server] of entries ?? [])
      found.entries.push({
        ...{ name: own, node: server, from, isOff: isOff(own) || offHere.has(own) },
        type: ownList.exec(name)?.[1] ?? '',
      });
  };
  const walk = (node: Node, path: readonly string[]) => {
    for (const [name, value] of allMembersOf(node)) {
      if (isList(name, value, path)) add(name, value, node, path);
      else if (value.type === 'object' && path.length < deepest && !isServer(value))
        walk(value, [...path, name]);
    }
  };
  if (root.type === 'array') add('servers', root, root, []);
  else walk(root, []);
  if (found.hasList) return found;

  if (isServer(root)) {
    const name = nodeMembers(root).get('name');
    const own = name?.type === 'string' ? String(name.value) : '';
    return {
      ...found,
      hasList: true,
      entries: [{ name: own, node: root, from: '', isOff: false, type: '' }],
    };
  }
  const objects = allMembersOf(root).filter(([, { type }]) => type === 'object');
  if (!objects.some(([, node]) => isServer(node))) return found;
  const entries = objects.map(([name, node]) => ({ name, node, from: '', isOff: false, type: '' }));
  return { ...found, hasList: true, entries };
}

/** The lists of the service’s own settings, each of one type. */
const ownList = /^(sse|shttp|stdio)_servers$/;

function isList(name: string, node: Node, path: readonly string[]): boolean {
  if (isServer(node)) return false;
  if (ownList.test(name)) return node.type === 'array';
  if (/(?:^|[._-])(?:mcp_?servers|context_servers|modelContextProtocolServers)$/i.test(name)) return true;
  if (/(?:^|\.)mcp\.servers$/i.test(name)) return true;
  if (name === 'servers') return path.length === 0 || /mcp$/i.test(path.at(-1) ?? '') || hasServers(node);
  return /(?:^|\.)mcp$/i.test(name) && hasServers(node);
}

const hasServers = (node: Node) => (entriesIn(node) ?? []).some(([, server]) => isServer(server));

function entriesIn(node: Node): [name: string, server: Node][] | undefined {
  if (node.type === 'object') return allMembersOf(node);
  if (node.type !== 'array') return undefined;
  return (node.children ?? []).map((server) => {
    const members = nodeMembers(server);
    const name = ['name', 'id', 'title'].map((own) => members.get(own)).find((own) => own?.type === 'string');
    return [String(name?.value ?? ''), server];
  });
}

/** True for a server's object. In a map of servers, these names would hold objects. */
function isServer(node: Node): boolean {
  const members = nodeMembers(node);
  const isText = (name: string) => (members.get(name)?.type ?? 'object') !== 'object';
  if (['command', ...urlMembers].some(isText)) return true;
  // Some tools put a server, or its command, into an object within.
  const transport = nodeMembers(members.get('transport'));
  const path = nodeMembers(members.get('command')).get('path');
  return (
    ['command', ...urlMembers].some((own) => transport.get(own)?.type === 'string') || path?.type === 'string'
  );
}

function textsIn(node: Node | undefined): string[] | undefined {
  if (node?.type !== 'array') return undefined;
  return (node.children ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

/** Servers that Claude Code disables in a project. */
function offIn(parent: Node): Set<string> {
  const members = nodeMembers(parent);
  const lists = ['disabledMcpServers', 'disabledMcpjsonServers'].map(
    (name) => textsIn(members.get(name)) ?? [],
  );
  return new Set(lists.flat());
}

/** Tells which servers Gemini disables for the whole file: those it excludes, or all but those it allows. */
function switchesOf(root: Node): (name: string) => boolean {
  const members = nodeMembers(root);
  const mcp = nodeMembers(members.get('mcp'));
  const lists = [mcp.get('excluded'), members.get('excludeMCPServers')].map((list) => textsIn(list) ?? []);
  const excluded = new Set(lists.flat());
  const list = textsIn(mcp.get('allowed')) ?? textsIn(members.get('allowMCPServers'));
  const allowed = list && new Set(list);
  return (name) => excluded.has(name) || allowed?.has(name) === false;
}
