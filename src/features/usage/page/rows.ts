import * as l10n from '@vscode/l10n';
import { costWords } from '../../../core/kit/numbers';
import type { UsageKind, UsageSorting, UsageSum } from '../../../shared/usageMessages';

/** A column by which a table sorts. */
export type Column = UsageSorting[UsageKind]['by'];

/** Newest day first, highest cost first. */
export const firstSorting: UsageSorting = {
  day: { by: 'name', isDescending: true },
  model: { by: 'cost', isDescending: true },
  repository: { by: 'cost', isDescending: true },
  connection: { by: 'cost', isDescending: true },
};

/** The rows in the order that the user wants; those without a name are last among equals, and last by name. */
export function sortedRows(
  rows: readonly UsageSum[],
  { by, isDescending }: UsageSorting[UsageKind],
): UsageSum[] {
  const factor = isDescending ? -1 : 1;
  const byName = (a: UsageSum, b: UsageSum, sign: number) =>
    Number(a.name === '') - Number(b.name === '') ||
    sign * a.name.localeCompare(b.name, undefined, { numeric: true });
  return [...rows].sort((a, b) =>
    by === 'name' ? byName(a, b, factor) : factor * (a[by] - b[by]) || byName(a, b, 1),
  );
}

/** The order after a click on a column’s header: names sort ascending first, numbers descending. */
export function pressed(now: UsageSorting[UsageKind], by: Column): UsageSorting[UsageKind] {
  return { by, isDescending: now.by === by ? !now.isDescending : by !== 'name' };
}

/** How long the bar of a day is, in percent of the longest. Any amount above zero is visible. */
export function barLength(amount: number, most: number): number {
  return amount > 0 && most > 0 ? Math.max(1, Math.round((amount / most) * 100)) : 0;
}

/** An amount of money. An amount below a cent isn’t shown as zero. */
export const priceWords = (cost: number): string =>
  cost > 0 && cost < 0.01 ? `<${costWords(0.01)}` : costWords(cost);

/** The name of a row. */
export function nameWords(kind: UsageKind, name: string): string {
  if (name === '') return unnamed[kind]();
  if (kind !== 'day') return name;
  const day = new Date(`${name}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return name;
  return day.toLocaleDateString(language(), { dateStyle: 'medium', timeZone: 'UTC' });
}

const unnamed: Record<UsageKind, () => string> = {
  day: () => l10n.t('Unknown day'),
  model: () => l10n.t('Unknown model'),
  repository: () => l10n.t('No repository'),
  connection: () => l10n.t('Unnamed'),
};

const language = () => document.documentElement.lang || 'en';
