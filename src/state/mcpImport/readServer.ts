import * as l10n from '@vscode/l10n';
import { mcpCommandSchema, mcpEnvNameSchema, mcpUrlSchema, type McpKind } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import { readHeaders } from './headers';
import { isMap, type Value } from './json';
import { leftoverWords, placeWords } from './leftovers';
import { findPlaceholders, hasPlaceholder, type InputDefinition, type PlacedText } from './placeholders';
import type { ImportProblem, ParsedServer } from './types';

/** What one server is made of, before placeholders are looked for. */
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

/** The first sentence that a schema of the form has against a value. */
export function refusal(
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  value: unknown,
): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

/** Members that hold the address, those of other tools included. */
export const urlMembers = ['url', 'serverUrl', 'httpUrl'];

/**
 * One server of a file; a text says why it is none. Its `name` is still that of the file.
 * @param members those of its object; read members are taken out of a copy, and what stays is named
 */
export function readServer(
  sourceName: string,
  members: ReadonlyMap<string, Value>,
  inputs: ReadonlyMap<string, InputDefinition>,
): ParsedServer | string {
  const rest = new Map(members);
  const take = (name: string) => {
    const value = rest.get(name) ?? undefined;
    rest.delete(name);
    return value;
  };
  const address = urlMembers.find((name) => (rest.get(name) ?? null) !== null);
  const command = rest.get('command') ?? undefined;
  if (address === undefined && command === undefined)
    return l10n.t('It has neither a command nor an address.');

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
  for (const [name, value] of rest) parts.cannotCarry.push(...leftoverWords(name, value));
  return assemble(sourceName, parts, inputs);
}

function kindWords(kind: McpKind): string {
  if (kind === 'stdio')
    return l10n.t('Its type is not known or does not fit; it has a command and is taken as stdio.');
  return l10n.t(
    'Its type is not known or does not fit; by its address it is taken as {0}.',
    kind === 'sse' ? 'SSE' : 'HTTP',
  );
}

/** The kind that a server's type names, `unknown` for a type without meaning here. */
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
  if (typeof address !== 'string') return l10n.t('Its address is not a text.');
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
  if (typeof command !== 'string') return l10n.t('Its command is not a text.');
  const problems: ImportProblem[] = [];
  const [first = '', ...more] = words(command);
  if (more.length > 0) {
    const message = l10n.t(
      'Its command has spaces; “{0}” is taken as the command and the rest as arguments: {1}',
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

/** A command line in words, quotes taken off; what stands between `${` and `}` is never cut. */
function words(line: string): string[] {
  if (!/\s/.test(line.trim())) return [line.trim()];
  const found = line.match(/(?:\$\{[^{}]*\}|"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return found.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}

function readArgs(args: Value | undefined, problems: ImportProblem[]): string[] {
  const bad = (message: string) => problems.push({ member: 'args', message, blocking: false });
  if (args === undefined || args === null) return [];
  if (!Array.isArray(args)) {
    bad(l10n.t('Its arguments are not a list and are left out.'));
    return [];
  }
  const texts = args.flatMap((arg) => textOf(arg) ?? []);
  if (texts.length < args.length) bad(l10n.t('Arguments that are not texts are left out.'));
  return texts;
}

function readEnv(env: Value | undefined, problems: ImportProblem[]): Map<string, string> {
  const bad = (message: string, blocking: boolean) => problems.push({ member: 'env', message, blocking });
  const result = new Map<string, string>();
  if (env === undefined || env === null) return result;
  if (!isMap(env)) {
    bad(l10n.t('Its environment is not an object and is left out.'), false);
    return result;
  }
  for (const [name, value] of env) {
    const text = textOf(value);
    const label = plainText(name, 80);
    if (value === null)
      bad(
        l10n.t('The variable “{0}” is to be unset, which the service cannot do; it is left out.', label),
        false,
      );
    else if (text === undefined)
      bad(l10n.t('The variable “{0}” is not a text and is left out.', label), false);
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
  { kind, url, apiKey, isWholeHeader, command, args, env, cannotCarry, problems }: Parts,
  inputs: ReadonlyMap<string, InputDefinition>,
): ParsedServer {
  const texts: PlacedText[] = [
    { place: { at: 'url' }, text: url },
    { place: { at: 'apiKey' }, text: apiKey ?? '' },
    { place: { at: 'command' }, text: command },
    ...args.map((text, index): PlacedText => ({ place: { at: 'args', index }, text })),
    ...[...env].map(([name, text]): PlacedText => ({ place: { at: 'env', name }, text })),
  ];
  const { placeholders, defaults, others } = findPlaceholders(texts, inputs);
  for (const { place, text } of others)
    cannotCarry.push(l10n.t('“{0}” in {1}, which stays as it is', plainText(text, 80), placeWords(place)));
  for (const { kind: from, name } of placeholders) {
    const editorCommand = from === 'input' ? inputs.get(name)?.command : null;
    if (typeof editorCommand === 'string')
      cannotCarry.push(
        l10n.t(
          'the editor’s command “{0}”, which makes the value of “{1}”',
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
      problems,
    },
    secrets: { apiKey, isWholeHeader, env, defaults },
  };
}
