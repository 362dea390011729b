import * as l10n from '@vscode/l10n';
import type { Ref } from '../state/lists/ref';
import type { Row } from './row';

/** The most rows under one row: the editor takes all rows of a level at once. */
export const childrenAtMost = 200;

/** The last row under a row with more children than are shown. */
export function moreRow(ref: Ref, id: string, count: number, where: string): Row {
  return { ref, id, label: l10n.t('and {0} more', count), description: where, contextValue: 'more' };
}
