import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configurationSection, settingIds } from '../ids';
import { parseBaseUrl } from '../shared/baseUrl';
import { connectionEntrySchema, type Connection, type ConnectionEntry } from '../shared/connection';
import { networkProblem } from '../shared/networkOptions';
import { ownSetting } from './ownSetting';

export interface ConfiguredConnections {
  connections: Connection[];
  /** One sentence for each entry that can't be used. */
  problems: string[];
}

const ownConnections = () =>
  ownSetting(vscode.workspace.getConfiguration(configurationSection), settingIds.connections);

/** Reads the setting `agentWorkspace.connections`; invalid entries are named and left out. */
export function readConnections(): ConfiguredConnections {
  const value = ownConnections();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const connections: Connection[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = connectionEntrySchema.safeParse(entry);
    const base = parsed.success ? parseBaseUrl(parsed.data.url) : undefined;
    const problem = parsed.data?.network && networkProblem(parsed.data.network);
    if (!parsed.success || !base) {
      problems.push(l10n.t('Connection {0} in your settings needs a name and an address.', index + 1));
    } else if (!base.ok) {
      problems.push(l10n.t('Connection “{0}” in your settings: {1}', parsed.data.name, base.reason));
    } else if (problem !== undefined) {
      problems.push(l10n.t('Connection “{0}” in your settings: {1}', parsed.data.name, problem));
    } else if (!connections.some((other) => other.baseUrl === base.baseUrl)) {
      const { name, network, authentication } = parsed.data;
      connections.push({
        name,
        baseUrl: base.baseUrl,
        origin: base.origin,
        ...(authentication === 'apiKey' && { authentication }),
        ...(network && { network }),
      });
    }
  }
  return { connections, problems };
}

/** Writes the user's connections; entries that can't be parsed stay as they are. */
export async function updateConnections(
  change: (entries: ConnectionEntry[]) => ConnectionEntry[],
): Promise<void> {
  const value = ownConnections();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const readable = entries.flatMap((entry) => connectionEntrySchema.safeParse(entry).data ?? []);
  const unreadable = entries.filter((entry) => !connectionEntrySchema.safeParse(entry).success);
  await vscode.workspace
    .getConfiguration(configurationSection)
    .update(settingIds.connections, [...change(readable), ...unreadable], vscode.ConfigurationTarget.Global);
}

/** The entries with another address than `baseUrl`, however they spell it. */
export function entriesBeside(entries: readonly ConnectionEntry[], baseUrl: string): ConnectionEntry[] {
  return entries.filter(({ url }) => {
    const parsed = parseBaseUrl(url);
    return !parsed.ok || parsed.baseUrl !== baseUrl;
  });
}

/** The entry that says what a connection is. */
export function entryOf({ name, baseUrl, authentication, network }: Connection): ConnectionEntry {
  return { name, url: baseUrl, ...(authentication && { authentication }), ...(network && { network }) };
}

/** The entries with `entry` for `baseUrl`, in the place of the previous one: the first connection is the default. */
export function entriesWith(
  entries: readonly ConnectionEntry[],
  baseUrl: string,
  entry: ConnectionEntry,
): ConnectionEntry[] {
  const beside = entriesBeside(entries, baseUrl);
  const place = entries.findIndex((other) => !beside.includes(other));
  return beside.toSpliced(place < 0 ? beside.length : place, 0, entry);
}

/** Milliseconds between two automatic refreshes of what is on screen; 0 turns them off. */
export function refreshIntervalMs(): number {
  const seconds = vscode.workspace
    .getConfiguration(configurationSection)
    .get<unknown>(settingIds.refreshIntervalSeconds);
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : 15_000;
}

type FlagId = Exclude<
  (typeof settingIds)[keyof typeof settingIds],
  'connections' | 'refresh.intervalSeconds' | 'watchSeconds'
>;

/** Whether a setting is on. */
export function isOn(id: FlagId): boolean {
  return vscode.workspace.getConfiguration(configurationSection).get<unknown>(id) === true;
}

/** Turns a setting on or off, for all windows. */
export async function turn(id: FlagId, on: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration(configurationSection)
    .update(id, on, vscode.ConfigurationTarget.Global);
}
