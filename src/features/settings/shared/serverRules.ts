import * as l10n from '@vscode/l10n';
import { identityOf } from './form';
import {
  mcpCommandSchema,
  mcpEnvNameSchema,
  mcpLabel,
  mcpNameSchema,
  mcpTimeoutSchema,
  mcpUrlSchema,
  type McpEnvEntry,
  type McpKind,
  type McpServer,
} from '../../../shared/mcp';
import { refusal } from '../../../shared/refusal';

/** A problem with a member of a server, in words. */
interface MemberProblem {
  /** As in an `ErrorTarget`. */
  member: string;
  message: string;
  /** Nothing has been entered. */
  isMissing: boolean;
}

/** The member in an error about the variable at `index` of `env`. */
export function envMember(index: number): string {
  return `env.${index}`;
}

const schemas = {
  url: mcpUrlSchema,
  name: mcpNameSchema,
  command: mcpCommandSchema,
  timeout: mcpTimeoutSchema,
};

const checked: Record<McpKind, readonly (keyof typeof schemas)[]> = {
  sse: ['url'],
  stdio: ['name', 'command'],
  shttp: ['url', 'timeout'],
};

/**
 * Problems with the user's changes to a server, apart from the values of its secrets, which only the extension host
 * knows. Unchanged members aren't checked, so that they never keep the user from saving something else.
 * @param before the server as the service has it, undefined for a new one
 * @param all the list as the user wants it
 */
export function serverProblems(
  server: McpServer,
  before: McpServer | undefined,
  all: readonly McpServer[],
): MemberProblem[] {
  const isNew = before?.kind !== server.kind;
  const members = checked[server.kind].flatMap((member) => {
    const value = server[member];
    if (!isNew && value === before[member]) return [];
    // Surrounding spaces aren't sent.
    const sent = typeof value === 'string' ? value.trim() : value;
    return problem(member, refusal(schemas[member], sent), sent === '');
  });
  const variables = server.kind === 'stdio' ? variableProblems(server.env, before?.env ?? []) : [];
  const isRelabeled = isNew || mcpLabel(server) !== mcpLabel(before);
  return [...members, ...variables, ...(isRelabeled ? duplicate(server, all) : [])];
}

function problem(member: string, message: string | undefined, isMissing = false): MemberProblem[] {
  return message === undefined ? [] : [{ member, message, isMissing }];
}

function variableProblems(env: readonly McpEnvEntry[], held: readonly McpEnvEntry[]): MemberProblem[] {
  const isKept = (entry: McpEnvEntry) =>
    identityOf(entry) === entry.name && held.some(({ name }) => name === entry.name);
  const names = env.map((entry) => (isKept(entry) ? entry.name : entry.name.trim()));
  return env.flatMap((entry, index) => {
    const name = names[index] ?? '';
    const isRepeated = names.indexOf(name) < index;
    const message = isRepeated
      ? l10n.t('There’s already one with this name.')
      : isKept(entry)
        ? undefined
        : refusal(mcpEnvNameSchema, name);
    return problem(envMember(index), message, entry.name === '');
  });
}

function duplicate(server: McpServer, all: readonly McpServer[]): MemberProblem[] {
  const label = mcpLabel(server).trim();
  const isTaken = all.some(
    (other) => other.id !== server.id && other.kind === server.kind && mcpLabel(other).trim() === label,
  );
  if (!isTaken || label === '') return [];
  return server.kind === 'stdio'
    ? problem('name', l10n.t('There’s already one with this name.'))
    : problem('url', l10n.t('Another server of this kind already has this URL.'));
}
