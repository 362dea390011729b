import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AutomationRun } from '../../../api/service/automations';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { showError, withQuietProgress } from '../../../editor/progress';
import { age } from '../../../shared/age';
import { plainText } from '../../../shared/plainText';
import { automationName, runLog, runWords } from '../model/words';
import { runIcon } from '../rows/rows';
import { type AutomationNeeds, chooseAutomation } from './choose';

type Needs = AutomationNeeds & {
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
};

/** How many runs are listed. */
const most = 50;

/** Show Runs…: opens the conversation of a run, or what is known of one that has none, on the service of its automation. */
export function showRuns(needs: Needs): Handler {
  return async (argument) => {
    const chosen = await chooseAutomation(needs, argument, l10n.t('Show Runs'));
    if (!chosen) return;
    const { at, automation } = chosen;
    const name = automationName(automation);
    const runs = await withQuietProgress(l10n.t('Reading…'), () =>
      at.server.listAutomationRuns(automation.id, most),
    ).then(undefined, async (error: unknown) => {
      await showError(l10n.t('Couldn’t read the runs.'), error);
      return undefined;
    });
    if (!runs) return;
    const ref = refOf(argument);
    const wanted = ref?.kind === 'automation' ? runs.find(({ id }) => id === ref.run) : undefined;
    const run = wanted ?? (await askRun(name, runs));
    if (!run) return;
    const { conversation_id: conversation } = run;
    if (conversation) await needs.showConversation(conversation, undefined, at.connection.baseUrl);
    else await needs.showDocument(l10n.t('Run of {0}', name), runLog(run, vscode.env.language), 'txt');
  };
}

async function askRun(name: string, runs: readonly AutomationRun[]): Promise<AutomationRun | undefined> {
  if (runs.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('“{0}” hasn’t run yet.', name));
    return undefined;
  }
  const picked = await askPick({
    title: l10n.t('Runs of {0}', name),
    placeholder: l10n.t('Select a run to open its conversation or its log'),
    items: runs.map((run) => {
      const { name: icon, color } = runIcon(run);
      return {
        run,
        label: runWords(run),
        description: age(run.created_at, Date.now()) ?? '',
        detail: plainText(run.error_detail ?? '', 200),
        // A picker doesn't spin icons.
        iconPath: new vscode.ThemeIcon(
          icon.replace(/~spin$/, ''),
          color === undefined ? undefined : new vscode.ThemeColor(color),
        ),
      };
    }),
  });
  return typeof picked === 'object' ? picked.run : undefined;
}
