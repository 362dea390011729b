import * as l10n from '@vscode/l10n';
import { kindLabel, mcpUrlSchema, type McpKind } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import {
  readHeaders,
  findPlaceholders,
  hasPlaceholder,
  type InputDefinition,
  type PlacedText,
} from './placeholders';
import { isMap, type Value } from './json';
import { leftoverWords, openSecretWords, placeholderWords } from './fill';
import { secretsIn } from './openSecrets';
import { stdioParts, textOf, type ServerParts } from './readCommand';
import { urlMembers, type ImportProblem, type ParsedServer } from './types';

/** What the file says about a server outside of it, and how it says it. */
export interface Surroundings {
  from: string;
  isOff: boolean;
  /** Names of members that it has more than once. */
  repeated: readonly string[];
}

export const neitherWords = () => l10n.t('The server has neither a command nor an address.');

/**
 * Reads one server of a file, with its `name` as in the file; a string says why it isn't a server.
 * @param members the members of its object; unknown ones are listed in `cannotCarry`
 */
export function readFileServer(
  sourceName: string,
  members: ReadonlyMap<string, Value>,
  inputs: ReadonlyMap<string, InputDefinition>,
  { from, isOff, repeated }: Surroundings,
): ParsedServer | string {
  const rest = unwrapped(members);
  /** Null means the same as absent. */
  const take = (...names: string[]) => {
    const name = names.find((one) => (rest.get(one) ?? null) !== null);
    const value = rest.get(name ?? '') ?? undefined;
    for (const one of names) if (one === name || rest.get(one) === null) rest.delete(one);
    return value;
  };
  const isThere = (name: string) => (rest.get(name) ?? '') !== '';
  // Some tools write an empty one beside an address.
  if (!isThere('command') && urlMembers.some(isThere)) rest.delete('command');
  const address = urlMembers.find((name) => (rest.get(name) ?? null) !== null);
  const command = rest.get('command') ?? undefined;
  if (address === undefined && command === undefined) return neitherWords();

  const stated = statedKind(take('type', 'transport', 'transportType'));
  const statesUrl = stated === 'sse' || stated === 'shttp';
  const isUrl = address !== undefined && (command === undefined || statesUrl);
  const parts = isUrl
    ? urlParts(
        take(address),
        take('headers', 'http_headers'),
        take('api_key', 'apiKey', 'authorization_token'),
      )
    : stdioParts(
        take('command'),
        take('args', 'arguments'),
        take('env', 'environment', 'environmentVariables'),
      );
  if (typeof parts === 'string') return parts;
  if (isUrl && statesUrl) parts.kind = stated;
  else if (isUrl && stated === undefined && address === 'httpUrl') parts.kind = 'shttp';
  else if (stated !== undefined && (isUrl || stated !== 'stdio'))
    parts.problems.push({
      member: 'kind',
      message: l10n.t(
        'The type is unknown or doesn’t match. The server is imported as “{0}”.',
        kindLabel(parts.kind),
      ),
      blocking: false,
    });
  const disabled = takeSwitches(rest) || isOff;
  for (const name of repeated)
    parts.cannotCarry.push(l10n.t('the first “{0}” (the file has it more than once)', plainText(name, 80)));
  for (const [name, value] of rest) parts.cannotCarry.push(...leftoverWords(name, value));
  return assemble(sourceName, from, { ...parts, disabled }, inputs);
}

/** The members of a server, some of which other tools put into an object within it. */
function unwrapped(members: ReadonlyMap<string, Value>): Map<string, Value> {
  const rest = new Map(members);
  for (const [outer, needed] of [
    ['transport', undefined],
    ['command', 'path'],
    ['requestInit', 'headers'],
    ['requestOptions', 'headers'],
  ] as const) {
    const inner = rest.get(outer);
    if (!isMap(inner) || (needed !== undefined && !inner.has(needed))) continue;
    rest.delete(outer);
    for (const [name, value] of inner) {
      const own = name === 'path' ? 'command' : name;
      rest.set(rest.has(own) ? `${outer}.${name}` : own, value);
    }
  }
  return rest;
}

