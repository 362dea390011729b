import type { SettingsClient } from './client';
import { hides, revealed } from './hidden';
import type { Snapshot } from './merge';
import { readSettings } from './record';
import type { Safeguards } from './safeguards';
import { matchServers, type MyServer } from './serverMatch';
import { readServers, type HeldServer } from './servers';

/**
 * Reads the settings; the servers have the ids of `former`. Throws ApiError. Secrets that the service hides are filled in
 * where they are known here: from `former`, and from what this computer keeps.
 *
 * @param mine the servers as the user wants them, where the list was touched
 */
export async function readSnapshot(
  client: SettingsClient,
  safeguards: Safeguards,
  former: readonly HeldServer[],
  mine: readonly MyServer[] | null = null,
  signal?: AbortSignal,
): Promise<Snapshot> {
  const reading = await readSettings(client, safeguards, signal);
  const shown = readServers(reading.record['mcp_config'], new Set());
  const hidesSecrets = !reading.abilities.replaces && shown.some(({ raw }) => hides(raw));
  const kept = hidesSecrets ? await safeguards.kept.read(client.origin) : undefined;
  // What is kept is never older than what a form has read.
  const known = [...readServers(kept, new Set()), ...former];
  const servers = hidesSecrets ? revealed(shown, known) : shown;
  const isKept = kept !== undefined;
  return { ...reading, hidesSecrets, isKept, servers: matchServers(former, servers, mine) };
}
