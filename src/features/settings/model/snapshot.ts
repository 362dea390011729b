import type { SettingsClient } from './client';
import type { MoreFields } from '../../../api/service/current/moreFields';
import { hides, revealed } from './hidden';
import type { Snapshot } from './merge';
import { moreSettings, readDescription } from './moreSettings';
import { readSettings } from './record';
import type { Safeguards } from '../../../core/settings/safeguards';
import { matchServers } from './match';
import type { MyServer } from './secrets';
import { readServers, type HeldServer } from './servers';

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
