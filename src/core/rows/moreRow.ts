import * as l10n from '@vscode/l10n';
import { commandIds } from '../../ids';
import type { Ref } from '../lists/ref';
import type { ListName } from '../lists/serviceModel';
import type { Row } from './row';

/** The most rows under one row: the editor takes all rows of a level at once. */
export const childrenAtMost = 200;

/** The last row under a row of which `hidden` children aren't shown; none if all are. */
export function moreRows(ref: Ref, id: string, hidden: number, where: string): Row[] {
  if (hidden <= 0) return [];
  return [{ ref, id, label: l10n.t('and {0} more', hidden), description: where, contextValue: 'more' }];
}

/** The last row of a list if the service has more. */
export function loadMoreRow(list: ListName): Row {
  return {
    ref: { kind: 'loadMore', list },
    id: `${list}/loadMore`,
    label: l10n.t('Load more'),
    icon: { name: 'ellipsis' },
    contextValue: 'loadMore',
    command: commandIds.viewLoadMore,
  };
}
