import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configurationSection, settingIds } from '../ids';

/** Returns a function that tells the user about entries in the settings that can't be used, each one once. */
export function settingsProblemTeller(log: vscode.LogOutputChannel): (problems: readonly string[]) => void {
  const told = new Set<string>();
  return (problems) => {
    for (const problem of problems.filter((one) => !told.has(one))) {
      told.add(problem);
      log.warn(problem);
      void tell(problem);
    }
  };
}

async function tell(problem: string): Promise<void> {
  const open = l10n.t('Open Settings');
  const picked = await vscode.window.showWarningMessage(problem, open);
  if (picked !== open) return;
  await vscode.commands.executeCommand(
    'workbench.action.openSettings',
    `${configurationSection}.${settingIds.connections}`,
  );
}
