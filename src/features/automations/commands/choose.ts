import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Automation } from '../../../api/service/automations';
import { refOf } from '../../../core/lists/ref';
import { askPick } from '../../../editor/inputs';
import { showError, withQuietProgress } from '../../../editor/progress';
import { joined } from '../../../shared/joined';
import { runIcon } from '../rows/rows';
import type { AutomationsAt, AutomationWatch } from '../model/watch';
import { automationName, isAutomationOn, triggerWords } from '../model/words';

/** What commands on automations need. */
export interface AutomationNeeds {
  automations: AutomationWatch;
}

/** An automation with its service. */
export interface ChosenAutomation {
  at: AutomationsAt;
  automation: Automation;
}

/** The automations of a service as they are now; undefined once the user knows why they can’t be read. */
export async function readAutomations(
  watch: AutomationWatch,
  at: AutomationsAt | undefined,
): Promise<AutomationsAt | undefined> {
  if (!at) {
    void vscode.window.showInformationMessage(
      l10n.t('This server has no automation service. Agent Canvas has one.'),
    );
    return undefined;
  }
  const { baseUrl } = at.connection;
  await withQuietProgress(l10n.t('Reading…'), () => watch.refresh(baseUrl));
  const now = watch.at(baseUrl);
  if (now?.error) await showError(l10n.t('Couldn’t read the automations.'), now.error);
  return now?.error ? undefined : now;
}

/** The row’s automation, or one of the connected server that the user selects. */
export async function chooseAutomation(
  { automations: watch }: AutomationNeeds,
  argument: unknown,
  title: string,
  fits: (automation: Automation, at: AutomationsAt) => boolean = () => true,
): Promise<ChosenAutomation | undefined> {
  const ref = refOf(argument);
  if (ref?.kind === 'automation') {
    const at = watch.at(ref.service);
    const automation = at?.items.find(({ id }) => id === ref.id);
    if (at && automation) return { at, automation };
    void vscode.window.showInformationMessage(
      l10n.t('This automation isn’t there anymore, or this window isn’t on its connection.'),
    );
    return undefined;
  }
  const at = await readAutomations(watch, watch.here);
  if (!at) return undefined;
  const fitting = at.items.filter((one) => fits(one, at));
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(
      at.items.length === 0 ? l10n.t('No automations yet.') : l10n.t('No matching automation.'),
    );
    return undefined;
  }
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select an automation'),
    items: fitting.map((automation) => ({
      automation,
      label: automationName(automation),
      description: joined(
        isAutomationOn(automation) ? undefined : l10n.t('Off'),
        triggerWords(automation.trigger, vscode.env.language),
      ),
      iconPath: new vscode.ThemeIcon(runIcon(at.runs.get(automation.id)).name.replace(/~spin$/, '')),
    })),
  });
  return typeof picked === 'object' ? { at, automation: picked.automation } : undefined;
}
