import type { SecretTarget } from '../shared/form';
import { identityOf } from '../shared/intentions';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { editsOf, type Form } from './model';

/** Secrets that a save of changed servers needs, because the service hides them and they’re kept as they are. */
export function neededSecrets(form: Form): SecretTarget[] {
  const servers = editsOf(form).mcpServers ?? [];
  return servers.flatMap((server) => {
    const isOf = (id: string | undefined) =>
      form.model.hiddenSecrets.filter((one) => 'id' in one && one.id === id);
    const own = isOf(server.id);
    const hidden = own.length > 0 ? own : isOf(server.copiedFrom);
    return hidden.filter((one) => isKept(server, one)).map((one) => ({ ...one, id: server.id }));
  });
}

/** The names of their servers. */
export function neededBy(form: Form, needed: readonly SecretTarget[]): string[] {
  const has = (server: McpServer) => needed.some((one) => 'id' in one && one.id === server.id);
  return form.rows.flatMap(({ server }) => (has(server) ? [mcpLabel(server)] : []));
}

function isKept({ kind, apiKey, env }: McpServer, target: SecretTarget): boolean {
  if (target.at === 'mcpApiKey') return kind !== 'stdio' && apiKey.intention === 'keep';
  if (target.at === 'field' || kind !== 'stdio') return false;
  return env.some((entry) => identityOf(entry) === target.name && entry.intention === 'keep');
}
