import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Automation, AutomationChange } from '../../../api/service/automations';
import { Refusal } from '../../../core/basics/refusal';
import type { Handler } from '../../../editor/handler';
import { hidesSomething } from '../../../core/settings/masks';
import { askPick, askText, back, type Answer, needsText } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { same } from '../../../shared/same';
import { automationName, triggerWords } from '../model/words';
import { carryOut } from './actions';
import { askSchedule } from './askSchedule';
import { type AutomationNeeds, chooseAutomation } from './choose';

interface Item extends vscode.QuickPickItem {
  ask: () => Promise<Answer<AutomationChange>>;
}

/** Change Automation…: its name, schedule, or message. */
export function changeAutomation(needs: AutomationNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Change Automation');
    const chosen = await chooseAutomation(needs, argument, title);
    const change = chosen && (await askChange(chosen.automation, title));
    if (!chosen || !change) return;
    const name = automationName(chosen.automation);
    await carryOut(needs, chosen, {
      progress: l10n.t('Changing {0}…', name),
      failed: l10n.t('Couldn’t change “{0}”.', name),
      make: async ({ at, automation }) => {
        const { id } = automation;
        const before = (await at.server.listAutomations()).find((one) => one.id === id);
        const parts = Object.keys(change) as (keyof AutomationChange)[];
        if (before && parts.some((part) => !same(before[part], automation[part])))
          throw new Refusal(l10n.t('Another client has changed it. Nothing was saved. Try again.'));
        const now = await at.server.changeAutomation(id, change);
        if (!has(now, change)) throw new Refusal(l10n.t('The server left it as it was.'));
      },
      isDone: (now) => now !== undefined && has(now, change),
    });
  };
}

/** Whether the automation is as the change says. */
function has(
  { name, prompt, trigger }: Automation,
  { trigger: asked, ...others }: AutomationChange,
): boolean {
  const now: AutomationChange = { name: name ?? '', prompt: prompt ?? '' };
  const isThis = (one: keyof typeof others) => others[one] === undefined || others[one] === now[one];
  const isDue = trigger?.schedule === asked?.schedule && trigger?.timezone === asked?.timezone;
  return isThis('name') && isThis('prompt') && (!asked || isDue);
}

/** Whether a text is there without a mask, which would take the place of what it hides. */
const isWhole = (text: string | null | undefined): text is string => !!text && !hidesSomething(text);

async function askChange(automation: Automation, title: string): Promise<AutomationChange | undefined> {
  const { name, prompt, trigger } = automation;
  const step = { title: `${title}: ${automationName(automation)}`, canGoBack: true };
  const ask = async (value: string, words: string) =>
    askText({ ...step, value, prompt: words, validate: needsText });
  const timezone = trigger?.timezone === '' ? 'UTC' : (trigger?.timezone ?? 'UTC');
  const items: Item[] = [
    {
      label: l10n.t('Name'),
      description: automationName(automation),
      ask: async () => {
        const text = await ask(isWhole(name) ? name : '', l10n.t('Name of the automation'));
        return typeof text === 'string' ? { name: plainText(text, 100) } : text;
      },
    },
    ...(trigger?.type === 'cron'
      ? [
          {
            label: l10n.t('Schedule'),
            description: triggerWords(trigger, vscode.env.language),
            ask: async (): Promise<Answer<AutomationChange>> => {
              const schedule = await askSchedule({ ...step, value: trigger.schedule ?? '' }, timezone);
              return typeof schedule === 'string'
                ? { trigger: { ...trigger, type: 'cron', schedule, timezone } }
                : schedule;
            },
          },
        ]
      : []),
    // An input would make one line of several.
    ...(isWhole(prompt) && !/[\r\n]/.test(prompt)
      ? [
          {
            label: l10n.t('Message'),
            description: plainText(prompt, 160),
            ask: async (): Promise<Answer<AutomationChange>> => {
              const text = await ask(prompt, l10n.t('Message that each run sends'));
              return typeof text === 'string' ? { prompt: text } : text;
            },
          },
        ]
      : []),
  ];
  for (;;) {
    const picked = await askPick({
      ...step,
      canGoBack: false,
      placeholder: l10n.t('Select what to change'),
      items,
    });
    if (typeof picked !== 'object') return undefined;
    const change = await picked.ask();
    if (change !== back) return change;
  }
}
