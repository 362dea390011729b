import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { ServerRequest } from '../../../shared/serverMessages';
import type { FormHost } from '../formHost';
import { deleteParked, park, restore } from './parking';
import { cancelTest, testServer } from './testing';

type Handlers = {
  [Kind in ServerRequest['kind']]: (
    host: FormHost,
    request: Extract<ServerRequest, { kind: Kind }>,
  ) => Promise<void> | void;
};

/** Import and export are separate chunks, loaded on first use. */
const handlers: Handlers = {
  import: async (host) => (await import('./importing')).importServers(host),
  export: async (host) => (await import('./exporting')).exportServers(host),
  test: (host, { id }) => testServer(host, id),
  cancelTest: (host, { id }) => cancelTest(host, id),
  park: (host, { id }) => park(host, id),
  restore: (host, { id }) => restore(host, id),
  deleteParked: (host, { id }) => deleteParked(host, id),
};

/** Handles a request of the form or a command about MCP servers. Shows unexpected errors to the user. */
export async function handleServerRequest(host: FormHost, request: ServerRequest): Promise<void> {
  const handle = handlers[request.kind] as (host: FormHost, request: ServerRequest) => Promise<void> | void;
  try {
    await handle(host, request);
  } catch (error) {
    const words = plainText(error instanceof Error ? error.message : String(error), 200);
    host.ports.log.error(`MCP servers: ${request.kind} failed: ${words}`);
    await host.ports.servers.tell('error', l10n.t('Failed: {0}', words));
  }
}
