import type { WorkspaceConfiguration } from 'vscode';

/**
 * The user's own value of a setting, else its default. Never the value of a workspace or folder: a repository must not
 * decide where a session key goes.
 */
export function ownSetting(configuration: Pick<WorkspaceConfiguration, 'inspect'>, name: string): unknown {
  const inspected = configuration.inspect(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
