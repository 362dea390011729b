import * as l10n from '@vscode/l10n';
import { mcpNameSchema } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import { UniqueNames } from '../../../../core/basics/uniqueNames';
import { isMap, nodeMembers, readJsonText, repeatedIn, unusableAt, allMembersOf } from './json';
import { readInputs } from './placeholders';
import { neitherWords, readFileServer } from './readServer';
import { describedServers, type DescribedServer } from './registry';
import { urlMembers, type ParsedFile, type ParsedServer, type Position, type RejectedServer } from './types';
import type { Node } from 'jsonc-parser/lib/esm/main.js';

export { maxMcpFileBytes } from './json';

/** A block of code in Markdown. */
const block = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;

/**
 * Reads MCP servers from a configuration file or pasted text of any known tool: maps or lists of servers wherever they
 * are, a single server's object, a map of names to servers, or a registry's or a bundle's description of one. Accepts comments, trailing commas, a byte order mark,
 * missing braces, blocks of code in Markdown, and text around an object. Never throws; invalid entries don't affect the others.
 */
export function parseMcpFile(text: string): ParsedFile {
  const isJson = /^\s*(?:[{["]|\/[/*])/.test(text.replace(/^\uFEFF/, ''));
  const parsed = isJson ? readJson(text) : (readBlocks(text) ?? readWithin(text) ?? readJson(text));
  return parsed.ok ? { ...parsed, servers: withNames(parsed.servers) } : parsed;
}

/** Reads every block of JSON; undefined if there's none with servers. */
function readBlocks(text: string): ParsedFile | undefined {
  const servers: ParsedServer[] = [];
  const rejected: RejectedServer[] = [];
  let [line, end] = [0, 0];
  for (const { 0: whole, 2: inside = '', index } of text.matchAll(block)) {
    const start = index + whole.indexOf('\n') + 1;
    line += text.slice(end, start).split('\n').length - 1;
    end = start;
    if (!/^\s*(?:[{["]|\/[/*])/.test(inside)) continue;
    const file = readJson(inside);
    if (file.ok) servers.push(...file.servers);
    const failed = file.ok
      ? file.rejected
      : [
          {
            sourceName: l10n.t('A block of code'),
            reason: file.reason,
            at: file.at ?? { line: 1, column: 1 },
          },
        ];
    for (const each of failed)
      rejected.push({ ...each, at: { line: line + each.at.line, column: each.at.column } });
  }
  return servers.length > 0 ? { ok: true, servers, rejected } : undefined;
}

/** Reads the object that is within another text, at its place; undefined if that can’t be read. */
function readWithin(text: string): ParsedFile | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return undefined;
  const file = readJson(text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start, end + 1));
  return file.ok ? file : undefined;
}

function readJson(text: string): ParsedFile {
  const json = readJsonText(text);
  if (!json.ok) return json;
  const { root, positionOf, valueOf } = json;
  const isDescription =
    root.type === 'array' ||
    ['packages', 'remotes', 'server', 'servers', 'manifest_version', 'dxt_version'].some((name) =>
      nodeMembers(root).has(name),
    );
  const described = isDescription ? describedServers(valueOf(root)) : [];
  if (described.length > 0) return readDescribed(described, positionOf(root));
  const found = findServers(root);
  const [bad] = found.bad;
  const wrong = (name: string) => l10n.t('“{0}” must be an object of servers by name.', name);
  if (bad !== undefined && found.entries.length === 0)
    return unusableAt(positionOf(bad.node), wrong(bad.name));
  if (!found.hasList)
    return unusableAt(
      positionOf(root),
      l10n.t('No MCP servers found. Expected “servers”, “mcpServers”, or a single server.'),
    );

  const members = nodeMembers(root);
  const definitions = [members.get('inputs'), nodeMembers(members.get('mcp')).get('inputs')];
  const inputs = new Map(definitions.flatMap((list) => (list ? [...readInputs(valueOf(list))] : [])));
  const servers: ParsedServer[] = [];
  const rejected: RejectedServer[] = found.bad.map(({ name, node }) => ({
    sourceName: plainText(name, 200),
    reason: wrong(name),
    at: positionOf(node),
  }));
  for (const { name, node, from, isOff, type } of found.entries) {
    const own = valueOf(node);
    // The service also takes an address alone.
    const told = type !== '' && typeof own === 'string' ? new Map([['url', own]]) : own;
    const value = type !== '' && isMap(told) ? new Map([['type', type], ...told]) : told;
    const server = isMap(value)
      ? readFileServer(name, value, inputs, { from, isOff, repeated: repeatedIn(node) })
      : neitherWords();
    if (typeof server !== 'string') servers.push(server);
    else rejected.push({ sourceName: plainText(name, 200), reason: server, at: positionOf(node) });
  }
  return { ok: true, servers, rejected };
}

function readDescribed(described: readonly DescribedServer[], at: Position): ParsedFile {
  const servers: ParsedServer[] = [];
  const rejected: RejectedServer[] = [];
  for (const { name, from, members, inputs, left, status } of described) {
    const server =
      typeof members === 'string'
        ? members
        : readFileServer(name, members, inputs, { from, isOff: false, repeated: [] });
    if (typeof server === 'string') rejected.push({ sourceName: plainText(name, 200), reason: server, at });
    else {
      server.preview.cannotCarry.push(...left);
      const message = l10n.t('The registry says that this server is “{0}”.', status);
      if (status !== '') server.preview.problems.push({ member: 'kind', message, blocking: false });
      servers.push(server);
    }
  }
  return { ok: true, servers, rejected };
}

/** Gives stdio servers names that the service accepts and that are unique in the file. */
function withNames(servers: ParsedServer[]): ParsedServer[] {
  const isBad = ({ preview: { name } }: ParsedServer) => refusal(mcpNameSchema, name) !== undefined;
  const local = servers.filter(({ preview }) => preview.kind === 'stdio');
  const names = new UniqueNames(local.filter((server) => !isBad(server)).map(({ preview }) => preview.name));
  const taken = new Set<string>();
  return servers.map((server) => {
    const { preview } = server;
    const { name: before, command, kind } = preview;
    const isTaken = taken.has(before);
    if (kind !== 'stdio' || (!isBad(server) && !isTaken)) {
      taken.add(before);
      return server;
    }
    const name = names.take(plainName(before.trim() === '' ? (command.split(/[/\\]/).at(-1) ?? '') : before));
    taken.add(name);
    const label = plainText(before, 80);
    const message =
      before.trim() === ''
        ? l10n.t('The server has no name. Suggested name: “{0}”.', name)
        : isTaken
          ? l10n.t('The file has another server called “{0}”, so this one becomes “{1}”.', label, name)
          : l10n.t(
              'Names can contain only letters, digits, hyphens, and underscores, so “{0}” becomes “{1}”.',
              label,
              name,
            );
    const problems = [...preview.problems, { member: 'name', message, blocking: false } as const];
    return { ...server, preview: { ...preview, name, problems } };
  });
}

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

/** Deeper, there are no settings. */
const deepest = 6;

/** What was found: servers, and lists of servers that aren't lists. */
interface FoundServers {
  entries: Entry[];
  bad: { name: string; node: Node }[];
  hasList: boolean;
}

/** Finds the servers of a file in any known format, wherever they are. */
function findServers(root: Node): FoundServers {
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
      if (isList(name, value, path.at(-1))) add(name, value, node, path);
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

/** @param parent the name of what it's in; undefined at the top */
function isList(name: string, node: Node, parent: string | undefined): boolean {
  if (isServer(node)) return false;
  if (ownList.test(name)) return node.type === 'array';
  if (/(?:^|[._-])(?:mcp_?servers|context_servers|modelContextProtocolServers)$/i.test(name)) return true;
  if (/(?:^|\.)mcp\.servers$/i.test(name)) return true;
  if (name === 'servers') return parent === undefined || /mcp$/i.test(parent) || hasServers(node);
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

/** Turns any text into a short name the service accepts for stdio servers: letters, digits, hyphens, underscores. */
export function plainName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, 64)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}
