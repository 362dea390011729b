import * as l10n from '@vscode/l10n';
import type { Problem } from '../shared/messages';
import {
  mcpCommandSchema,
  mcpEnvNameSchema,
  mcpLabel,
  mcpNameSchema,
  mcpTimeoutSchema,
  mcpUrlSchema,
  type McpServer,
} from '../shared/mcp';
import { isUnreadable, notANumber } from './numbers';
import type { McpRow } from './rows';

/** `quiet` marks what is only missing, so that a new server is not full of errors before anything was typed. */
export interface FoundProblem extends Problem {
  quiet: boolean;
}

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: { message: string }[] } };
}

/** What `schema` says against `value`, or undefined. */
export function refusal(schema: Schema, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

/** The member of an error about the variable at `index` of `env`. */
export function envMember(index: number): string {
  return `env.${index}`;
}

/**
 * What is wrong with what the user changed of the servers. A member as it came is the service's affair: it must not
 * keep the user from saving something else.
 */
export function rowProblems(base: readonly McpServer[], rows: readonly McpRow[]): FoundProblem[] {
  return rows.flatMap((row) => {
    const { server, timeoutText, deleted } = row;
    const before = base.find((other) => other.id === server.id);
    if (deleted) return [];
    const report = (member: string, message: string | undefined, quiet = false): FoundProblem[] =>
      message === undefined ? [] : [{ target: { at: 'mcp', id: server.id, member }, message, quiet }];
    const isNew = before?.kind !== server.kind;
    const text = (member: 'url' | 'name' | 'command', schema: Schema): FoundProblem[] => {
      const value = server[member].trim();
      return isNew || value !== before[member].trim()
        ? report(member, refusal(schema, value), value === '')
        : [];
    };
    const timeout = () =>
      isNew || server.timeout !== before.timeout ? refusal(mcpTimeoutSchema, server.timeout) : undefined;
    const label = isNew || mcpLabel(server) !== mcpLabel(before) ? duplicate(server, rows) : undefined;
    return [
      ...(server.kind === 'stdio'
        ? [
            ...text('name', mcpNameSchema),
            ...text('command', mcpCommandSchema),
            ...server.env.flatMap((entry, index) =>
              report(envMember(index), variableProblem(server, index, before), entry.name === ''),
            ),
          ]
        : text('url', mcpUrlSchema)),
      ...(server.kind === 'shttp'
        ? report('timeout', isUnreadable(timeoutText) ? notANumber() : timeout())
        : []),
      ...report(server.kind === 'stdio' ? 'name' : 'url', label),
    ];
  });
}

function variableProblem(
  server: McpServer,
  index: number,
  before: McpServer | undefined,
): string | undefined {
  const name = server.env[index]?.name.trim();
  const isRepeated = server.env.slice(0, index).some((other) => other.name.trim() === name);
  if (isRepeated) return l10n.t('There is already a variable of this name.');
  const entry = server.env[index];
  const isHeld = before?.env.some((other) => other.name === name && entry?.originalName === undefined);
  return isHeld ? undefined : refusal(mcpEnvNameSchema, name);
}

function duplicate(server: McpServer, rows: readonly McpRow[]): string | undefined {
  const label = mcpLabel(server).trim();
  const isTaken = rows.some(
    ({ server: other, deleted }) =>
      !deleted && other.id !== server.id && other.kind === server.kind && mcpLabel(other).trim() === label,
  );
  if (!isTaken || label === '') return undefined;
  return server.kind === 'stdio'
    ? l10n.t('Another server has this name already.')
    : l10n.t('Another server of this kind has this address already.');
}
