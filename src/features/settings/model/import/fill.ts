import type * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import type { SecretTarget } from '../../shared/form';
import { nameList } from '../../../../shared/joined';
import {
  mcpCommandSchema,
  mcpUrlSchema,
  type McpSecret,
  mcpLabel,
  type McpServer,
} from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { refusal } from '../../../../shared/refusal';
import { tokenOf, substitute } from './placeholders';
import {
  fromEnvironment,
  type PlaceholderAnswers,
  type FilledServer,
  type ImportProblem,
  type ParsedServer,
  type PlaceholderPlace,
} from './types';
import { isMap, NumberText, type Value } from './json';
import { parseUrl } from '../../../../shared/url';

/**
 * Turns a parsed server into one the form can add, with its placeholders replaced by the answers or their defaults. A
 * placeholder with neither stays in visible text; a secret that contains one is not set.
 *
 * @param env the environment; a variable is used only if the answer is `fromEnvironment`, so a file can't leak one
 *   into an address by naming it
 * @param id id of the new server, `new-…`
 */
export function fill(
  { preview, secrets }: ParsedServer,
  answers: PlaceholderAnswers,
  env: Readonly<Record<string, string | undefined>>,
  id: string,
): FilledServer {
  const problems: ImportProblem[] = [];
  const names = new Map(
    preview.inputs.map(({ key, kind, name }) => [key, kind === 'env' ? name : undefined]),
  );
  const answerOf = (key: string) => {
    const answer = answers.get(key);
    if (answer !== fromEnvironment) return answer;
    const name = names.get(key);
    // As in a shell, the default also replaces an empty variable.
    const value = name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
    return value === '' ? undefined : value;
  };
  const filled = (text: string, place: PlaceholderPlace) => {
    const result = substitute({ text, place }, answerOf, secrets.defaults, secrets.env);
    const complete = result.missing.length === 0;
    if (!complete) {
      const names = plainText(nameList([...new Set(result.missing)]), 120);
      const message = l10n.t('No value for {0} in {1}.', names, placeholderWords(place));
      problems.push({ member: place.at, message, blocking: place.at === 'url' || place.at === 'command' });
    }
    return { text: result.text, complete };
  };
  const shown = (text: string, place: PlaceholderPlace, schema: z.ZodMiniType) => {
    const result = filled(text, place);
    const message = result.complete && result.text !== text ? refusal(schema, result.text.trim()) : undefined;
    if (message !== undefined) problems.push({ member: place.at, message, blocking: true });
    return result.text.trim();
  };

  const { kind } = preview;
  const values: FilledServer['secrets'] = [];
  const give = (target: SecretTarget, value: string | undefined): McpSecret => {
    if (value === undefined || value === '') return { presence: 'notSet', intention: 'keep' };
    values.push({ target, value });
    return { presence: 'notSet', intention: 'replace' };
  };
  const secret = (text: string, place: PlaceholderPlace) => {
    const result = filled(text, place);
    return result.complete ? result.text : undefined;
  };

  const url = kind === 'stdio' ? '' : shown(preview.url, { at: 'url' }, mcpUrlSchema);
  const header = secrets.apiKey === null ? undefined : secret(secrets.apiKey, { at: 'apiKey' });
  const token = header !== undefined && secrets.isWholeHeader ? tokenOf(header) : header;
  if (header !== undefined && token === undefined) {
    const message = l10n.t('The “Authorization” header has no bearer token and is left out.');
    problems.push({ member: 'apiKey', message, blocking: false });
  }
  const server = {
    id,
    kind,
    url,
    apiKey: give({ at: 'mcpApiKey', id }, token),
    timeout: null,
    name: preview.name,
    command: kind === 'stdio' ? shown(preview.command, { at: 'command' }, mcpCommandSchema) : '',
    args: preview.args.map((text, index) => filled(text, { at: 'args', index }).text),
    env: [...secrets.env].map(([name, text]) => ({
      name,
      ...give({ at: 'mcpEnv', id, name }, secret(text, { at: 'env', name })),
    })),
  };
  return { server, secrets: values, problems, notes: openPlaces(preview.inputs) };
}

