import * as l10n from '@vscode/l10n';
import { mcpNameSchema } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import { UniqueNames } from '../../../../core/basics/uniqueNames';
import { findServers } from './find';
import { isMap, nodeMembers, readJsonText, repeatedIn, unusableAt } from './json';
import { plainName } from './names';
import { readInputs } from './placeholders';
import { readFileServer } from './readServer';
import type { ParsedFile, ParsedServer, RejectedServer } from './types';

export { maxMcpFileBytes } from './json';

/** A block of code in Markdown. */
const block = /^[ \t]*(```+|~~~+)[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;

/**
 * Reads MCP servers from a configuration file or pasted text of any known tool: maps or lists of servers wherever they
 * are, a single server's object, or a map of names to servers. Accepts comments, trailing commas, a byte order mark,
 * missing braces, and blocks of code in Markdown. Never throws; invalid entries don't affect the others.
 */
export function parseMcpFile(text: string): ParsedFile {
  const isJson = /^\s*(?:[{["]|\/[/*])/.test(text.replace(/^\uFEFF/, ''));
  const parsed = isJson ? readJson(text) : (readBlocks(text) ?? readJson(text));
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

function readJson(text: string): ParsedFile {
  const json = readJsonText(text);
  if (!json.ok) return json;
  const { root, positionOf, valueOf } = json;
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
      : l10n.t('A server must be an object with a command or an address.');
    if (typeof server !== 'string') servers.push(server);
    else rejected.push({ sourceName: plainText(name, 200), reason: server, at: positionOf(node) });
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
      if (kind === 'stdio') taken.add(before);
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
