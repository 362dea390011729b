import * as l10n from '@vscode/l10n';
import type { ApiError } from '../../../api/http/errors';
import type { Issue } from '../../../api/http/validationError';
import type { ErrorTarget } from '../shared/form';
import { listOfKind, mcpKinds, membersOfKind, wholeServer, type McpServer } from '../../../shared/mcp';
import type { Problem } from '../shared/messages';
import { plainText } from '../../../shared/plainText';
import { envMember } from '../shared/serverRules';
import { plainFields, secretFields, type PlainField, type SecretField } from '../../../shared/settings';
import type { SettingsPost } from './body';

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