/** Notes about answers that the service stores in clear text. */
function openPlaces(inputs: ParsedServer['preview']['inputs']): string[] {
  return inputs.flatMap(({ name, places }) => {
    const open = places.filter(({ at }) => at !== 'apiKey' && at !== 'env');
    if (open.length === 0) return [];
    const where = nameList([...new Set(open.map(placeholderWords))]);
    return [
      l10n.t(
        'Your value for “{0}” is used in {1}. The service doesn’t treat it as a secret.',
        plainText(name, 80),
        where,
      ),
    ];
  });
}

/** Describes a member that the service doesn't support; empty if leaving it out changes nothing. */
export function leftoverWords(name: string, value: Value): string[] {
  if (isNothing(name, value)) return [];
  const written = value instanceof NumberText ? value.source : value;
  const text = typeof written === 'string' ? plainText(written, 120) : '';
  switch (name) {
    case 'cwd':
    case 'workingDirectory':
    case 'envFile':
      return [l10n.t('“{0}” ({1})', name, text)];
    case 'oauth':
    case 'auth':
      return [l10n.t('“{0}” (OAuth sign-in)', name)];
    case 'autoApprove':
    case 'alwaysAllow':
      return [l10n.t('“{0}” (tools that run without confirmation)', name)];
    case 'timeout':
      return [l10n.t('“timeout” ({0}; units differ between tools, so set it in the form)', text)];
    default:
      return [l10n.t('“{0}”', plainText(name, 80))];
  }
}

function isNothing(name: string, value: Value): boolean {
  // Already handled elsewhere.
  if (name === 'name' || name === 'inputs') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  return value === null || value === false || value === '';
}

export const openSecretWords = (place: PlaceholderPlace) =>
  l10n.t(
    'There seems to be a password or key in {0}. The service doesn’t treat it as a secret.',
    placeholderWords(place),
  );

export function placeholderWords(place: PlaceholderPlace): string {
  switch (place.at) {
    case 'url':
      return l10n.t('the address');
    case 'apiKey':
      return l10n.t('the API key');
    case 'command':
      return l10n.t('the command');
    case 'args':
      return l10n.t('argument {0}', place.index + 1);
    case 'env':
      return l10n.t('the variable “{0}”', plainText(place.name, 80));
  }
}

/** The part of a server to import that identifies it; previews and filled servers both have it. */
export type Candidate = Pick<McpServer, 'kind' | 'url' | 'name'>;

/** The existing server that a candidate repeats: in the form, or earlier in the same file. */
export type Duplicate =
  | { of: 'existing'; id: string; label: string }
  /** `index` among the candidates. */
  | { of: 'file'; index: number; label: string };

/**
 * For each candidate, the server it repeats, or null. URL servers are equal if their normalized addresses are, whatever
 * their kind; stdio servers if their names are.
 */
export function markDuplicates(
  candidates: readonly Candidate[],
  existing: readonly McpServer[],
): (Duplicate | null)[] {
  const known = new Map<string, Duplicate>();
  const add = (server: Candidate, duplicate: Duplicate) => {
    const key = identity(server);
    if (!known.has(key)) known.set(key, duplicate);
  };
  for (const server of existing) add(server, { of: 'existing', id: server.id, label: mcpLabel(server) });
  return candidates.map((candidate, index) => {
    const found = known.get(identity(candidate)) ?? null;
    add(candidate, { of: 'file', index, label: mcpLabel(candidate) });
    return found;
  });
}

function identity({ kind, url, name }: Candidate): string {
  return kind === 'stdio' ? `name ${name.trim()}` : `url ${normalised(url.trim())}`;
}

/** The parser writes the host in lower case and leaves the default port out. */
function normalised(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  if (url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1);
  url.hash = '';
  return url.href;
}
