import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../../api/http/errors';
import type { Automation } from '../../../api/service/automations';
import { Refusal } from '../../../core/basics/refusal';
import type { Handler } from '../../../editor/handler';
import { confirmed } from '../../../editor/inputs';
import { withQuietProgress } from '../../../editor/progress';
import { tellFailed } from '../../targets/editor';
import { automationName, isAutomationOn, isUnderWay } from '../model/words';
import { type AutomationNeeds, chooseAutomation, type ChosenAutomation } from './choose';

interface Action {
  progress: string;
  /** What to say when it failed. */
  failed: string;
  make: (chosen: ChosenAutomation) => Promise<void>;
  /** Whether it’s done, by what the server says then: an answer may be lost, and nothing is asked for twice. */
  isDone: (now: Automation | undefined) => boolean;
}

/** Carries out an action; true if it’s done. */
export async function carryOut(
  { automations: watch }: AutomationNeeds,
  chosen: ChosenAutomation,
  { progress, failed, make, isDone }: Action,
): Promise<boolean> {
  const { baseUrl } = chosen.at.connection;
  const now = () => watch.at(baseUrl);
  const current = () => now()?.items.find(({ id }) => id === chosen.automation.id);
  return withQuietProgress(progress, async () => {
    const isShown = () => isDone(current());
    try {
      await make(chosen);
      await watch.refresh(baseUrl, isShown);
      return true;
    } catch (error) {
      const isLost = error instanceof ApiError && error.outcomeUnknown;
      await watch.refresh(baseUrl, isLost ? isShown : undefined);
      if (isLost && now()?.error === undefined && isShown()) return true;
      void tellFailed(failed, error, true);
      return false;
    }
  });
}

/** Run Now. */
export function runAutomation(needs: AutomationNeeds): Handler {
  return async (argument) => {
    // The server refuses to run one that is off.
    const chosen = await chooseAutomation(needs, argument, l10n.t('Run Automation'), isAutomationOn);
    if (!chosen) return;
    const { last_triggered_at: before } = chosen.automation;
    const name = automationName(chosen.automation);
    const isDone = await carryOut(needs, chosen, {
      progress: l10n.t('Starting {0}…', name),
      failed: l10n.t('Couldn’t run the automation.'),
      make: ({ at, automation }) => at.server.runAutomation(automation.id),
      isDone: (now) => now !== undefined && now.last_triggered_at !== before,
    });
    // The view says so otherwise.
    if (isDone && !needs.automations.isVisible)
      void vscode.window.showInformationMessage(l10n.t('“{0}” has started.', name));
  };
}

/** Cancel Run: of the run that began last. */
export function cancelRun(needs: AutomationNeeds): Handler {
  return async (argument) => {
    const chosen = await chooseAutomation(needs, argument, l10n.t('Cancel Run'), ({ id }, { runs }) =>
      isUnderWay(runs.get(id)),
    );
    const run = chosen?.at.runs.get(chosen.automation.id);
    if (!chosen || !run) return;
    await carryOut(needs, chosen, {
      progress: l10n.t('Canceling {0}…', automationName(chosen.automation)),
      failed: l10n.t('Couldn’t cancel the run.'),
      make: ({ at }) => at.server.cancelAutomationRun(run.id),
      isDone: () =>
        !isUnderWay(needs.automations.at(chosen.at.connection.baseUrl)?.runs.get(chosen.automation.id)),
    });
  };
}

/** Turn On and Turn Off. */
export function turnAutomation(needs: AutomationNeeds, on: boolean): Handler {
  return async (argument) => {
    const title = on ? l10n.t('Turn On Automation') : l10n.t('Turn Off Automation');
    const chosen = await chooseAutomation(needs, argument, title, (one) => isAutomationOn(one) !== on);
    if (!chosen) return;
    const name = automationName(chosen.automation);
    await carryOut(needs, chosen, {
      progress: on ? l10n.t('Turning on {0}…', name) : l10n.t('Turning off {0}…', name),
      failed: l10n.t('Couldn’t change “{0}”.', name),
      make: async ({ at, automation }) => {
        const now = await at.server.turnAutomation(automation, on);
        if (isAutomationOn(now) !== on) throw new Refusal(l10n.t('The server left it as it was.'));
      },
      isDone: (now) => now !== undefined && isAutomationOn(now) === on,
    });
  };
}

/** Delete: asks first. */
export function deleteAutomation(needs: AutomationNeeds): Handler {
  return async (argument) => {
    const chosen = await chooseAutomation(needs, argument, l10n.t('Delete Automation'));
    if (!chosen) return;
    const name = automationName(chosen.automation);
    const sure = await confirmed(
      l10n.t('Delete “{0}”?', name),
      l10n.t(
        'Its message, schedule, and list of runs are lost. Conversations stay, and a run in progress continues.',
      ),
      l10n.t('Delete'),
    );
    if (!sure) return;
    await carryOut(needs, chosen, {
      progress: l10n.t('Deleting {0}…', name),
      failed: l10n.t('Couldn’t delete “{0}”.', name),
      make: ({ at, automation }) => at.server.deleteAutomation(automation.id),
      isDone: (now) => now === undefined,
    });
  };
}
