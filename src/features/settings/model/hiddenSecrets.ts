import * as l10n from '@vscode/l10n';
import { mask } from '../../../api/service/schemas/secret';
import type { SecretTarget } from '../shared/form';
import { nameList, sentences } from '../../../shared/joined';
import { isJsonObject, type Json, member, type JsonObject } from '../../../shared/json';
import { mcpLabel, wholeServer } from '../../../shared/mcp';
import type { Problem } from '../shared/messages';
import { envMember } from '../shared/serverRules';
import { plainText } from '../../../shared/plainText';
import { same } from '../../../shared/same';
import type { Merged } from './merge';
import { looksMasked } from './secrets';
import { contentOf, extrasOf, nameOf, reread, sameLabel, type HeldServer } from './servers';

/**
 * Replaces masks with the secrets of the `known` server that has the same name and label and goes to the same place. A
 * secret must never follow a server that somebody else sent elsewhere.
 *
 * @param known the most recent first
 */
export function revealed(servers: readonly HeldServer[], known: readonly HeldServer[]): HeldServer[] {
  return servers.map((server) => {
    if (!hides(server.raw)) return server;
    const same = known.filter((one) => sameLabel(one, server) && goesTheSameWay(one, server));
    const named = same.filter((one) => nameOf(one) === nameOf(server));
    // A server that was just added has no name yet.
    const added = same.filter((one) => nameOf(one) === undefined);
    const isOnlyOne = servers.filter((other) => sameLabel(other, server)).length === 1;
    const sources = [...named, ...(isOnlyOne && added.length === 1 ? added : [])];
    return reread(
      server,
      sources.reduce((shown, one) => filled(shown, one.raw), server.raw),
    );
  });
}

/** Whether all that isn’t a secret is the same: an address, a command, a folder, or a member that nobody here knows. */
function goesTheSameWay(one: HeldServer, other: HeldServer): boolean {
  const names = new Set([...Object.keys(one.raw), ...Object.keys(other.raw)]);
  // A server that was just added has no name yet, and the service tells its kind by a word of its own.
  names.delete('name');
  if (typeof member(other.raw, 'transport') === 'string' && !('transport' in one.raw))
    names.delete('transport');
  return [...names].every((name) => {
    const [known, shown] = [member(one.raw, name), member(other.raw, name)];
    return secretMembers.includes(name) ? shownSame(known, shown) : same(set(known), set(shown));
  });
}

/** Whether what is shown of secrets, such as a variable that isn’t masked, is as it was. */
function shownSame(known: Json | undefined, shown: Json | undefined): boolean {
  if (isHidden(shown) || set(shown) === undefined) return true;
  if (!isJsonObject(shown)) return same(known, shown);
  return Object.entries(shown).every(([name, value]) =>
    shownSame(isJsonObject(known) ? member(known, name) : undefined, value),
  );
}

/** Undefined for an empty value, which services leave out. */
function set(value: Json | undefined): Json | undefined {
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

function filled(shown: JsonObject, known: JsonObject): JsonObject {
  const members = Object.entries(shown).map(([name, value]): [string, Json] => {
    const previous = member(known, name);
    if (isHidden(value)) return [name, typeof previous === 'string' ? previous : value];
    return [name, isJsonObject(value) && isJsonObject(previous) ? filled(value, previous) : value];
  });
  return Object.fromEntries(members);
}

/** Why servers aren't sent: what this computer keeps can't follow, and would send their old secrets later. */
export function notKept(): Problem {
  const message = sentences(
    l10n.t('Nothing was sent.'),
    l10n.t('The secrets weren’t kept: the editor’s secret storage isn’t working.'),
    l10n.t('Check your system’s keyring.'),
  );
  return { target: { at: 'form' }, message };
}

/** The servers that a save leaves as they are. */
export function unchangedServers({ servers, fresh }: Merged): HeldServer[] {
  const before = new Set(fresh.servers.map(contentOf));
  return servers.filter((server) => before.has(contentOf(server)));
}

/** The server as it's shown by a service that hides secrets. */
export function asServiceShows(server: HeldServer): HeldServer {
  const members = Object.entries(server.raw).map(([name, value]): [string, Json] => [
    name,
    secretMembers.includes(name) ? masked(value) : value,
  ]);
  return reread(server, Object.fromEntries(members));
}

/** The members of a server that hold secrets, and objects of secrets. */
const secretMembers = ['api_key', 'env', 'headers', 'auth'];

function masked(value: Json): Json {
  if (!isJsonObject(value)) return typeof value === 'string' && value !== '' ? mask : value;
  // Such a service leaves out empty values.
  const members = Object.entries(value).filter(([, member]) => member !== '' && member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, masked(member)]));
}

