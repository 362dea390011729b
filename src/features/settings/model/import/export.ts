import * as l10n from '@vscode/l10n';
import type { McpSecret, McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { parseUrl } from '../../../../shared/url';
import { UniqueNames } from '../../../../core/basics/uniqueNames';
import { plainName } from './parse';
import { secretsIn, secretsInArgs, withoutSecrets, type OpenSecret } from './openSecrets';
import { applyEdits, getNodeValue, modify, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type Json } from '../../../../shared/json';
import { same } from '../../../../shared/same';
import { allMembersOf, nodeMembers, readJsonText, unusableAt } from './json';
import type { Unusable } from './types';

/** The members of a JSON object in order; a real object would move names such as `1` to the front. */
type Members = [name: string, json: string][];

/**
 * The servers as the text of a VS Code `mcp.json`. Secrets that are or may be set become inputs that the editor asks
 * for, and so does what looks like a secret in addresses and arguments. What the format doesn't support is noted in a
 * comment.
 */
export function exportMcpFile(servers: readonly McpServer[]): string {
  const unique = new UniqueNames();
  const nameOf = new Map<McpServer, string>();
  // Names derived from addresses are made up, so real names come first.
  for (const server of servers) if (server.kind === 'stdio') nameOf.set(server, unique.take(server.name));
  for (const server of servers)
    if (server.kind !== 'stdio') nameOf.set(server, unique.take(plainName(parseUrl(server.url)?.host ?? '')));
  // References that a text has already stay literal: no input may have their ids.
  const texts = servers.flatMap(({ url, command, args }) => [url, command, ...args]);
  const ids = new UniqueNames(
    texts.flatMap((text) => [...text.matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id]) => id)),
  );
  const inputs: object[] = [];
  const secret = (name: string, description: string) => {
    const id = ids.take(plainName(name));
    inputs.push({ type: 'promptString', id, description, password: true });
    return `\${input:${id}}`;
  };

  const entries = servers.map((server) => {
    const name = nameOf.get(server) ?? '';
    const members =
      server.kind === 'stdio' ? stdioMembers(server, name, secret) : urlMembers(server, name, secret);
    const lines = comments(server).map((line) => `    // ${line}\n`);
    return `${lines.join('')}    ${JSON.stringify(name)}: ${object(members, 4)}`;
  });
  const list = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  const asked = JSON.stringify(inputs, null, 2).replaceAll('\n', '\n  ');
  return `{\n  "servers": ${list},\n  "inputs": ${asked}\n}\n`;
}

type MakeSecret = (name: string, description: string) => string;

function urlMembers({ kind, url, apiKey }: McpServer, name: string, secret: MakeSecret): Members {
  const found = secretsIn(url);
  const label = plainText(
    withoutSecrets(url, found, () => '…'),
    200,
  );
  const asked = withoutSecrets(url, found, openSecret(name, label, secret));
  const members: Members = [
    ['type', JSON.stringify(kind === 'sse' ? 'sse' : 'http')],
    ['url', JSON.stringify(asked)],
  ];
  if (!mayBeSet(apiKey)) return members;
  const input = secret(`${name}-api-key`, l10n.t('API key for the MCP server {0}', label));
  return [...members, ['headers', object([['Authorization', JSON.stringify(`Bearer ${input}`)]], 6)]];
}

/** Makes an input of a secret in an address or argument. */
function openSecret(server: string, label: string, secret: MakeSecret): (found: OpenSecret) => string {
  return ({ name }) =>
    secret(`${server}-${name}`, l10n.t('{0} for the MCP server {1}', plainText(name, 80), label));
}

function stdioMembers({ command, args, env }: McpServer, name: string, secret: MakeSecret): Members {
  const found = secretsInArgs(args, command);
  const open = openSecret(name, plainText(name, 80), secret);
  const asked = args.map((text, index) => withoutSecrets(text, found[index] ?? [], open));
  const values = env.map((entry): Members[number] => {
    const description = l10n.t('{0} for the MCP server {1}', plainText(entry.name, 80), plainText(name, 80));
    return [entry.name, JSON.stringify(mayBeSet(entry) ? secret(`${name}-${entry.name}`, description) : '')];
  });
  return [
    ['type', '"stdio"'],
    ['command', JSON.stringify(command)],
    ['args', JSON.stringify(asked)],
    ...(values.length > 0 ? [['env', object(values, 6)] as Members[number]] : []),
  ];
}

function mayBeSet({ presence, intention }: McpSecret): boolean {
  return intention === 'replace' || (intention === 'keep' && presence !== 'notSet');
}

function comments({ kind, url, timeout, command, args, enabled }: McpServer): string[] {
  const texts = kind === 'stdio' ? [command, ...args] : [url];
  return [
    ...(enabled === false ? [l10n.t('Turned off on the service: not supported by this format.')] : []),
    ...(kind === 'shttp' && timeout !== null
      ? [l10n.t('Timeout of {0} seconds: not supported by this format.', timeout)]
      : []),
    ...(texts.some((text) => text.includes('${'))
      ? [l10n.t('“{0}” is literal text here, but tools that read this file will replace it.', '${…}')]
      : []),
  ];
}

