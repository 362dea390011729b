import * as l10n from '@vscode/l10n';
import { applyEdits, getNodeValue, modify, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type Json } from '../../../../shared/json';
import { same } from '../../../../shared/same';
import { UniqueNames } from '../../../../core/basics/uniqueNames';
import { nodeMembers, readJsonText, unusableAt } from './json';
import type { Unusable } from './types';

/** The file's new text, or why it wasn't changed. */
export type MergedFile =
  | { ok: true; text: string }
  /** The file has other servers with these names. */
  | { ok: false; taken: string[] }
  | Unusable;

const formattingOptions = { insertSpaces: true, tabSize: 2 };

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
