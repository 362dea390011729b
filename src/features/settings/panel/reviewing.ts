import * as l10n from '@vscode/l10n';
import { sectionLabel, sections } from '../../../shared/fields';
import type { SavedChange } from '../shared/form';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import type { ReviewGroup } from '../shared/messages';
import { plainText } from '../../../shared/plainText';
import { fieldLabel, fieldSection } from '../../../shared/settings';
import type { FormHost } from './formHost';
import type { OpenForm } from './openForm';
import { memberLabel } from './words';

/** Tells the form what a save of its edits would change. */
export function review({ ports }: FormHost, { document, edits }: OpenForm): void {
  const notes = document.sandboxKeyAtRisk(edits)
    ? [l10n.t('This save may delete the sandbox API key. You’ll be asked before that happens.')]
    : [];
  const servers = [...document.model.mcpServers, ...(edits.mcpServers ?? [])];
  ports.post({ type: 'review', groups: reviewGroups(document.review(edits), servers), notes });
}

/**
 * The changes by section, and those of MCP servers by server, in the order of the form. `servers` are those that the
 * changes are about; where one is there twice, the first gives it its name.
 */
function reviewGroups(changes: readonly SavedChange[], servers: readonly McpServer[]): ReviewGroup[] {
  const groups = new Map<string, ReviewGroup>();
  const put = (key: string, title: string, label: string, { before, after }: SavedChange) => {
    const group = groups.get(key) ?? { title, changes: [] };
    groups.set(key, group);
    group.changes.push({ label, before, after });
  };
  for (const change of inOrderOfForm(changes)) {
    const { target } = change;
    switch (target.at) {
      case 'field': {
        const section = fieldSection(target.field);
        put(section, sectionLabel(section), fieldLabel(target.field), change);
        break;
      }
      case 'mcp': {
        const server = servers.find(({ id }) => id === target.id);
        const name = plainText(server === undefined ? change.label : mcpLabel(server), 200);
        const title = l10n.t('MCP server {0}', name || l10n.t('(unnamed)'));
        put(`mcp ${target.id}`, title, memberLabel(target.member, change.label), change);
        break;
      }
      case 'more':
        put('more', sectionLabel('more'), plainText(change.label, 200), change);
        break;
      case 'form':
        put('mcp', sectionLabel('mcp'), l10n.t('Order'), change);
    }
  }
  return [...groups.values()];
}

function inOrderOfForm(changes: readonly SavedChange[]): SavedChange[] {
  const place = ({ target }: SavedChange) =>
    sections.indexOf(
      target.at === 'field' ? fieldSection(target.field) : target.at === 'more' ? 'more' : 'mcp',
    );
  return changes.toSorted((one, other) => place(one) - place(other));
}
