import { type SettingsClient, readSettings, unknownFields } from './record';
import type { MoreFields } from '../../../api/service/current/moreFields';
import { hides, revealed, hiddenTargets } from './hiddenSecrets';
import type { Snapshot } from './merge';
import { moreSettings, readDescription } from './moreSettings';
import type { Safeguards } from '../../../core/settings/safeguards';
import { type MyServer, looksMasked } from './secrets';
import {
  readServers,
  type HeldServer,
  toMcpServer,
  holds,
  contentOf,
  jsonOf,
  newId,
  sameLabel,
} from './servers';
import * as l10n from '@vscode/l10n';
import { exactDigits } from '../../../api/http/exactNumbers';
import { plainText } from '../../../shared/plainText';
import type { FormModel } from '../shared/form';
import { isJsonObject, type Json, member } from '../../../shared/json';
import { readProviders } from './providers';
import { mcpLabel } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { parseUrl } from '../../../shared/url';
import { UniqueNames } from '../../../core/basics/uniqueNames';

/** What the settings that are read are compared with. */
export interface Before {
  /** The servers whose ids it gets. */
  readonly previous: readonly HeldServer[];
  /** The servers as the user wants them, where the list was touched. */
  readonly mine?: readonly MyServer[] | null;
  /** True when `previous` was just sent. */
  readonly isSent?: boolean;
  /** What the service describes, if that was read already. */
  readonly described?: MoreFields;
}

/**
 * Reads the settings. Throws ApiError. Secrets that the service hides are filled in where they are known here: as this
 * computer keeps them or, if it keeps none, as they were when the form last read or sent them.
 */
export async function readSnapshot(
  client: SettingsClient,
  safeguards: Safeguards,
  { previous, mine = null, isSent = false, ...before }: Before,
  signal?: AbortSignal,
): Promise<Snapshot> {
  const reading = await readSettings(client, safeguards, signal);
  const shown = readServers(reading.record['mcp_config']);
  const hidesSecrets = !reading.abilities.replaces && shown.some(({ raw }) => hides(raw));
  // What such a service has is the only truth: a secret known here may have been replaced since.
  const fills = hidesSecrets && !reading.abilities.keepsHidden;
  const kept = fills ? await safeguards.kept.read(client.baseUrl) : undefined;
  const isKept = kept === null ? null : kept !== undefined;
  const keptHere = readServers(kept);
  // What was just sent is current, and so are the kept servers. What this window has read isn't: another one may have
  // changed it since.
  const known = isSent ? [...previous, ...keptHere] : isKept ? keptHere : previous;
  const servers = fills ? revealed(shown, known) : shown;
  const { abilities, record } = reading;
  const described = before.described ?? (await readDescription(client, abilities, record, signal));
  const more = moreSettings(described, record);
  return {
    ...reading,
    described,
    more,
    hidesSecrets,
    isKept,
    servers: matchServers(previous, servers, mine),
  };
}

/** Where services that merge settings keep what the form edits. */
const containers = ['agent_settings', 'conversation_settings'];

/** What the form shows of the settings; holds no secret. */
export function toModel(snapshot: Snapshot): FormModel {
  const { saved, record, values, secrets, servers } = snapshot;
  const email = member(record, 'email');
  const verified = member(record, 'email_verified');
  const providers = readProviders(record);
  const needsSecrets = snapshot.hidesSecrets && !snapshot.abilities.keepsHidden;
  return {
    saved,
    values,
    secrets: { ...secrets },
    email: typeof email === 'string' ? email : null,
    emailVerified: typeof verified === 'boolean' ? verified : null,
    mcpServers: servers.map(toMcpServer),
    providers: providers ?? [],
    testsServers: snapshot.abilities.testsServers,
    hasProviders: snapshot.abilities.hasProviders,
    providersTold: providers !== undefined,
    lacks: [...snapshot.abilities.lacks],
    hidesServerSecrets: needsSecrets,
    hiddenSecrets: needsSecrets ? hiddenTargets(servers) : [],
    other: unknownFields(record)
      .filter((name) => snapshot.abilities.replaces || !containers.includes(name))
      .map((name) => ({ name, text: otherWords(member(record, name) ?? null) })),
    more: snapshot.more,
  };
}