/** Whether a member switches the server off, by any of the names that tools have for it. Takes those it understands. */
function takeSwitches(rest: Map<string, Value>): boolean {
  let isOff = false;
  for (const [name, value] of [...rest]) {
    const turns = /^(?:is_?)?(?:(enabled?|active|auto_?start|start_on_launch)|disabled?|inactive)$/i.exec(
      name,
    );
    const text = textOf(value)?.trim() ?? '';
    const isSet = /^(?:true|1|yes|on)$/i.test(text);
    if (turns === null || !(isSet || /^(?:false|0|no|off|null)$/i.test(text))) continue;
    rest.delete(name);
    if (isSet === (turns[1] === undefined)) isOff = true;
  }
  return isOff;
}

/** The kind that a server's type names; `unknown` for other types. */
function statedKind(type: Value | undefined): McpKind | 'unknown' | undefined {
  if (type === undefined) return undefined;
  const name = typeof type === 'string' ? type.toLowerCase().replace(/[^a-z]/g, '') : '';
  if (/^(?:https?|streamable(?:http)?|httpstream|shttp)$/.test(name)) return 'shttp';
  if (name === 'stdio' || name === 'local') return 'stdio';
  return name === 'sse' ? name : name === 'remote' ? undefined : 'unknown';
}

function urlParts(
  address: Value | undefined,
  headers: Value | undefined,
  key: Value | undefined,
): ServerParts | string {
  if (typeof address !== 'string') return l10n.t('“{0}” isn’t a string.', 'url');
  const url = address.trim();
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? '';
  const message = hasPlaceholder(url) ? undefined : refusal(mcpUrlSchema, url);
  const problems: ImportProblem[] = message === undefined ? [] : [{ member: 'url', message, blocking: true }];
  const kind = path.toLowerCase().endsWith('/sse') ? 'sse' : 'shttp';
  const read = readHeaders(headers);
  if (read.apiKey === null && typeof key === 'string' && key !== '') read.apiKey = key;
  else if (key !== undefined && key !== '') read.cannotCarry.push(...leftoverWords('apiKey', key));
  if (secretsIn(url).length > 0)
    problems.push({ member: 'url', message: openSecretWords({ at: 'url' }), blocking: false });
  return { kind, url, ...read, command: '', args: [], env: new Map(), problems };
}

function assemble(
  sourceName: string,
  from: string,
  parts: ServerParts & { disabled: boolean },
  inputs: ReadonlyMap<string, InputDefinition>,
): ParsedServer {
  const { kind, url, apiKey, isWholeHeader, command, args, env, cannotCarry, disabled, problems } = parts;
  const texts: PlacedText[] = [
    { place: { at: 'url' }, text: url },
    { place: { at: 'apiKey' }, text: apiKey ?? '' },
    { place: { at: 'command' }, text: command },
    ...args.map((text, index): PlacedText => ({ place: { at: 'args', index }, text })),
    ...[...env].map(([name, text]): PlacedText => ({ place: { at: 'env', name }, text })),
  ];
  const { placeholders, defaults, others } = findPlaceholders(texts, inputs, env);
  for (const { place, text } of others) {
    const [what, where] = [plainText(text, 80), placeholderWords(place)];
    cannotCarry.push(
      place.at === 'apiKey' || place.at === 'env'
        ? l10n.t('{0}, because of “{1}” in it', where, what)
        : l10n.t('the value of “{0}” in {1} (kept as text)', what, where),
    );
  }
  for (const { kind: from, name } of placeholders) {
    const editorCommand = from === 'input' ? inputs.get(name)?.command : null;
    if (typeof editorCommand === 'string')
      cannotCarry.push(
        l10n.t(
          'the editor command “{0}” that provides “{1}”',
          plainText(editorCommand, 80),
          plainText(name, 80),
        ),
      );
  }
  return {
    preview: {
      sourceName: plainText(sourceName, 200),
      from: plainText(from, 200),
      kind,
      url,
      hasApiKey: apiKey !== null,
      name: kind === 'stdio' ? sourceName : '',
      command,
      args,
      env: [...env.keys()],
      inputs: placeholders,
      cannotCarry,
      disabled,
      problems,
    },
    secrets: { apiKey, isWholeHeader, env, defaults },
  };
}
