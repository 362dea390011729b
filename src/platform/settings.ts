import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configurationSection, settingIds } from '../ids';
import { parseBaseUrl } from '../shared/baseUrl';
import { connectionEntrySchema, type Connection, type ConnectionEntry } from '../shared/connection';
import { networkProblem } from '../shared/networkOptions';

export interface ConfiguredConnections {
  connections: Connection[];
  /** One sentence for each entry that cannot be used. */
  problems: string[];
}

/** The user's own value or the default; what a workspace or folder sets must never decide where the key goes. */
function ownValue(): unknown {
  const inspected = vscode.workspace.getConfiguration(configurationSection).inspect(settingIds.connections);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** Reads the setting `agentWorkspace.connections`; bad entries are named and left out. */
export function readConnections(): ConfiguredConnections {
  const value = ownValue();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const connections: Connection[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = connectionEntrySchema.safeParse(entry);
    const base = parsed.success ? parseBaseUrl(parsed.data.url) : undefined;
    const problem = parsed.data?.network && networkProblem(parsed.data.network);
    if (!parsed.success || !base) {
      problems.push(l10n.t('Connection {0} in the settings needs a name and an address.', index + 1));
    } else if (!base.ok) {
      problems.push(l10n.t('Connection “{0}” in the settings: {1}', parsed.data.name, base.reason));
    } else if (problem !== undefined) {
      problems.push(l10n.t('Connection “{0}” in the settings: {1}', parsed.data.name, problem));
    } else if (!connections.some((other) => other.baseUrl === base.baseUrl)) {
      const { name, network } = parsed.data;
      connections.push({ name, baseUrl: base.baseUrl, origin: base.origin, ...(network && { network }) });
    }
  }
  return { connections, problems };
}

/** Writes the user's connections; entries that cannot be parsed are kept as they are. */
export async function updateConnections(
  change: (entries: ConnectionEntry[]) => ConnectionEntry[],
): Promise<void> {
  const value = ownValue();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const readable = entries.flatMap((entry) => connectionEntrySchema.safeParse(entry).data ?? []);
  const unreadable = entries.filter((entry) => !connectionEntrySchema.safeParse(entry).success);
  await vscode.workspace
    .getConfiguration(configurationSection)
    .update(settingIds.connections, [...change(readable), ...unreadable], vscode.ConfigurationTarget.Global);
}

/** The entries that lead elsewhere than to `baseUrl`, however it is spelt there. */
export function entriesBeside(entries: readonly ConnectionEntry[], baseUrl: string): ConnectionEntry[] {
  return entries.filter(({ url }) => {
    const parsed = parseBaseUrl(url);
    return !parsed.ok || parsed.baseUrl !== baseUrl;
  });
}

/** The entries with `entry` for `baseUrl`: in the place of the former one, since the order decides which is the first. */
export function entriesWith(
  entries: readonly ConnectionEntry[],
  baseUrl: string,
  entry: ConnectionEntry,
): ConnectionEntry[] {
  const beside = entriesBeside(entries, baseUrl);
  const place = entries.findIndex((other) => !beside.includes(other));
  return beside.toSpliced(place < 0 ? beside.length : place, 0, entry);
}

/** Milliseconds between two refreshes; 0 = none by themselves. */
export function refreshIntervalMs(): number {
  const seconds = vscode.workspace
    .getConfiguration(configurationSection)
    .get<unknown>(settingIds.refreshIntervalSeconds);
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : 15_000;
}

type FlagId = Exclude<
  (typeof settingIds)[keyof typeof settingIds],
  'connections' | 'refresh.intervalSeconds'
>;

/** Whether the user has a setting switched on, by its default where they have not said. */
export function isOn(id: FlagId): boolean {
  return vscode.workspace.getConfiguration(configurationSection).get<unknown>(id) === true;
}

/** Switches a setting on or off, for all windows. */
export async function turn(id: FlagId, on: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration(configurationSection)
    .update(id, on, vscode.ConfigurationTarget.Global);
}

/** Calls `listener` when the connections may have changed. */
export function onDidChangeConnections(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${configurationSection}.${settingIds.connections}`)) listener();
  });
}
