import * as l10n from '@vscode/l10n';
import type { FormEdits } from '../../shared/form';
import type { Json } from '../../shared/json';
import {
  mcpCommandSchema,
  mcpEnvNameSchema,
  mcpLabel,
  mcpNameSchema,
  mcpTimeoutSchema,
  mcpUrlSchema,
  wholeServer,
  type McpServer,
} from '../../shared/mcp';
import { plainFieldSchemas, plainFields, secretFields } from '../../shared/settings';
import type { Problem } from './issues';
import type { Snapshot } from './merge';
import { entryIdentity, looksMasked, wantedServer, type TypedSecrets, type WantedServer } from './secrets';
import { changedMembers, valuesOf } from './serverMerge';
import { sameLabel, type HeldServer, type ServerValues } from './servers';

interface Schema {
  safeParse(value: unknown): { error?: { issues: { message: string }[] } };
}

/** What the merge looks at beside the edits. */
export interface ProblemSides {
  base: Snapshot;
  typed: TypedSecrets;
  source: (id: string) => HeldServer | undefined;
}

/**
 * What is wrong with the user's edits, by the schemas of the form. What the service holds and the user did not change is
 * the service's affair: it keeps nobody from saving something else.
 */
export function findProblems(edits: FormEdits, sides: ProblemSides): Problem[] {
  const fields = plainFields.flatMap((field): Problem[] => {
    const value = edits.values[field];
    return value === undefined ? [] : refused({ at: 'field', field }, plainFieldSchemas[field], value);
  });
  const secrets = secretFields.flatMap((field): Problem[] => {
    const message = edits.secrets[field] === 'replace' ? secretProblem(sides.typed.field(field)) : undefined;
    return message === undefined ? [] : [{ target: { at: 'field', field }, message }];
  });
  const servers = (edits.mcpServers ?? []).flatMap((server) =>
    serverProblems(server, edits.mcpServers ?? [], sides),
  );
  return [...fields, ...secrets, ...servers];
}

function refused(target: Problem['target'], schema: Schema, value: unknown): Problem[] {
  const message = schema.safeParse(value).error?.issues[0]?.message;
  return message === undefined ? [] : [{ target, message }];
}

/** @param shortest length from which stars count as a mask */
function secretProblem(value: Json | undefined, shortest = 1): string | undefined {
  if (value === undefined) return l10n.t('Enter the value again: it was not kept.');
  return looksMasked(value, shortest)
    ? l10n.t('This is only what stands for a hidden value. Enter the value itself.')
    : undefined;
}

function serverProblems(server: McpServer, all: readonly McpServer[], sides: ProblemSides): Problem[] {
  const base = sides.base.servers.find(({ id }) => id === server.id);
  const at = (member: string, message: string | undefined): Problem[] =>
    message === undefined ? [] : [{ target: { at: 'mcp', id: server.id, member }, message }];
  // Its secrets would be lost in silence.
  if (base === undefined && !server.id.startsWith('new-'))
    return at(
      wholeServer,
      l10n.t('The service’s list has changed since this form was opened. Read the settings again.'),
    );

  const wanted = wantedServer(server, base ?? sides.source(server.copiedFrom ?? ''), sides.typed);
  const values = valuesOf(wanted, base ?? nothing);
  const changed = base === undefined ? undefined : changedMembers(base, values);
  const kindChanged = changed?.includes('kind') ?? true;
  const check = (key: keyof typeof schemas) =>
    kindChanged || changed?.includes(key)
      ? refused({ at: 'mcp', id: server.id, member: key }, schemas[key], values[key])
      : [];
  const own = server.kind === 'stdio' ? [...check('name'), ...check('command')] : check('url');
  const limit = server.kind === 'shttp' ? check('timeout') : [];
  const { apiKey } = wanted;
  const isKept = apiKey === null || (base !== undefined && apiKey === base.apiKey);
  const relabelled = base === undefined || !sameLabel(base, server);
  const double = relabelled && all.some((other) => other.id !== server.id && sameLabel(other, server));
  return [
    ...own,
    ...limit,
    ...(server.kind === 'stdio' || isKept ? [] : at('apiKey', secretProblem(apiKey))),
    ...(server.kind === 'stdio' ? envProblems(server, wanted, base) : []),
    ...(double && mcpLabel(server) !== ''
      ? at(server.kind === 'stdio' ? 'name' : 'url', doubleMessage(server))
      : []),
  ];
}

const schemas = {
  url: mcpUrlSchema,
  name: mcpNameSchema,
  command: mcpCommandSchema,
  timeout: mcpTimeoutSchema,
};

const nothing: ServerValues = {
  kind: 'stdio',
  url: '',
  apiKey: null,
  timeout: null,
  name: '',
  command: '',
  args: [],
  env: new Map(),
};

function doubleMessage(server: McpServer): string {
  return server.kind === 'stdio'
    ? l10n.t('Another server has this name already.')
    : l10n.t('Another server of this kind has this address already.');
}

function envProblems(server: McpServer, wanted: WantedServer, base: HeldServer | undefined): Problem[] {
  return wanted.env.flatMap((entry, index) => {
    const before = server.env.slice(0, index);
    const identities = before.map(entryIdentity);
    const identity = server.env[index] && entryIdentity(server.env[index]);
    const held = entry.from === null ? undefined : base?.env.get(entry.from);
    const target = { at: 'mcp', id: server.id, member: `env.${index}` } as const;
    const name =
      held !== undefined && entry.name === entry.from ? [] : refused(target, mcpEnvNameSchema, entry.name);
    const repeated = wanted.env.slice(0, index).some((other) => other.name === entry.name);
    let message: string | undefined;
    if (repeated) message = l10n.t('There is already a variable of this name.');
    // Only one of two entries can have the value that is known by this name.
    else if (identity !== undefined && identities.includes(identity))
      message = l10n.t('Another variable had this name until now. Save first, then add this one.');
    else if (entry.value === undefined || entry.value !== held) message = secretProblem(entry.value, 3);
    return message === undefined ? name : [...name, { target, message }];
  });
}

/**
 * A service that shows an MCP server's secret masked gives nothing to send in its place: a save would lose it or store
 * the mask.
 */
export function hiddenSecrets(servers: readonly HeldServer[]): Problem[] {
  return servers.flatMap(({ id, apiKey, env }) => {
    const at = (member: string, value: Json): Problem[] =>
      looksMasked(value, 3)
        ? [
            {
              target: { at: 'mcp', id, member },
              message: l10n.t(
                'The service hides this value, so that a save would lose it. Replace or clear it first.',
              ),
            },
          ]
        : [];
    return [
      ...at('apiKey', apiKey),
      ...[...env.values()].flatMap((value, index) => at(`env.${index}`, value)),
    ];
  });
}
