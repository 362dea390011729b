import * as l10n from '@vscode/l10n';
import { commandIds } from '../ids';
import type { ListName } from '../state/lists/serviceModel';
import type { Row } from './row';

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
