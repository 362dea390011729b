import * as l10n from '@vscode/l10n';
import { mcpCommandSchema, mcpEnvNameSchema, mcpUrlSchema, type McpKind } from '../../../../shared/mcp';
import { exposedCode } from '../../../../shared/exposed';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import {
  readHeaders,
  findPlaceholders,
  hasPlaceholder,
  type InputDefinition,
  type PlacedText,
} from './placeholders';
import { isMap, NumberText, type Value } from './json';
import { leftoverWords, placeholderWords } from './fill';
import { secretsIn, secretsInArgs } from './openSecrets';
import { urlMembers, type ImportProblem, type ParsedServer } from './types';

/** The parts of one server, before placeholders are found. */
interface Parts {
  kind: McpKind;
  url: string;
  apiKey: string | null;
  isWholeHeader: boolean;
  command: string;
  args: string[];
  env: Map<string, string>;
  cannotCarry: string[];
  problems: ImportProblem[];
}

/** What the file says about a server outside of it, and how it says it. */
export interface Surroundings {
  from: string;
  isOff: boolean;
  /** Names of members that it has more than once. */
  repeated: readonly string[];
}

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
  const address = urlMembers.find((name) => (rest.get(name) ?? null) !== null);
  const command = rest.get('command') ?? undefined;
  if (address === undefined && command === undefined)
    return l10n.t('The server has neither a command nor an address.');

  const stated = statedKind(take('type', 'transport', 'transportType'));
  const statesUrl = stated === 'sse' || stated === 'shttp';
  const isUrl = address !== undefined && (command === undefined || statesUrl);
  const parts = isUrl
    ? urlParts(take(address), take('headers', 'http_headers'), take('api_key', 'apiKey'))
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
): Parts | string {
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

function stdioParts(
  command: Value | undefined,
  args: Value | undefined,
  env: Value | undefined,
): Parts | string {
  const list = Array.isArray(command) ? command.map(textOf) : [];
  const [line, ...more] = Array.isArray(command) ? list : [command];
  const isList = more.every((text) => typeof text === 'string');
  if (typeof line !== 'string' || !isList) return l10n.t('The command isn’t a string.');
  const problems: ImportProblem[] = [];
  const hasArgs = Array.isArray(args) && args.length > 0;
  const parts = commandParts(line, more.length > 0, hasArgs, problems);
  const all = [...parts.args, ...more, ...readArgs(args, problems)];
  secretsInArgs(all).forEach((found, index) => {
    if (found.length === 0) return;
    const message = l10n.t(
      'Argument {0} seems to contain a password or key. The service doesn’t treat it as a secret.',
      index + 1,
    );
    problems.push({ member: 'args', message, blocking: false });
  });
  return {
    kind: 'stdio',
    url: '',
    apiKey: null,
    isWholeHeader: false,
    command: parts.command,
    args: all,
    env: readEnv(env, problems),
    cannotCarry: [],
    problems,
  };
}

/**
 * The program and the arguments of a command line. A path with spaces isn't taken apart: it can't be used.
 * @param isProgram whether the line can only be a program, since its arguments are elements after it
 * @param hasArgs whether the server has arguments elsewhere
 */
function commandParts(
  line: string,
  isProgram: boolean,
  hasArgs: boolean,
  problems: ImportProblem[],
): { command: string; args: string[] } {
  const [first = '', ...more] = words(line);
  if (/\s/.test(line.trim()) && (isProgram || isSpacedPath(line.trim(), hasArgs))) {
    const message = l10n.t(
      'The command seems to be a path with spaces, which the service can’t run. Enter a command or a path without spaces.',
    );
    problems.push({ member: 'command', message, blocking: true });
    return { command: line.trim(), args: [] };
  }
  if (more.length > 0) {
    const message = l10n.t(
      'The command contains spaces. “{0}” becomes the command, and the rest becomes arguments: {1}',
      plainText(first, 80),
      plainText(more.join(' '), 200),
    );
    problems.push({ member: 'command', message, blocking: false });
  }
  if (/[\p{Cc}\p{Cf}]/u.test(first)) {
    const message = l10n.t('The command has invisible characters: {0}', exposedCode(first).slice(0, 200));
    problems.push({ member: 'command', message, blocking: true });
    return { command: first, args: more };
  }
  const refused = hasPlaceholder(first) ? undefined : refusal(mcpCommandSchema, first);
  if (refused !== undefined) problems.push({ member: 'command', message: refused, blocking: true });
  return { command: first, args: more };
}

/** True for a path whose names may have spaces; with arguments elsewhere, it has none of its own. */
function isSpacedPath(line: string, hasArgs: boolean): boolean {
  const [first = '', ...more] = line.split(/\s+/);
  if (!/^(?:[A-Za-z]:[\\/]|[\\/~.%$])/.test(first)) return false;
  const isProgram =
    /\.(?:exe|cmd|bat|com|ps1|sh|py|js)$/i.test(first) ||
    /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]+$/.test(first);
  if (isProgram) return false;
  return (
    hasArgs ||
    more.some(
      (word) =>
        /\.(?:exe|cmd|bat|com|ps1|sh|app|bin)$/i.test(word) ||
        (/[\\/]/.test(word) && !/^(?:[-@"'~.\\/%$]|[A-Za-z]:|\w+:\/\/)/.test(word)),
    )
  );
}

/** Splits a command line into words without quotes. Never splits between `${` and `}`. */
function words(line: string): string[] {
  if (!/\s/.test(line.trim())) return [line.trim()];
  const found = line.match(/(?:\$\{[^{}]*\}|"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return found.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}

function readArgs(args: Value = [], problems: ImportProblem[]): string[] {
  const bad = (message: string) => problems.push({ member: 'args', message, blocking: false });
  if (typeof args === 'string') {
    const split = args.trim() === '' ? [] : words(args);
    if (split.length > 1) bad(l10n.t('The arguments are one string, which is split at its spaces.'));
    return split;
  }
  if (!Array.isArray(args)) {
    bad(l10n.t('The arguments aren’t a list and are left out.'));
    return [];
  }
  const texts = args.flatMap((arg) => textOf(arg) ?? []);
  if (texts.length < args.length) bad(l10n.t('Arguments that aren’t strings are left out.'));
  return texts;
}

function readEnv(env: Value = new Map(), problems: ImportProblem[]): Map<string, string> {
  const bad = (message: string, blocking: boolean) => problems.push({ member: 'env', message, blocking });
  const result = new Map<string, string>();
  if (!isMap(env)) {
    bad(l10n.t('The environment isn’t an object and is left out.'), false);
    return result;
  }
  for (const [name, value] of env) {
    const text = textOf(value);
    const label = plainText(name, 80);
    if (value === null) bad(l10n.t('The service can’t unset variables, so “{0}” is left out.', label), false);
    else if (text === undefined)
      bad(l10n.t('The variable “{0}” isn’t a string and is left out.', label), false);
    else {
      const message = refusal(mcpEnvNameSchema, name);
      if (message !== undefined) bad(l10n.t('Variable “{0}”: {1}', label, message), true);
      result.set(name, text);
    }
  }
  return result;
}

function textOf(value: Value): string | undefined {
  if (value instanceof NumberText) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}

function assemble(
  sourceName: string,
  from: string,
  parts: Parts & { disabled: boolean },
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