/** One or two asterisks can be a real value. */
const isHidden = (value: Json | undefined) => looksMasked(value, 3);

/** True if there's a mask anywhere in the value. */
export function hides(value: Json): boolean {
  return isHidden(value) || (isJsonObject(value) && Object.values(value).some(hides));
}

/**
 * Masked secrets of the MCP servers that a save would send. The real values are unknown, so it would lose them or put the
 * mask in their place.
 */
export function hiddenSecrets({ fresh, servers, serversChange, changes }: Merged): Problem[] {
  const { replaces, keepsHidden } = fresh.abilities;
  const isSent = replaces ? changes : serversChange;
  if (!isSent) return [];
  const found = servers
    .filter((server) => !(keepsHidden && staysHidden(server, fresh.servers)))
    .map((server) => ({
      server,
      problems: [...problemsOf(server), ...(replaces ? [] : otherProblems(server))],
    }));
  const hiding = found.filter(({ problems }) => problems.length > 0);
  if (replaces || hiding.length === 0) return hiding.flatMap(({ problems }) => problems);
  const names = nameList(hiding.map(({ server }) => mcpLabel(server)));
  const message = keepsHidden
    ? l10n.t(
        'Nothing was sent. The service has no secrets for these servers, because they’re new, were renamed, or have been deleted. Enter them again: {0}.',
        names,
      )
    : l10n.t(
        'Nothing was sent. This service hides the secrets of MCP servers, and a change to one replaces them all. Enter the secrets of these again: {0}.',
        names,
      );
  return [{ target: { at: 'form' }, message }, ...hiding.flatMap(({ problems }) => problems)];
}

/** Whether each mask stands where the service has one under that name, so that the secret stays without being sent. */
function staysHidden(server: HeldServer, held: readonly HeldServer[]): boolean {
  const previous = held.find((other) => nameOf(other) === nameOf(server) && nameOf(other) !== undefined);
  return previous !== undefined && masksOf(server.raw).every((path) => masksOf(previous.raw).includes(path));
}

function masksOf(value: Json, path = ''): string[] {
  if (isHidden(value)) return [path];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => masksOf(member, `${path}/${name}`));
}

/** Masked secrets of servers that can be entered again, as what to ask for. */
export function hiddenTargets(servers: readonly HeldServer[]): SecretTarget[] {
  return servers.flatMap(({ id, apiKey, env }): SecretTarget[] => [
    ...(isHidden(apiKey) ? [{ at: 'mcpApiKey' as const, id }] : []),
    ...[...env].flatMap(([name, value]) => (isHidden(value) ? [{ at: 'mcpEnv' as const, id, name }] : [])),
  ]);
}

function problemsOf({ id, apiKey, env }: HeldServer): Problem[] {
  const at = (member: string, name: string): Problem => ({
    target: { at: 'mcp', id, member },
    message: l10n.t(
      'The service hides the value of {0}, and saving would lose it. Replace or clear it first.',
      name,
    ),
  });
  return [
    ...(isHidden(apiKey) ? [at('apiKey', l10n.t('API key'))] : []),
    ...[...env].flatMap(([name, value], index) =>
      isHidden(value) ? [at(envMember(index), plainText(name, 80))] : [],
    ),
  ];
}

/** Secrets in members that the form doesn't edit. */
function otherProblems(server: HeldServer): Problem[] {
  const names = Object.entries(extrasOf(server)).flatMap(([name, value]) => (hides(value) ? [name] : []));
  if (names.length === 0) return [];
  const message = l10n.t(
    'The service hides secrets of this server that can’t be entered in this form: {0}. Delete the server, or change servers in the service’s own settings.',
    nameList(names),
  );
  return [{ target: { at: 'mcp', id: server.id, member: wholeServer }, message }];
}