function object(members: Members, indent: number): string {
  const pad = ' '.repeat(indent + 2);
  const lines = members.map(([name, json]) => `${pad}${JSON.stringify(name)}: ${json}`);
  return `{\n${lines.join(',\n')}\n${' '.repeat(indent)}}`;
}

/** The file's new text, or why it wasn't changed. */
type MergedFile =
  | { ok: true; text: string }
  /** The file has other servers with these names. */
  | { ok: false; taken: string[] }
  | Unusable;

/** As the file is indented. */
function formattingOf(text: string) {
  const [, indent = '  '] = /^(\t| +)\S/m.exec(text) ?? [];
  return { insertSpaces: indent !== '\t', tabSize: indent.length };
}

/**
 * Adds the servers of an exported `mcp.json` to an existing one, keeping its entries, comments and formatting.
 * Identical servers are skipped. An input whose id is taken gets a new id.
 *
 * @param added the text from `exportMcpFile`
 * @param replace whether to replace servers with the same names; otherwise `taken` lists them
 */
export function mergeMcpFile(existing: string, added: string, replace: boolean): MergedFile {
  const text = existing.trim() === '' ? '{}' : existing.replace(/^\uFEFF/, '');
  const before = readJsonText(text);
  if (!before.ok) return before;
  const after = readJsonText(added);
  if (!after.ok) return after;
  const wrong = wrongPart(before.root, text);
  if (wrong !== undefined) return unusableAt(before.positionOf(wrong.node), wrong.reason);

  const inputs = inputsOf(before.root);
  const { newInputs, renamed } = mergeInputs(inputs, inputsOf(after.root));
  const held = serversOf(before.root);
  const servers = [...serversOf(after.root)].map(
    ([name, node]) => [name, withIds(jsonOf(node), renamed)] as const,
  );
  const different = servers.filter(([name, server]) => {
    const other = held.get(name);
    return other === undefined || !same(jsonOf(other), server);
  });
  const taken = different.map(([name]) => name).filter((name) => held.has(name));
  if (taken.length > 0 && !replace) return { ok: false, taken };

  const formattingOptions = formattingOf(text);
  let result = text;
  const put = (path: (string | number)[], value: Json) => {
    result = applyEdits(result, modify(result, path, value, { formattingOptions }));
  };
  for (const [name, server] of different) put(['servers', name], server);
  if (newInputs.length > 0 && inputs.length === 0) put(['inputs'], newInputs);
  else newInputs.forEach((input, index) => put(['inputs', inputs.length + index], input));
  return { ok: true, text: result };
}

/** What prevents adding to the file: the first member of another type, or the text as a whole. */
function wrongPart(root: Node, text: string): { node: Node; reason: string } | undefined {
  // An import also reads lists of servers, and members without braces.
  if (text[root.offset] !== '{') return { node: root, reason: l10n.t('This isn’t a JSON object.') };
  const members = nodeMembers(root);
  // The editor reads the last one.
  const [repeated] = allMembersOf(root).filter(
    ([name, node]) => /^(?:servers|inputs)$/.test(name) && members.get(name) !== node,
  );
  const last = repeated && members.get(repeated[0]);
  if (last) return { node: last, reason: l10n.t('The file has “{0}” more than once.', repeated[0]) };
  const servers = members.get('servers');
  if (servers !== undefined && servers.type !== 'object')
    return { node: servers, reason: l10n.t('“{0}” must be an object of servers by name.', 'servers') };
  const inputs = members.get('inputs');
  if (inputs !== undefined && inputs.type !== 'array')
    return { node: inputs, reason: l10n.t('“{0}” must be a list.', 'inputs') };
  return undefined;
}

function serversOf(root: Node): Map<string, Node> {
  return nodeMembers(nodeMembers(root).get('servers'));
}

/** The elements of the list, which a file may lack. */
function inputsOf(root: Node): Json[] {
  return (nodeMembers(root).get('inputs')?.children ?? []).map(jsonOf);
}

/** The inputs to add, and the new ids of all added inputs. */
function mergeInputs(held: readonly Json[], added: readonly Json[]) {
  const ids = new UniqueNames(held.flatMap((input) => idOf(input) ?? []));
  const renamed = new Map<string, string>();
  const newInputs: Json[] = [];
  for (const input of added) {
    const id = idOf(input);
    if (id === undefined || !isJsonObject(input) || held.some((one) => same(one, input))) continue;
    const free = ids.take(id);
    renamed.set(id, free);
    newInputs.push({ ...input, id: free });
  }
  return { newInputs, renamed };
}

function idOf(input: Json): string | undefined {
  const id = isJsonObject(input) ? input['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Renames references to added inputs. The user's own text has none: the export gives no input an id from there. */
function withIds(server: Json, renamed: ReadonlyMap<string, string>): Json {
  if (typeof server === 'string')
    return server.replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => `\${input:${renamed.get(id) ?? id}}`);
  if (Array.isArray(server)) return server.map((each) => withIds(each, renamed));
  if (!isJsonObject(server)) return server;
  return Object.fromEntries(Object.entries(server).map(([name, value]) => [name, withIds(value, renamed)]));
}

const jsonOf = (node: Node) => getNodeValue(node) as Json;
