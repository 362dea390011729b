import assert from 'node:assert/strict';
import type { FormEdits } from '../../../src/features/settings/shared/form';
import type { McpEnvEntry, McpServer } from '../../../src/shared/mcp';
import type { SaveOutcome, SettingsDocument } from '../../../src/features/settings/model/document';
import type { SaveOptions } from '../../../src/features/settings/model/saveOutcome';
import type { ReferenceService } from '../../service/service';

/** Complete edits from the given parts. */
export function edits(part: Partial<FormEdits> = {}): FormEdits {
  return { values: {}, secrets: {}, mcpServers: null, ...part };
}

const kept = { presence: 'notSet', intention: 'keep' } as const;

/** Has the service refuse the next save because of a value. */
export function refuseSave(service: ReferenceService, loc: readonly (string | number)[], msg: string): void {
  const detail = [{ loc: ['body', ...loc], msg, type: 'value_error' }];
  service.fail({
    method: 'POST',
    path: '/api/settings',
    effect: { kind: 'answer', status: 422, body: { detail } },
  });
}

/** A server added in the form. */
export function newServer(part: Partial<McpServer> & { id: string }): McpServer {
  return {
    kind: 'shttp',
    url: '',
    apiKey: kept,
    timeout: null,
    name: '',
    command: '',
    args: [],
    env: [],
    ...part,
  };
}

export function newEntry(name: string, intention: McpEnvEntry['intention'] = 'replace'): McpEnvEntry {
  return { name, presence: 'notSet', intention };
}

/** The user has agreed that a sandbox API key may be lost. */
export const keyMayGo: SaveOptions = { confirmed: [{ about: 'sandboxApiKey' }] };

/** Saves and expects an outcome of this kind. */
export async function saveAs<K extends SaveOutcome['kind']>(
  kind: K,
  document: SettingsDocument,
  part: Partial<FormEdits>,
  options: SaveOptions = keyMayGo,
): Promise<Extract<SaveOutcome, { kind: K }>> {
  const outcome = await document.save(edits(part), options);
  assert.equal(outcome.kind, kind, JSON.stringify(outcome));
  return outcome as Extract<SaveOutcome, { kind: K }>;
}

/** The model's servers by label. */
export function serverAt(document: SettingsDocument, label: string): McpServer {
  const server = document.model.mcpServers.find(({ url, name }) => url === label || name === label);
  assert.ok(server, `no server ${label}`);
  return server;
}

/** The model's list of servers with one changed. */
export function withServer(
  document: SettingsDocument,
  label: string,
  change: (server: McpServer) => Partial<McpServer>,
): McpServer[] {
  const { id } = serverAt(document, label);
  return document.model.mcpServers.map((server) =>
    server.id === id ? { ...server, ...change(server) } : server,
  );
}

/** The model's list of servers without one. */
export function withoutServer(document: SettingsDocument, label: string): McpServer[] {
  const { id } = serverAt(document, label);
  return document.model.mcpServers.filter((server) => server.id !== id);
}
