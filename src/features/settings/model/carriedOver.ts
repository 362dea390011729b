import type { FormEdits } from '../shared/form';
import type { McpServer } from '../../../shared/mcp';
import type { SettingsDocument } from './document';
import { moreValues } from './moreSettings';
import type { RestoredEdits } from './restore';

/**
 * Carries unsaved changes over from `previous` to the document that a change of the service ended with. Typed secrets
 * exist only in `previous` and have to be entered again; `dropped` names them.
 * @param without id of a server that left the service by that change
 */
export function carriedOver(
  previous: SettingsDocument,
  edits: FormEdits,
  next: SettingsDocument,
  without?: string,
): RestoredEdits {
  const rest = (servers: readonly McpServer[]) => servers.filter(({ id }) => id !== without);
  const { values, mcpServers, more } = previous.model;
  const mine = { ...edits, mcpServers: edits.mcpServers && rest(edits.mcpServers) };
  return next.restore(mine, { values, mcpServers: rest(mcpServers), more: moreValues(more) });
}
