import * as l10n from '@vscode/l10n';
import type { Automation, AutomationRun, AutomationTrigger } from '../../../api/service/automations';
import { joined, nameList } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';

/**
 * When an automation runs, in words. A schedule that has no short ones is shown in cron’s own form.
 * @param language for times and the names of days
 */
export function triggerWords(trigger: AutomationTrigger | null | undefined, language: string): string {
  const shown = (text: string) => plainText(text, 100);
  if (trigger?.type === 'cron' && trigger.schedule) {
    const words =
      scheduleWords(trigger.schedule, language) ?? l10n.t('Schedule {0}', shown(trigger.schedule));
    return trigger.timezone ? l10n.t('{0} ({1})', words, shown(trigger.timezone)) : words;
  }
  const events = [trigger?.on ?? []].flat().map(shown);
  if (trigger?.type === 'event' && trigger.source && events.length > 0)
    return l10n.t('On {0} from {1}', nameList(events.slice(0, 5)), shown(trigger.source));
  return l10n.t('Unknown trigger');
}

const timeOfDay = { hour: 'numeric', minute: '2-digit' } as const;

function scheduleWords(schedule: string, language: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*') return undefined;
  const isEveryDay = day === '*' && weekday === '*';
  if (hour === '*' && isEveryDay) {
    const step = minute === '*' ? 1 : Number(/^\*\/(\d{1,2})$/.exec(minute)?.[1]);
    if (step === 1) return l10n.t('Every minute');
    // Other steps start over each hour.
    if (60 % step === 0) return l10n.t('Every {0} minutes', step);
    return within(minute, 0, 59) ? l10n.t('Every hour, {0} min past', Number(minute)) : undefined;
  }
  if (!within(minute, 0, 59) || !within(hour, 0, 23)) return undefined;
  const at = Date.UTC(2023, 0, 1, Number(hour), Number(minute));
  const time = new Date(at).toLocaleTimeString(language, { ...timeOfDay, timeZone: 'UTC' });
  if (isEveryDay) return l10n.t('Every day at {0}', time);
  if (day === '*' && weekday === '1-5') return l10n.t('Monday to Friday at {0}', time);
  if (day === '*' && weekday.split(',').every((one) => within(one, 0, 7)))
    return l10n.t(
      '{0} at {1}',
      nameList(weekday.split(',').map((one) => dayName(Number(one), language))),
      time,
    );
  return weekday === '*' && within(day, 1, 31)
    ? l10n.t('Day {0} of each month at {1}', Number(day), time)
    : undefined;
}

const within = (text: string, least: number, most: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** The name of a day, of which 0 and 7 are Sunday. */
export function dayName(day: number, language: string): string {
  // That day in the first week of 2023, which began on a Sunday.
  const date = new Date(Date.UTC(2023, 0, 1 + (day % 7)));
  return date.toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' });
}

/** Whether the server starts it by itself. */
export const isAutomationOn = ({ enabled, state }: Automation): boolean =>
  state ? state.toUpperCase() === 'ACTIVE' : enabled !== false;

/** The name of an automation. */
export const automationName = ({ name }: Pick<Automation, 'name'>): string =>
  plainText(name ?? '', 100) || l10n.t('Unnamed');

/** The state of a run, in capitals. */
export const stateOf = ({ status }: Pick<AutomationRun, 'status'>): string => (status ?? '').toUpperCase();

/** Whether a run hasn’t ended. */
export const isUnderWay = (run: AutomationRun | undefined): boolean =>
  run !== undefined && ['PENDING', 'RUNNING'].includes(stateOf(run));

/** What is known of a run that has no conversation. @param language for its time */
export function runLog(run: AutomationRun, language: string): string {
  const at = Date.parse(run.created_at ?? '');
  const time = at && new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  return [joined(runWords(run), time || run.created_at), run.error_detail].filter(Boolean).join('\n\n');
}

/** A time in the near future, or its date; by this computer’s clock, unless another time zone is given. */
export function dueWords(at: number, now: number, language: string, timeZone?: string): string {
  const isSoon = at - now < 6 * 24 * 60 * 60_000;
  const day = isSoon ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const);
  const year = at - now > 300 * 24 * 60 * 60_000 && ({ year: 'numeric' } as const);
  return new Date(at).toLocaleString(language, { ...day, ...year, ...timeOfDay, timeZone });
}

/** The state of a run, in words. */
export function runWords({ status, current_phase: phase }: AutomationRun): string {
  switch (stateOf({ status })) {
    case 'PENDING':
      return l10n.t('Starting');
    case 'RUNNING':
      return plainText(phase ?? '', 80) || l10n.t('Running');
    case 'COMPLETED':
      return l10n.t('Completed');
    case 'FAILED':
      return l10n.t('Failed');
    case 'CANCELLED':
      return l10n.t('Canceled');
    case 'SKIPPED':
      return l10n.t('Skipped');
    default:
      return plainText(status ?? '', 40) || l10n.t('Unknown');
  }
}
