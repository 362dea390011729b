import type { Node } from 'jsonc-parser/lib/esm/main.js';
import * as l10n from '@vscode/l10n';
import { mcpNameSchema } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { refusal } from '../../../shared/refusal';
import { UniqueNames } from '../../basics/uniqueNames';
import { isMap, membersOf, readJsonText, unusableAt, valueOf, type JsonText } from './json';
import { plainName } from './names';
import { readInputs, type InputDefinition } from './placeholders';
import { readServer, urlMembers } from './readServer';
import type { ParsedFile, ParsedServer, RejectedServer, Unusable } from './types';

export { maxMcpFileBytes } from './json';

/**
 * Reads MCP servers from a configuration file or pasted text: VS Code's `mcp.json` and the `mcp` section of its
 * settings, the `mcpServers` of Claude Desktop, Claude Code, Cursor and Windsurf, a single server's object, or a map
 * of names to servers. Accepts comments, trailing commas and a byte order mark. Never throws; invalid entries don't
 * affect the others.
 */
export function parseMcpFile(text: string): ParsedFile {
  const json = readJsonText(text);
  if (!json.ok) return json;
  const located = locate(json);
  if (!located.ok) return located;

  const servers: ParsedServer[] = [];
  const rejected: RejectedServer[] = [];
  for (const { name, node } of located.entries) {
    const value = valueOf(node);
    const server = isMap(value)
      ? readServer(name, value, located.inputs)
      : l10n.t('A server must be an object with a command or an address.');
    if (typeof server !== 'string') servers.push(server);
    else rejected.push({ sourceName: plainText(name, 200), reason: server, at: json.positionOf(node) });
  }
  return { ok: true, servers: withNames(servers), rejected };
}

type Located =
  { ok: true; entries: { name: string; node: Node }[]; inputs: Map<string, InputDefinition> } | Unusable;

/** Finds the servers in any of the supported file formats. */
function locate({ root, positionOf }: Extract<JsonText, { ok: true }>): Located {
  const fail = (node: Node, reason: string) => unusableAt(positionOf(node), reason);
  const members = membersOf(root);
  const sections = [members, membersOf(members.get('mcp'))];
  const definitions = sections.flatMap((each) => each.get('inputs') ?? []);
  const inputs = new Map(definitions.flatMap((list) => [...readInputs(valueOf(list))]));

  const lists = sections.flatMap((each) =>
    ['servers', 'mcpServers'].flatMap((name) => {
      const node = each.get(name);
      return node === undefined || node.type === 'null' || isServer(node) ? [] : [{ name, node }];
    }),
  );
  for (const { name, node } of lists)
    if (node.type !== 'object')
      return fail(node, l10n.t('“{0}” must be an object of servers by name.', name));
  const entries = (node: Node) => [...membersOf(node)].map(([name, value]) => ({ name, node: value }));
  if (lists.length > 0) return { ok: true, entries: lists.flatMap(({ node }) => entries(node)), inputs };

  if (isServer(root)) {
    const name = members.get('name');
    const own = name?.type === 'string' ? String(name.value) : '';
    return { ok: true, entries: [{ name: own, node: root }], inputs };
  }
  const objects = entries(root).filter(({ node }) => node.type === 'object');
  if (objects.some(({ node }) => isServer(node))) return { ok: true, entries: objects, inputs };
  return fail(root, l10n.t('No MCP servers found. Expected “servers”, “mcpServers”, or a single server.'));
}

/** True for a server's object. In a map of servers, these names would hold objects. */
function isServer(node: Node): boolean {
  const members = membersOf(node);
  return ['command', ...urlMembers].some((name) => {
    const value = members.get(name);
    return value !== undefined && value.type !== 'object';
  });
}

/** Gives stdio servers with invalid names new names that are unique in the file. */
function withNames(servers: ParsedServer[]): ParsedServer[] {
  const isBad = ({ preview: { kind, name } }: ParsedServer) =>
    kind === 'stdio' && refusal(mcpNameSchema, name) !== undefined;
  const names = new UniqueNames(
    servers.filter((server) => !isBad(server)).map(({ preview }) => preview.name),
  );
  return servers.map((server) => {
    if (!isBad(server)) return server;
    const { preview } = server;
    const { name: before, command } = preview;
    const name = names.take(plainName(before.trim() === '' ? (command.split(/[/\\]/).at(-1) ?? '') : before));
    const message =
      before.trim() === ''
        ? l10n.t('The server has no name. Suggested name: “{0}”.', name)
        : l10n.t(
            'Names can contain only letters, digits, hyphens, and underscores, so “{0}” becomes “{1}”.',
            plainText(before, 80),
            name,
          );
    const problems = [...preview.problems, { member: 'name', message, blocking: false } as const];
    return { ...server, preview: { ...preview, name, problems } };
  });
}
