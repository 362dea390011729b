import * as vscode from 'vscode';
import { configurationSection, settingIds } from '../ids';
import { connectionEntrySchema, type ConnectionEntry } from '../shared/connection';
import type { SendKey } from '../shared/conversationMessages';
import { connectionsIn, entriesIn } from './connectionEntries';
import { ownSetting } from './ownSetting';

const configuration = () => vscode.workspace.getConfiguration(configurationSection);

const ownConnections = () => ownSetting(configuration(), settingIds.connections);

/** Reads the setting `agentWorkspace.connections`; invalid entries are named and left out. */
export const readConnections = () => connectionsIn(ownConnections());

/** The connections that the setting has until the user edits it. */
export const defaultConnections = (): unknown =>
  configuration().inspect<unknown>(settingIds.connections)?.defaultValue;

/** Whether the user has edited them. */
export const hasOwnConnections = (): boolean =>
  configuration().inspect<unknown>(settingIds.connections)?.globalValue !== undefined;

/** Writes the user's connections; entries that can't be parsed stay as they are. */
export async function updateConnections(
  change: (entries: ConnectionEntry[]) => ConnectionEntry[],
): Promise<void> {
  const entries = entriesIn(ownConnections());
  const readable = entries.flatMap((entry) => connectionEntrySchema.safeParse(entry).data ?? []);
  const unreadable = entries.filter((entry) => !connectionEntrySchema.safeParse(entry).success);
  const changed = [...change(readable), ...unreadable];
  await configuration().update(settingIds.connections, changed, vscode.ConfigurationTarget.Global);
}

type FlagId = Exclude<
  (typeof settingIds)[keyof typeof settingIds],
  'connections' | 'refresh.intervalSeconds' | 'watchSeconds' | 'composer.sendWith' | 'usage.dailyBudget'
>;

/** Whether a setting is on. */
export function isOn(id: FlagId): boolean {
  return configuration().get<unknown>(id) === true;
}

/** Dollars that a day’s conversations may cost before the user is notified; 0 for no budget. */
export const dailyBudget = (): number => Number(configuration().get<unknown>(settingIds.dailyBudget)) || 0;

/** The key that sends a message to an agent. */
export function sendKey(): SendKey {
  return configuration().get<unknown>(settingIds.sendWith) === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

/** Turns a setting on or off, for all windows. */
export async function turn(id: FlagId, on: boolean): Promise<void> {
  await configuration().update(id, on, vscode.ConfigurationTarget.Global);
}
