import * as l10n from '@vscode/l10n';
import type { SandboxSpec } from '../../api/schemas/sandboxSpec';
import { age } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import type { ListState } from '../../state/resourceList';
import { loadMoreRow } from '../loadMore';
import type { Row } from '../row';
import { joined } from '../words';

/** The rows of the view Sandbox Specs. */
export function* specRows(list: ListState<SandboxSpec>, now: number): Generator<Row> {
  for (const spec of list.items.slice(0, list.limit)) {
    const label = plainText(spec.id, 120);
    const description = joined(plainText(spec.working_dir ?? '', 80), age(spec.created_at, now));
    yield {
      ref: { kind: 'spec', id: spec.id },
      id: `spec/${spec.id}`,
      label,
      description,
      tooltip: joined(plainText(spec.id, 300), description),
      icon: { name: 'package' },
      contextValue: 'spec',
      accessibilityLabel: l10n.t('Sandbox spec {0}', joined(label, description)),
    };
  }
  if (list.items.length > list.limit || list.nextPageId !== null) yield loadMoreRow('specs');
}
