import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Answer, askPick, askText, back, type InputStep } from '../../../editor/inputs';
import { atTime, isOften, nextRun } from '../model/cron';
import { dayName, dueWords, triggerWords } from '../model/words';

interface Choice extends vscode.QuickPickItem {
  ask: () => Promise<Answer<string>> | string;
}

/** With the schedule as it is now. */
type Step = InputStep & { value?: string };

/** When a schedule is due next, as a sentence; undefined if it never is. */
export function nextWords(schedule: string, timezone: string): string | undefined {
  const due = nextRun(schedule, timezone, Date.now());
  return due === undefined
    ? undefined
    : l10n.t('Next run: {0} ({1}).', dueWords(due, Date.now(), vscode.env.language, timezone), timezone);
}

/** Asks for a schedule in words; resolves to it in cron’s form. */
export async function askSchedule(step: Step, timezone: string): Promise<Answer<string>> {
  const { language } = vscode.env;
  const at = (days: string) => async (): Promise<Answer<string>> => {
    const time = await askText({
      ...{ ...step, canGoBack: true, value: '09:00' },
      prompt: l10n.t('Time of day ({0})', timezone),
      placeholder: l10n.t('For example, 09:00'),
      validate: (text) =>
        atTime(text, days) ? undefined : l10n.t('Enter hours and minutes, from 00:00 to 23:59.'),
      note: (text) => nextWords(atTime(text, days) ?? '', timezone),
    });
    return typeof time === 'string' ? atTime(time, days) : time;
  };
  const choices: Choice[] = [
    { label: l10n.t('Every Hour'), ask: () => '0 * * * *' },
    { label: l10n.t('Every Day at…'), ask: at('* * *') },
    { label: l10n.t('Every Weekday at…'), description: l10n.t('Monday to Friday'), ask: at('* * 1-5') },
    { label: l10n.t('Every Week on…'), ask: () => askDay(step, at) },
    {
      label: l10n.t('Other Schedule…'),
      description: l10n.t('cron expression'),
      ask: () => askCron(step, timezone),
    },
  ];
  for (;;) {
    const placeholder = l10n.t('Select when it runs. Times are in {0}', timezone);
    const picked = await askPick({ ...step, placeholder, items: choices });
    if (typeof picked !== 'object') return picked;
    const schedule = await picked.ask();
    if (schedule !== back) return schedule;
  }

  async function askDay(
    within: InputStep,
    ask: (days: string) => () => Promise<Answer<string>>,
  ): Promise<Answer<string>> {
    for (;;) {
      const items = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ label: dayName(day, language), day }));
      const placeholder = l10n.t('Select a day');
      const picked = await askPick({ ...within, canGoBack: true, placeholder, items });
      if (typeof picked !== 'object') return picked;
      const schedule = await ask(`* * ${picked.day}`)();
      if (schedule !== back) return schedule;
    }
  }
}

function askCron(step: Step, timezone: string): Promise<Answer<string>> {
  return askText({
    ...{ ...step, canGoBack: true },
    prompt: l10n.t('Minute, hour, day of the month, month, and day of the week ({0})', timezone),
    placeholder: l10n.t('For example, 0 9 1 * * for the first of each month at 09:00'),
    validate: (text) =>
      nextRun(text, timezone, Date.now()) === undefined
        ? l10n.t('Enter a cron expression that matches some time, for example 0 9 * * 1-5.')
        : undefined,
    warn: (text) =>
      isOften(text, timezone, Date.now())
        ? l10n.t('This runs every few minutes. Each run starts an agent, which costs money.')
        : undefined,
    note: (text) => {
      const words = triggerWords({ type: 'cron', schedule: text }, vscode.env.language);
      return [words, nextWords(text, timezone)].filter(Boolean).join('. ');
    },
  }).then((answer) => (typeof answer === 'string' ? answer.trim().replace(/\s+/g, ' ') : answer));
}
