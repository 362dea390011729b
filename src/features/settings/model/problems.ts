import * as l10n from '@vscode/l10n';
import { fieldTable } from '../../../shared/fields';
import { type ErrorTarget, type FormEdits, identityOf } from '../shared/form';
import type { Json } from '../../../shared/json';
import { wholeServer, type McpServer, listOfKind, mcpKinds, membersOfKind } from '../../../shared/mcp';
import type { Problem } from '../shared/messages';
import { moreRefusal, type MoreSettings, type MoreValues } from '../../../shared/moreFields';
import { refusal } from '../../../shared/refusal';
import { envMember, serverProblems } from '../shared/serverRules';
import { plainFields, secretFields, type PlainField, type SecretField } from '../../../shared/settings';
import type { Snapshot } from './merge';
import { looksMasked, wantedServer, type TypedSecrets } from './secrets';
import { toMcpServer, type HeldServer } from './servers';
import type { ApiError } from '../../../api/http/errors';
import type { Issue } from '../../../api/http/validationError';
import { plainText } from '../../../shared/plainText';
import type { SettingsPost } from './saveRequest';

/** The inputs besides the edits. */
interface ProblemSides {
  base: Snapshot;
  typed: TypedSecrets;
  source: (server: McpServer) => HeldServer | undefined;
}

/**
 * Problems with the user's edits, according to the form's schemas. Values the user didn't change are not checked, so they
 * never prevent saving something else.
 */
export function findProblems(edits: FormEdits, sides: ProblemSides): Problem[] {
  const fields = plainFields.flatMap((field) => {
    const value = edits.values[field];
    const message = value === undefined ? undefined : refusal(fieldTable[field].schema, value);
    return problemAt({ at: 'field', field }, message);
  });
  const secrets = secretFields.flatMap((field) => {
    const target = { at: 'field', field } as const;
    const message = edits.secrets[field] === 'replace' ? secretProblem(sides.typed.get(target)) : undefined;
    return problemAt(target, message);
  });
  const servers = (edits.mcpServers ?? []).flatMap((server) =>
    problemsOf(server, edits.mcpServers ?? [], sides),
  );
  return [...fields, ...moreProblems(edits.more, sides.base.more), ...secrets, ...servers];
}

function problemAt(target: ErrorTarget, message: string | undefined): Problem[] {
  return message === undefined ? [] : [{ target, message }];
}

/** What is wrong with the user's values of such fields. */
function moreProblems(mine: MoreValues = {}, { fields }: MoreSettings): Problem[] {
  return fields.flatMap((field) => {
    const wanted = mine[field.path];
    const message = wanted === undefined ? undefined : moreRefusal(field, wanted);
    return problemAt({ at: 'more', path: field.path }, message);
  });
}

/** @param shortest minimum number of stars that count as a mask */
function secretProblem(value: Json | undefined, shortest = 1): string | undefined {
  if (value === undefined) return l10n.t('Enter the value again: it wasn’t kept.');
  return looksMasked(value, shortest)
    ? l10n.t('This is only a mask for a hidden value. Enter the value itself.')
    : undefined;
}

function problemsOf(server: McpServer, all: readonly McpServer[], sides: ProblemSides): Problem[] {
  const base = sides.base.servers.find(({ id }) => id === server.id);
  const at = (member: string, message: string | undefined) =>
    problemAt({ at: 'mcp', id: server.id, member }, message);
  // Its secrets would be lost without notice.
  if (base === undefined && !server.id.startsWith('new-'))
    return at(
      wholeServer,
      l10n.t('The list on the service has changed since this form was opened. Revert to reload it.'),
    );

  const found = serverProblems(server, base && toMcpServer(base), all);
  return [
    ...found.flatMap(({ member, message }) => at(member, message)),
    ...secretProblems(server, base, sides).flatMap(([member, message]) =>
      found.some((other) => other.member === member) ? [] : at(member, message),
    ),
  ];
}

/** Problems with the values of a server's secrets, by member. */
function secretProblems(
  server: McpServer,
  base: HeldServer | undefined,
  { source, typed }: ProblemSides,
): [member: string, message: string | undefined][] {
  const { apiKey, env } = wantedServer(server, source(server), typed);
  if (server.kind !== 'stdio') {
    const isKept = apiKey === null || (base !== undefined && apiKey === base.apiKey);
    return isKept ? [] : [['apiKey', secretProblem(apiKey)]];
  }
  const identities = server.env.map(identityOf);
  return env.map(({ from, value }, index) => {
    const member = envMember(index);
    // Only one of two entries can have the value stored under this name.
    if (identities.indexOf(identities[index] ?? '') < index)
      return [member, l10n.t('Another variable had this name before. Save first, then add this one.')];
    const held = from === null ? undefined : base?.env.get(from);
    return [member, value === undefined || value !== held ? secretProblem(value, 3) : undefined];
  });
}

const longestMessage = 500;
const fields: readonly string[] = [...plainFields, ...secretFields];

/**
 * The service's refusal (docs/protocol/service.md, “Validation error body”) as problems of the form. A position in a
 * list of MCP servers means the list as it was posted.
 *
 * @param servers the list as the form shows it, for the places of environment variables
 */
export function refusalProblems(
  error: ApiError,
  post: Pick<SettingsPost, 'posted' | 'changed'>,
  servers: readonly McpServer[],
): Problem[] {
  const found = (error.issues ?? []).map((issue) => placed(issue, post, servers));
  if (found.length > 0) return found;
  const text = error.serverText ?? l10n.t('The service refused the settings.');
  return [{ target: { at: 'form' }, message: plainText(text, longestMessage) }];
}

function placed(
  issue: Issue,
  { posted, changed }: Pick<SettingsPost, 'posted' | 'changed'>,
  servers: readonly McpServer[],
): Problem {
  const path = issue.loc[0] === 'body' ? issue.loc.slice(1) : issue.loc;
  const message = plainText(issue.msg, longestMessage);
  const [first] = path;
  if (typeof first === 'string' && fields.includes(first))
    return { target: { at: 'field', field: first as PlainField | SecretField }, message };
  if (typeof first === 'string' && first.includes('.') && changed.includes(first))
    return { target: { at: 'more', path: first }, message };
  const target = serverTarget(path, posted, servers);
  if (target !== undefined) return { target, message };
  const place = plainText(path.join('.'), longestMessage);
  return { target: { at: 'form' }, message: place === '' ? message : l10n.t('{0}: {1}', place, message) };
}

function serverTarget(
  path: Issue['loc'],
  posted: SettingsPost['posted'],
  servers: readonly McpServer[],
): ErrorTarget | undefined {
  for (const kind of mcpKinds) {
    const at = path.indexOf(listOfKind[kind]);
    if (at === -1) continue;
    const position = path[at + 1];
    const id = posted[kind].find((_, index) => String(index) === String(position))?.id;
    const server = servers.find((other) => other.id === id);
    if (server === undefined) return undefined;
    const rest = path.slice(at + 2);
    // Some services insert the name of a model or union member.
    const members = Object.entries(membersOfKind[kind]);
    const place = rest.findIndex((part) => members.some(([, wire]) => wire === part));
    const key = members.find(([, wire]) => wire === rest[place])?.[0] ?? wholeServer;
    if (key !== 'env') return { at: 'mcp', id: server.id, member: key };
    const entry = server.env.findIndex(({ name }) => name === rest[place + 1]);
    return { at: 'mcp', id: server.id, member: entry === -1 ? 'env' : envMember(entry) };
  }
  return undefined;
}
