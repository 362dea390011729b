import type { ServiceModel } from '../../../../core/lists/serviceModel';
import type { SessionStore } from '../../../../core/session/session';
import type { ListViewContent } from '../../../../editor/rows/listView';
import { listMessage } from '../../../../core/rows/trouble';
import * as l10n from '@vscode/l10n';
import { joined } from '../../../../shared/joined';
import type { SandboxSpec } from '../../../../api/service/schemas/sandboxSpec';
import { age } from '../../../../shared/age';
import { imageName } from '../../../../shared/imageName';
import { plainText } from '../../../../shared/plainText';
import type { ListState } from '../../../../core/lists/resourceList';
import { loadMoreRow } from '../../../../core/rows/moreRow';
import type { Row } from '../../../../core/rows/row';
import { tooltip } from '../../../../core/rows/rowText';

/** The content of the Sandbox Specs view. */
export function specsView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'specs',
    model,
    rows: () => specRows(model.specs.state, Date.now()),
    message: () => listMessage(session.current, model, 'specs', Date.now()),
  };
}

/** The rows of Sandbox Specs. */
export function* specRows(list: ListState<SandboxSpec>, now: number): Generator<Row> {
  for (const spec of list.items.slice(0, list.limit)) {
    const { name, from } = imageName(spec.id);
    const label = plainText(name, 120);
    const directory = plainText(spec.working_dir ?? '', 80);
    const added = age(spec.created_at, now);
    const description = joined(plainText(from, 120), directory, added);
    yield {
      ref: { kind: 'spec', id: spec.id },
      id: `spec/${spec.id}`,
      label,
      description,
      tooltip: tooltip(label, [
        [l10n.t('Image'), plainText(spec.id, 300)],
        [l10n.t('Working directory'), directory],
        [l10n.t('Added'), added],
      ]),
      icon: { name: 'package' },
      contextValue: 'spec',
      accessibilityLabel: l10n.t('Sandbox spec {0}', joined(label, description)),
    };
  }
  if (list.items.length > list.limit || list.nextPageId !== null) yield loadMoreRow('specs');
}
