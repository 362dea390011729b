import * as l10n from '@vscode/l10n';
import type { Grouping, Order } from './arrangement';

const byGrouping: Record<Grouping, () => string> = {
  none: () => l10n.t('No groups'),
  sandbox: () => l10n.t('By sandbox'),
  repository: () => l10n.t('By repository'),
  state: () => l10n.t('By state'),
};

const byOrder: Record<Order, () => string> = {
  updated: () => l10n.t('Last active first'),
  created: () => l10n.t('Newest first'),
  title: () => l10n.t('By title'),
};

/** What conversations are grouped by, in words. */
export const groupWords = (grouping: Grouping): string => byGrouping[grouping]();

/** What conversations are sorted by, in words. */
export const orderWords = (order: Order): string => byOrder[order]();
