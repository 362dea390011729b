import * as l10n from '@vscode/l10n';
import type { Grouping, Order } from './arrangement';

/** What conversations are grouped by, in words. */
export function groupWords(grouping: Grouping): string {
  switch (grouping) {
    case 'none':
      return l10n.t('No groups');
    case 'sandbox':
      return l10n.t('By sandbox');
    case 'repository':
      return l10n.t('By repository');
    case 'state':
      return l10n.t('By state');
  }
}

/** What conversations are sorted by, in words. */
export function orderWords(order: Order): string {
  switch (order) {
    case 'updated':
      return l10n.t('Last active first');
    case 'created':
      return l10n.t('Newest first');
    case 'title':
      return l10n.t('By title');
  }
}
