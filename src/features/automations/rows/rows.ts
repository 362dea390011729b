import * as l10n from '@vscode/l10n';
import type { Automation, AutomationRun } from '../../../api/service/automations';
import type { StateIcon } from '../../../core/lists/stateIcons';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { commandIds } from '../../../ids';
import { age } from '../../../shared/age';
import { isolated, rowLabel } from '../../../shared/isolated';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { nextRun } from '../model/cron';
import type { AutomationsAt } from '../model/watch';
import {
  automationName,
  isAutomationOn,
  isUnderWay,
  runWords,
  stateOf,
  dueWords,
  triggerWords,
} from '../model/words';

/** When, in which language, and in which time zone rows are shown. */
interface ShownAt {
  now: number;
  language: string;
  timeZone: string;
}

/** The rows of Automations. */
export const automationRows = ({ connection, items, runs }: AutomationsAt, shownAt: ShownAt): Row[] =>
  items.map((one) => automationRow(one, runs.get(one.id), connection.baseUrl, shownAt));

function automationRow(
  automation: Automation,
  run: AutomationRun | undefined,
  service: string,
  { now, language, timeZone }: ShownAt,
): Row {
  const { id, trigger, last_triggered_at: triggered } = automation;
  const name = isolated(automationName(automation));
  const isOn = isAutomationOn(automation);
  const isBusy = isUnderWay(run);
  const due = isOn && trigger?.type === 'cron' && nextRun(trigger.schedule, trigger.timezone, now);
  const next = due ? dueWords(due, now, language) : undefined;
  const off = isOn ? undefined : l10n.t('Off');
  // A narrow side bar has room for a time zone only where it isn't the usual one.
  const short = trigger?.timezone === timeZone ? { ...trigger, timezone: null } : trigger;
  const when = joined(off, triggerWords(short, language), next && l10n.t('next {0}', next));
  const needsLook = isBusy || (run && stateOf(run) === 'FAILED');
  const lastAge = age(run?.completed_at ?? run?.created_at ?? triggered, now);
  const last = run ? joined(runWords(run), isBusy ? undefined : lastAge) : (lastAge ?? l10n.t('never run'));
  return {
    ref: { kind: 'automation', id, service },
    id: `automation/${service}/${id}`,
    label: rowLabel(name),
    description: joined(needsLook && run && runWords(run), when),
    tooltip: tooltip(name, [
      [undefined, off],
      [l10n.t('Trigger'), triggerWords(trigger, language)],
      [l10n.t('Next run'), next],
      [l10n.t('Last run'), last],
      [undefined, plainText(run?.error_detail ?? '', 300)],
    ]),
    icon: isOn || isBusy ? runIcon(run) : { name: 'circle-slash', color: quiet },
    contextValue: joinedContext(isOn, isBusy),
    accessibilityLabel: l10n.t('Automation {0}, {1}', name, joined(when, l10n.t('last run: {0}', last))),
    command: commandIds.automationShowRuns,
  };
}

const quiet = 'descriptionForeground';
const joinedContext = (isOn: boolean, isBusy: boolean) =>
  `automation.${isOn ? 'on' : 'off'}${isBusy ? '.busy' : ''}`;

/** What the state of a run looks like; each has its own shape. */
export function runIcon(run: AutomationRun | undefined): StateIcon {
  if (isUnderWay(run)) return { name: 'loading~spin' };
  switch (stateOf(run ?? {})) {
    case 'COMPLETED':
      return { name: 'pass', color: 'testing.iconPassed' };
    case 'FAILED':
      return { name: 'error', color: 'list.errorForeground' };
    case 'CANCELLED':
    case 'SKIPPED':
      return { name: 'debug-step-over', color: quiet };
    default:
      return { name: 'watch' };
  }
}
