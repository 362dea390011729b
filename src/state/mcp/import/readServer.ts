import * as l10n from '@vscode/l10n';
import { mcpCommandSchema, mcpEnvNameSchema, mcpUrlSchema, type McpKind } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { refusal } from '../../../shared/refusal';
import { readHeaders } from './headers';
import { isMap, type Value } from './json';
import { leftoverWords, placeWords } from './leftovers';
import { findPlaceholders, hasPlaceholder, type InputDefinition, type PlacedText } from './placeholders';
import type { ImportProblem, ParsedServer } from './types';

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

/** Members that hold the address, including other tools' names for it. */
export const urlMembers = ['url', 'serverUrl', 'httpUrl'];

/**
 * Reads one server of a file, with its `name` as in the file; a string says why it isn't a server.
 * @param members the members of its object; unknown ones are listed in `cannotCarry`
 */
export function readServer(
  sourceName: string,
  members: ReadonlyMap<string, Value>,
  inputs: ReadonlyMap<string, InputDefinition>,
): ParsedServer | string {
  const rest = new Map(members);
  /** Null means the same as absent. */
  const take = (name: string) => {
    const value = rest.get(name) ?? undefined;
    rest.delete(name);
    return value;
  };
  const address = urlMembers.find((name) => (rest.get(name) ?? null) !== null);
  const command = rest.get('command') ?? undefined;
  if (address === undefined && command === undefined)
    return l10n.t('The server has neither a command nor an address.');

  const stated = statedKind(take('type') ?? take('transport') ?? take('transportType'));
  const statesUrl = stated === 'sse' || stated === 'shttp';
  const isUrl = address !== undefined && (command === undefined || statesUrl);
  const parts = isUrl
    ? urlParts(take(address), take('headers'))
    : stdioParts(take('command'), take('args'), take('env'));
  if (typeof parts === 'string') return parts;
  if (isUrl && statesUrl) parts.kind = stated;
  else if (stated !== undefined && (isUrl || stated !== 'stdio'))
    parts.problems.push({ member: 'kind', message: kindWords(parts.kind), blocking: false });
  const disabled = rest.get('disabled') === true || rest.get('enabled') === false;
  if (disabled) rest.delete('disabled');
  for (const [name, value] of rest) parts.cannotCarry.push(...leftoverWords(name, value));
  return assemble(sourceName, { ...parts, disabled }, inputs);
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
    case 'stdio':
    case 'local':
      return 'stdio';
    default:
      return 'unknown';
  }
}

function urlParts(address: Value | undefined, headers: Value | undefined): Parts | string {
  if (typeof address !== 'string') return l10n.t('The address isn’t a string.');
  const url = address.trim();
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? '';
  const message = hasPlaceholder(url) ? undefined : refusal(mcpUrlSchema, url);
  const problems: ImportProblem[] = message === undefined ? [] : [{ member: 'url', message, blocking: true }];
  const kind = path.toLowerCase().endsWith('/sse') ? 'sse' : 'shttp';
  return { kind, url, ...readHeaders(headers), command: '', args: [], env: new Map(), problems };
}

function stdioParts(
  command: Value | undefined,
  args: Value | undefined,
  env: Value | undefined,
): Parts | string {
  if (typeof command !== 'string') return l10n.t('The command isn’t a string.');
  const problems: ImportProblem[] = [];
  const [first = '', ...more] = words(command);
  if (more.length > 0) {
    const message = l10n.t(
      'The command contains spaces. “{0}” becomes the command, and the rest becomes arguments: {1}',
      plainText(first, 80),
      plainText(more.join(' '), 200),
    );
    problems.push({ member: 'command', message, blocking: false });
  }
  const refused = hasPlaceholder(first) ? undefined : refusal(mcpCommandSchema, first);
  if (refused !== undefined) problems.push({ member: 'command', message: refused, blocking: true });
  return {
    kind: 'stdio',
    url: '',
    apiKey: null,
    isWholeHeader: false,
    command: first,
    args: [...more, ...readArgs(args, problems)],
    env: readEnv(env, problems),
    cannotCarry: [],
    problems,
  };
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
  return typeof value === 'object' ? undefined : String(value);
}

function assemble(
  sourceName: string,
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
  const { placeholders, defaults, others } = findPlaceholders(texts, inputs);
  for (const { place, text } of others)
    cannotCarry.push(
      l10n.t('the value of “{0}” in {1} (kept as text)', plainText(text, 80), placeWords(place)),
    );
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
