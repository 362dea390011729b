import * as l10n from '@vscode/l10n';
import type { FormEdits } from '../shared/form';
import { type Json, canonical } from '../../../shared/json';
import { type McpServer, mcpLabel } from '../../../shared/mcp';
import {
  secretNames,
  type ParkableServer,
  type ParkedServer,
  type TakenServer,
} from '../../../shared/parked';
import { plainText } from '../../../shared/plainText';
import type { SettingsDocument } from './document';
import { hidesSomething } from '../../../core/settings/masks';
import { placeOfServer, extrasOf, readServer, sameLabel, type HeldServer } from './servers';

/** Why nothing can be done, in words for the user. */
interface PlanRefusal {
  refused: string;
}

/** How to park a server. */
interface ParkPlan {
  /** The part that may be shown. */
  server: ParkableServer;
  /** The whole server, secrets included. */
  wire: Json;
  /** The edits that remove only this server from the service; undefined if the service doesn't have it. */
  edits: FormEdits | undefined;
}

/** How to restore a server. */
interface RestorePlan {
  /** The edits that add only this server, for the document the plan was made with. */
  edits: FormEdits;
  /** The server in the edits. */
  server: McpServer;
  /** Names of the lost secrets, without which the server is restored. */
  lost: string[];
}

/** @param server the server in the form, with its unsaved changes */
export function parkPlan(document: SettingsDocument, server: McpServer): ParkPlan | PlanRefusal {
  const label = plainText(mcpLabel(server), 200);
  const wire = document.wireOf(server);
  const held = wire === undefined ? undefined : readServer(server.kind, wire);
  if (wire === undefined || held === undefined)
    return {
      refused: l10n.t(
        '{0} can’t be parked because one of its secrets isn’t known here. Replace that secret first.',
        label,
      ),
    };
  if ([held.apiKey, ...held.env.values(), extrasOf(held)].some(hidesSomething))
    return {
      refused: l10n.t(
        'The service hides a secret of {0}, and parking would lose it. Replace or clear it first.',
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

/** @param document gets the server's secrets, for saving the plan's edits */
export function restorePlan(document: SettingsDocument, taken: TakenServer): RestorePlan | PlanRefusal {
  const { server: parked, wire } = taken;
  const server = document.adopt(parked.kind, wire ?? wireWithoutSecrets(parked));
  // Its secrets must go only where its row says.
  if (server === undefined || placeOfServer(server) !== placeOfServer(parked))
    return { refused: l10n.t('The parked copy is damaged and can’t be restored.') };
  return {
    edits: only([...document.model.mcpServers, server]),
    server,
    lost: wire === undefined ? secretNames(parked) : [],
  };
}

/** The server of the document that equals the parked one, secrets included. */
export function sameOnService(
  document: SettingsDocument,
  { server, wire }: TakenServer,
): McpServer | undefined {
  const content = canonical(wire ?? wireWithoutSecrets(server));
  // Without the secrets, they can't be compared.
  if (wire === undefined && secretNames(server).length > 0) return undefined;
  return document.model.mcpServers.find((one) => {
    const other = one.kind === server.kind && sameLabel(one, server) ? document.wireOf(one) : undefined;
    return other !== undefined && canonical(other) === content;
  });
}

function only(mcpServers: McpServer[]): FormEdits {
  return { values: {}, secrets: {}, mcpServers };
}

function parkable(held: HeldServer): ParkableServer {
  const { kind, url, timeout, name, command, args, apiKey, env, enabled } = held;
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
    ...(enabled === false && { isOff: true }),
  };
}

function wireWithoutSecrets({ kind, url, timeout, name, command, args, env, isOff }: ParkedServer): Json {
  const off = isOff === true && { enabled: false };
  if (kind === 'stdio')
    return { name, command, args, env: Object.fromEntries(env.map((entry) => [entry.name, ''])), ...off };
  return { url, ...(timeout !== null && { timeout }), ...off };
}
