import * as l10n from '@vscode/l10n';
import type { FormEdits } from '../../shared/form';
import type { Json } from '../../shared/json';
import type { McpServer } from '../../shared/mcp';
import { mcpLabel } from '../../shared/mcp';
import { secretNames, type ParkableServer, type ParkedServer, type TakenServer } from '../../shared/parked';
import { plainText } from '../../shared/plainText';
import type { SettingsDocument } from '../settings/document';
import type { RestoredEdits } from '../settings/draft';
import { canonical } from '../settings/json';
import { looksMasked } from '../settings/secrets';
import { extrasOf, listOfKind, readServers, sameLabel, type HeldServer } from '../settings/servers';

/** Nothing can be done, and why in words for the user. */
export interface Refusal {
  refused: string;
}

/** What parking a server consists of. */
export interface ParkPlan {
  /** What of it may be shown. */
  server: ParkableServer;
  /** All of it, secrets included. */
  wire: Json;
  /** What takes it off the service, and nothing else; undefined when the service does not hold it. */
  edits: FormEdits | undefined;
}

/** What bringing a server back consists of. */
export interface RestorePlan {
  /** What puts it on the service, and nothing else, for the document that the plan was made with. */
  edits: FormEdits;
  /** The server as it stands in the edits. */
  server: McpServer;
  /** Names of the secrets that are gone: the server comes back without them. */
  lost: string[];
}

/** @param server as it stands in the form, with its unsaved changes */
export function parkPlan(document: SettingsDocument, server: McpServer): ParkPlan | Refusal {
  const label = plainText(mcpLabel(server), 200);
  const wire = document.wireOf(server);
  const held = wire === undefined ? undefined : heldOf(server.kind, wire);
  if (wire === undefined || held === undefined)
    return {
      refused: l10n.t(
        'A secret of {0} is not known here, so that it cannot be parked. Replace it first.',
        label,
      ),
    };
  if (secretsOf(held).some(isHidden))
    return {
      refused: l10n.t(
        'The service hides a secret of {0}, so that parking would lose it. Replace or clear it first.',
        label,
      ),
    };
  const { mcpServers } = document.model;
  const isHeld = mcpServers.some(({ id }) => id === server.id);
  return {
    server: parkable(held),
    wire,
    edits: isHeld ? only(mcpServers.filter(({ id }) => id !== server.id)) : undefined,
  };
}

/** @param document holds the server's secrets from then on, for the save of the plan's edits */
export function restorePlan(document: SettingsDocument, taken: TakenServer): RestorePlan | Refusal {
  const { server: parked, wire } = taken;
  const server = document.adopt(parked.kind, wire ?? wireWithoutSecrets(parked));
  if (server === undefined)
    return { refused: l10n.t('What was parked is no server that could be brought back.') };
  return {
    edits: only([...document.model.mcpServers, server]),
    server,
    lost: wire === undefined ? secretNames(parked) : [],
  };
}

/** The server of the document that is the parked one in everything, secrets included. */
export function sameOnService(
  document: SettingsDocument,
  { server, wire }: TakenServer,
): McpServer | undefined {
  const content = canonical(wire ?? wireWithoutSecrets(server));
  // Without its secrets, what is there may well be more than what is here, but it is not known to be.
  if (wire === undefined && secretNames(server).length > 0) return undefined;
  return document.model.mcpServers.find((one) => {
    const other = one.kind === server.kind && sameLabel(one, server) ? document.wireOf(one) : undefined;
    return other !== undefined && canonical(other) === content;
  });
}

/**
 * The user's other unsaved changes, made on `former`, on the document that parking or restoring ended with. Values of
 * secrets that were typed are in `former` alone and have to be typed again; `dropped` names them.
 */
export function carriedOver(
  former: SettingsDocument,
  edits: FormEdits,
  next: SettingsDocument,
  parkedId?: string,
): RestoredEdits {
  const without = (servers: readonly McpServer[]) => servers.filter(({ id }) => id !== parkedId);
  const { mcpServers } = edits;
  return next.restore(
    { ...edits, mcpServers: mcpServers && without(mcpServers) },
    { values: former.model.values, mcpServers: mcpServers && without(former.model.mcpServers) },
  );
}

function only(mcpServers: McpServer[]): FormEdits {
  return { values: {}, secrets: {}, mcpServers };
}

function heldOf(kind: McpServer['kind'], wire: Json): HeldServer | undefined {
  return readServers({ [listOfKind[kind]]: [wire] }, new Set())[0];
}

function parkable(held: HeldServer): ParkableServer {
  const { kind, url, timeout, name, command, args, apiKey, env } = held;
  return {
    kind,
    url,
    timeout,
    name,
    command,
    args: [...args],
    hasApiKey: apiKey !== null,
    env: [...env].map(([variable, value]) => ({ name: variable, isSet: value !== '' && value !== null })),
    otherMembers: Object.keys(extrasOf(held)),
  };
}

function secretsOf(held: HeldServer): Json[] {
  return [held.apiKey, ...held.env.values(), extrasOf(held)];
}

function isHidden(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isHidden);
  return looksMasked(value, 3);
}

function wireWithoutSecrets({ kind, url, timeout, name, command, args, env }: ParkedServer): Json {
  if (kind === 'stdio')
    return { name, command, args, env: Object.fromEntries(env.map((entry) => [entry.name, ''])) };
  return { url, ...(timeout !== null && { timeout }) };
}
