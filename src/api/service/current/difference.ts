import * as l10n from '@vscode/l10n';
import { secretTable } from '../../../shared/fields';
import type { JsonMembers } from '../../../shared/json';
import { ApiError } from '../../http/errors';
import type { Issue } from '../../http/validationError';
import { mcpConfigBodySchema } from '../schemas/mcp';
import type { ServiceSettings, SettingsBody } from '../schemas/settings';
import {
  mapDifference,
  mapSecrets,
  maskedServers,
  toMap,
  type McpDifference,
  type McpLists,
  type McpMap,
} from './mcp';
import { isMoreValue, morePath } from './moreFields';
import { diffNames, mcpPath, placed } from './places';

/** What a save sends: the changed leaves and nothing else. */
export interface SettingsDifference {
  body: Record<string, unknown>;
  /** Secrets in the body. */
  secrets: string[];
  /** Where the servers of the body come from, if it has any. */
  positions: McpMap['positions'];
  /** The paths in `body` of fields that the service describes. */
  more: string[];
}

/** How an agent server differs from a service with the same record. */
export interface Merging {
  /** What was read just before the save. */
  before: ServiceSettings;
  /** What can't be saved there; undefined if it can. */
  refusal: (name: string, value: unknown) => string | undefined;
}

/**
 * The difference that saves the fields of `body` that `changed` names. Throws an ApiError of reason `invalid` for a
 * value that the service would refuse, or would accept and break on: it doesn't check the top level of its record.
 * @param merging for a server that merges its MCP servers; others replace them all
 */
export function differenceOf(
  body: SettingsBody,
  changed: readonly string[],
  route: string,
  merging?: Merging,
): SettingsDifference {
  const diff: Record<string, unknown> = {};
  const secrets: string[] = [];
  const issues: Issue[] = [];
  const more: string[] = [];
  let positions: McpMap['positions'] = new Map();
  for (const name of changed) {
    const place = placed.find(([field]) => field === name)?.[1];
    const path = morePath(name);
    const refused = merging?.refusal(name, body[name]);
    if (refused !== undefined) issues.push(issue(name, refused));
    else if (name === 'mcp_config') {
      const servers = merging ? changedServers(body, merging.before, issues) : serversOf(body, issues);
      positions = servers.positions;
      secrets.push(...mapSecrets(servers.map));
      put(diff, mcpPath, servers.map);
    } else if (place === undefined && path !== undefined && isMoreValue(body[name])) {
      more.push(name);
      put(diff, path, body[name]);
    } else if (place === undefined) {
      issues.push(issue(name, l10n.t('This service doesn’t have this setting.')));
    } else {
      const parsed = place.schema.safeParse(body[name]);
      const message = parsed.error?.issues[0]?.message;
      if (message !== undefined) issues.push(issue(name, message));
      else put(diff, place.path, parsed.data);
      if (name in secretTable && typeof parsed.data === 'string') secrets.push(parsed.data);
    }
  }
  if (issues.length > 0) throw new ApiError('invalid', 'POST', route, { issues });
  return { body: diff, secrets, positions, more };
}

const issue = (name: string, msg: string): Issue => ({ loc: ['body', name], msg, type: '' });

function serversOf(body: SettingsBody, issues: Issue[]): McpMap {
  const lists = mcpConfigBodySchema.safeParse(body.mcp_config);
  const [wrong] = lists.error?.issues ?? [];
  if (wrong !== undefined)
    issues.push({ loc: ['body', 'mcp_config', ...wrong.path.map(String)], msg: wrong.message, type: '' });
  const servers = toMap(lists.data ?? noServers);
  refuseMasks(servers.map, issues);
  return servers;
}

const noServers = { sse_servers: [], stdio_servers: [], shttp_servers: [] };

/** What differs from the servers that were read: a mask that stays where it was is the secret that is there. */
function changedServers(body: SettingsBody, before: ServiceSettings, issues: Issue[]): McpDifference {
  const wanted = toMap({ ...noServers, ...(body.mcp_config as McpLists | null) });
  const lists = { ...noServers, ...(before.mcp_config as McpLists | null | undefined) };
  const map = mapDifference(toMap(lists).map, wanted.map, lists);
  const sent = Object.entries(map).filter((entry): entry is [string, JsonMembers] => entry[1] !== null);
  refuseMasks(Object.fromEntries(sent), issues);
  return { map, positions: wanted.positions };
}

function refuseMasks(map: McpMap['map'], issues: Issue[]): void {
  const masked = maskedServers(map);
  if (masked.length > 0)
    issues.push(issue('mcp_config', l10n.t('Enter the secrets of these again: {0}.', masked.join(', '))));
}

function put(diff: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const name = diffNames[first] ?? first;
  if (rest.length === 0) diff[name] = value;
  else put((diff[name] ??= {}) as Record<string, unknown>, rest, value);
}

/**
 * The service's refusal with the names of the specification in place of its own: `openhands.llm.model` is `llm_model`.
 */
export function refusalOf(error: ApiError, { positions, more }: SettingsDifference): ApiError {
  if (error.issues === undefined) return error;
  const { method, route, status, serverText, outcomeUnknown } = error;
  const issues = error.issues.map(({ loc, ...rest }) => ({ ...rest, loc: ['body', ...known(loc)] }));
  return new ApiError(error.reason, method, route, { status, serverText, outcomeUnknown, issues });

  function known(loc: Issue['loc']): Issue['loc'] {
    const path = loc.filter((part, index) => index > 0 || part !== 'body');
    const field = placed.find(([, place]) => endsWith(path, namesIn(place.path)))?.[0];
    if (field !== undefined) return [field];
    const described = more.find((name) => endsWith(path, namesIn(name.split('.'))));
    if (described !== undefined) return [described];
    const at = path.indexOf('mcp_config');
    const position = at === -1 ? undefined : positions.get(String(path[at + 1]));
    return position === undefined ? path : ['mcp_config', ...position, ...path.slice(at + 2)];
  }
}

/** A place as errors name it: without the object that has a difference of its own. */
function namesIn(path: readonly string[]): readonly string[] {
  return path[0] !== undefined && path[0] in diffNames ? path.slice(1) : path;
}

function endsWith(path: Issue['loc'], names: readonly string[]): boolean {
  const end = path.slice(-names.length);
  return names.every((name, index) => end[index] === name);
}
