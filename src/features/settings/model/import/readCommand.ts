import * as l10n from '@vscode/l10n';
import { mcpCommandSchema, mcpEnvNameSchema, type McpKind } from '../../../../shared/mcp';
import { exposed } from '../../../../shared/exposed';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import { openSecretWords } from './fill';
import { hasPlaceholder } from './placeholders';
import { isMap, namedValues, NumberText, type Value } from './json';
import { secretsInArgs } from './openSecrets';
import type { ImportProblem } from './types';

/** The parts of one server, before placeholders are found. */
export interface ServerParts {
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

/** Reads a server that runs a command; a string says why it isn't one. */
export function stdioParts(
  command: Value | undefined,
  args: Value | undefined,
  env: Value | undefined,
): ServerParts | string {
  const list = Array.isArray(command) ? command.map(textOf) : [];
  const [line, ...more] = Array.isArray(command) ? list : [command];
  const isList = more.every((text) => typeof text === 'string');
  if (typeof line !== 'string' || !isList) return l10n.t('“{0}” isn’t a string.', 'command');
  const problems: ImportProblem[] = [];
  const hasArgs = Array.isArray(args) && args.length > 0;
  let parts = commandParts(line, more.length > 0, hasArgs, problems);
  let all = [...parts.args, ...more, ...readArgs(args, problems)];
  // The shell of Windows, which starts scripts such as npx there; the service starts them by themselves.
  const [flag = '', inner, ...rest] = all;
  if (/^cmd(?:\.exe)?$/i.test(parts.command) && /^\/c$/i.test(flag) && inner !== undefined) {
    const own = commandParts(inner, rest.length > 0, rest.length > 0, problems);
    parts = { ...own, env: [...parts.env, ...own.env] };
    all = [...parts.args, ...rest];
  }
  const variables = readEnv(env, problems);
  for (const [name, value] of parts.env) variables.set(name, value);
  for (const text of all.filter((one) => exposed(one) !== one)) {
    const message = l10n.t('The command has invisible characters: {0}', exposed(text).slice(0, 200));
    problems.push({ member: 'args', message, blocking: false });
  }
  secretsInArgs(all, parts.command).forEach((found, index) => {
    if (found.length === 0) return;
    problems.push({ member: 'args', message: openSecretWords({ at: 'args', index }), blocking: false });
  });
  return {
    kind: 'stdio',
    url: '',
    apiKey: null,
    isWholeHeader: false,
    command: parts.command,
    args: all,
    env: variables,
    cannotCarry: [],
    problems,
  };
}

/**
 * The program and the arguments of a command line, and the variables that shells would take before them. A path with
 * spaces isn't taken apart: it can't be used.
 * @param isProgram whether the line can only be a program, since its arguments are elements after it
 * @param hasArgs whether the server has arguments elsewhere
 */
function commandParts(
  line: string,
  isProgram: boolean,
  hasArgs: boolean,
  problems: ImportProblem[],
): { command: string; args: string[]; env: [name: string, value: string][] } {
  const all = words(line);
  const count = isProgram ? 0 : all.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const env = all.slice(0, Math.max(count, 0)).map((word): [string, string] => {
    const end = word.indexOf('=');
    return [word.slice(0, end), word.slice(end + 1)];
  });
  const [first = '', ...more] = all.slice(env.length);
  if (/\s/.test(line.trim()) && (isProgram || isSpacedPath(line.trim(), hasArgs))) {
    const message = l10n.t(
      'The command seems to be a path with spaces, which the service can’t run. Enter a command or a path without spaces.',
    );
    problems.push({ member: 'command', message, blocking: true });
    return { command: line.trim(), args: [], env: [] };
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
    const message = l10n.t('The command has invisible characters: {0}', exposed(first).slice(0, 200));
    problems.push({ member: 'command', message, blocking: true });
    return { command: first, args: more, env };
  }
  const refused = hasPlaceholder(first) ? undefined : refusal(mcpCommandSchema, first);
  if (refused !== undefined) problems.push({ member: 'command', message: refused, blocking: true });
  return { command: first, args: more, env };
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
  const list = isMap(args) ? [...args].flatMap(argsOf) : Array.isArray(args) ? args : [[]];
  const texts = list.flatMap((arg) => textOf(arg) ?? []);
  if (texts.length < list.length) bad(l10n.t('Arguments that aren’t strings are left out.'));
  return texts;
}

/** A member of an object of arguments: by its place, or an option and its value. */
function argsOf([name, value]: [string, Value]): Value[] {
  if (/^\d+$/.test(name)) return [value];
  if (!name.startsWith('-')) return [[]];
  return typeof value === 'boolean' ? (value ? [name] : []) : [name, value];
}

function readEnv(env: Value = new Map(), problems: ImportProblem[]): Map<string, string> {
  const bad = (message: string, blocking: boolean) => problems.push({ member: 'env', message, blocking });
  const result = new Map<string, string>();
  const named = namedValues(env, '=');
  if (named === undefined) {
    bad(l10n.t('The environment isn’t an object and is left out.'), false);
    return result;
  }
  for (const [name, value] of named) {
    const text = textOf(value);
    const label = plainText(name, 80);
    if (value === null) bad(l10n.t('The service can’t unset variables, so “{0}” is left out.', label), false);
    else if (text === undefined)
      bad(l10n.t('The variable “{0}” isn’t a string and is left out.', label), false);
    else {
      const message = refusal(mcpEnvNameSchema, name);
      if (message !== undefined) bad(l10n.t('{0}: {1}', label, message), true);
      result.set(name, text);
    }
  }
  return result;
}

/** A scalar as the text that a tool would use; undefined for anything else. */
export function textOf(value: Value): string | undefined {
  if (value instanceof NumberText) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}
