import * as l10n from '@vscode/l10n';
import { mcpUrlSchema, type McpKind } from '../../../../shared/mcp';
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
import { leftoverWords, placeholderWords } from './fill';
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
    parts.problems.push({ member: 'kind', message: kindWords(parts.kind), blocking: false });
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

/** Names of members that switch a server on or off, in lower case and without “is”. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ['enabled', true],
  ['enable', true],
  ['active', true],
  ['disabled', false],
  ['disable', false],
  ['inactive', false],
]);

/** Whether a member switches the server off, by any of the names that tools have for it. Takes those it understands. */
function takeSwitches(rest: Map<string, Value>): boolean {
  let isOff = false;
  for (const [name, value] of [...rest]) {
    const turnsOn = switches.get(name.toLowerCase().replace(/^is_?/, ''));
    const text = textOf(value)?.trim().toLowerCase() ?? '';
    const isSet = /^(?:true|1|yes|on)$/.test(text);
    if (turnsOn === undefined || !(isSet || /^(?:false|0|no|off|null)$/.test(text))) continue;
    rest.delete(name);
    if (value !== null && isSet !== turnsOn) isOff = true;
  }
  return isOff;
}

function kindWords(kind: McpKind): string {
  if (kind === 'stdio')
    return l10n.t(
      'The type is unknown or doesn’t match. The server has a command, so it’s imported as stdio.',
    );
  return l10n.t(
    'The type is unknown or doesn’t match. Based on its address, the server is imported as {0}.',
    kind === 'sse' ? 'SSE' : 'HTTP',
  );
}

/** The kind that a server's type names; `unknown` for other types. */
function statedKind(type: Value | undefined): McpKind | 'unknown' | undefined {
  if (type === undefined) return undefined;
  switch (typeof type === 'string' ? type.toLowerCase().replace(/[^a-z]/g, '') : '') {
    case 'http':
    case 'https':
    case 'streamable':
    case 'streamablehttp':
    case 'httpstream':
    case 'shttp':
      return 'shttp';
    case 'sse':
      return 'sse';
    case 'remote':
      return undefined;
    case 'stdio':
    case 'local':
      return 'stdio';
    default:
      return 'unknown';
  }
}

function urlParts(
  address: Value | undefined,
  headers: Value | undefined,
  key: Value | undefined,
): ServerParts | string {
  if (typeof address !== 'string') return l10n.t('The address isn’t a string.');
  const url = address.trim();
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? '';
  const message = hasPlaceholder(url) ? undefined : refusal(mcpUrlSchema, url);
  const problems: ImportProblem[] = message === undefined ? [] : [{ member: 'url', message, blocking: true }];
  const kind = path.toLowerCase().endsWith('/sse') ? 'sse' : 'shttp';
  const read = readHeaders(headers);
  if (read.apiKey === null && typeof key === 'string' && key !== '') read.apiKey = key;
  else if (key !== undefined && key !== '') read.cannotCarry.push(...leftoverWords('apiKey', key));
  if (secretsIn(url).length > 0)
    problems.push({
      member: 'url',
      message: l10n.t(
        'The address seems to contain a password or key. The service doesn’t treat it as a secret.',
      ),
      blocking: false,
    });
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