/** A text or anything that may hold one could be a secret. */
function otherWords(value: Json): string {
  const digits = exactDigits(value);
  if (digits !== undefined) return plainText(digits, 100);
  if (typeof value === 'string') return l10n.t('Text');
  if (Array.isArray(value)) return l10n.t('List');
  if (isJsonObject(value)) return l10n.t('Object');
  return JSON.stringify(value);
}

/**
 * Gives the servers of a later reading the ids of an earlier one. A server is recognized by all its content; by kind
 * and label; by label after a change of kind; by being just what the user wants; or as the only similar one left if its
 * label changed. Never by its place in a list. A server that isn't recognized gets an id unlike all others.
 *
 * @param mine the servers as the user wants them, where the list was touched
 */
export function matchServers(
  previous: readonly HeldServer[],
  later: readonly HeldServer[],
  mine: readonly MyServer[] | null,
): HeldServer[] {
  const kept = new Set(mine?.map(({ id }) => id));
  // Of identical servers, the one the user deleted is the one that is gone.
  const open = new Set([...previous].sort((a, b) => Number(kept.has(b.id)) - Number(kept.has(a.id))));
  const found = new Map<HeldServer, string>();
  const pair = (previousServer: HeldServer, laterServer: HeldServer) => {
    open.delete(previousServer);
    found.set(laterServer, previousServer.id);
  };
  const each = (isSame: (previousServer: HeldServer, laterServer: HeldServer) => boolean) => {
    for (const server of later) {
      if (found.has(server)) continue;
      const match = [...open].find((candidate) => isSame(candidate, server));
      if (match) pair(match, server);
    }
  };

  each((one, other) => contentOf(one) === contentOf(other));
  // Among servers with the same label, match those that share more first.
  each((one, other) => sameLabel(one, other) && isAlike(one, other));
  each(sameLabel);
  each((one, other) => mcpLabel(one) === mcpLabel(other));
  // An earlier save with an unknown outcome may have taken effect.
  const ids = new Set(found.values());
  for (const server of mine ?? []) {
    const match = ids.has(server.id)
      ? undefined
      : later.find((other) => !found.has(other) && holds(server, other));
    if (match === undefined) continue;
    found.set(match, server.id);
    for (const one of open) if (one.id === server.id) open.delete(one);
  }

  const rest = later.filter((server) => !found.has(server));
  const pairs = rest.flatMap((server) =>
    [...open].filter((one) => isAlike(one, server)).map((one) => ({ one, server })),
  );
  for (const { one, server } of pairs) {
    const unique = pairs.every((other) => (other.one === one) === (other.server === server));
    if (unique) pair(one, server);
  }

  const newIds = new UniqueNames([...previous.map(({ id }) => id), ...kept]);
  return later.map((server) => ({ ...server, id: found.get(server) ?? newIds.take(server.id) }));
}

/** True if two servers share something distinctive besides their labels. */
function isAlike(one: HeldServer, other: HeldServer): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'stdio') {
    if (one.command === '' || one.command !== other.command) return false;
    return same(one.args, other.args) && same(jsonOf(one.env), jsonOf(other.env));
  }
  const [url, otherUrl] = [parseUrl(one.url), parseUrl(other.url)];
  if (url === undefined || url.host !== otherUrl?.host) return false;
  const samePath = url.pathname.replace(/\/$/, '') === otherUrl.pathname.replace(/\/$/, '');
  const sameKey = one.apiKey !== null && one.apiKey === other.apiKey && !looksMasked(one.apiKey);
  return samePath || sameKey;
}

/** Ids for the servers added in the form. */
export function lastingIds(servers: readonly HeldServer[]): Map<string, string> {
  const ids = new UniqueNames(servers.map(({ id }) => id));
  const added = servers.filter(({ id }) => id.startsWith('new-'));
  return new Map(added.map((server) => [server.id, newId(server, ids)]));
}

export function withIds(servers: readonly HeldServer[], ids: ReadonlyMap<string, string>): HeldServer[] {
  return servers.map((server) => ({ ...server, id: ids.get(server.id) ?? server.id }));
}
