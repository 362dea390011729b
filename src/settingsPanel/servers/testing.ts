import * as l10n from '@vscode/l10n';
import type { ProbeResult } from '../../platform/mcpTest';
import { sentences } from '../../shared/joined';
import { mostToolsShown, type TestResult } from '../../shared/serverMessages';
import { plainText } from '../../shared/plainText';
import { looksMasked } from '../../state/settings/secrets';
import type { FormHost } from '../formHost';

/** A key of fewer stars may be a real one. */
const fewestStars = 3;

/**
 * Tests a URL server as it stands in the form, with the key that a save would give it, and tells the form how that went.
 * A server has one test at a time.
 */
export async function testServer(host: FormHost, id: string): Promise<void> {
  const { open } = host;
  const list = open?.edits.mcpServers ?? open?.document.model.mcpServers;
  const server = list?.find((one) => one.id === id);
  if (open === undefined || server === undefined || server.kind === 'stdio') return;
  const { kind, url } = server;
  const known = open.document.secretsOf(server).apiKey;
  const isHidden =
    looksMasked(known ?? undefined, fewestStars) ||
    (known === null && server.apiKey.presence === 'set' && server.apiKey.intention === 'keep');

  host.tests.get(id)?.abort();
  const controller = new AbortController();
  host.tests.set(id, controller);
  const tell = (result: TestResult | null) =>
    host.ports.post({ type: 'servers', event: { kind: 'test', id, result } });
  tell(null);
  const { signal } = controller;
  const options = { kind, url, apiKey: isHidden ? null : known, signal };
  const result = await host.ports.servers.test(options).catch(notRun);
  // A later test of the same server has taken its place, or the form is about something else.
  if (host.tests.get(id) !== controller) return;
  host.tests.delete(id);
  tell(shown(result, isHidden));
}

/** Ends a test; its result says that it was cancelled. */
export function cancelTest(host: FormHost, id: string): void {
  host.tests.get(id)?.abort();
}

/** The row is not to say for ever that it is being tested. */
function notRun(error: unknown): ProbeResult {
  const words = plainText(error instanceof Error ? error.message : String(error), 200);
  return { ok: false, reason: 'untestable', message: l10n.t('The test could not be run: {0}', words) };
}

function shown(result: ProbeResult, isHidden: boolean): TestResult {
  const withoutKey = l10n.t('The service hides the key of this server, so the test went without it.');
  const message = isHidden ? sentences(result.message, withoutKey) : result.message;
  if (!result.ok) return { ok: false, message };
  const { serverName, serverVersion, tools } = result;
  return {
    ok: true,
    server: [serverName, serverVersion].filter((part) => part !== '').join(' '),
    tools: tools.slice(0, mostToolsShown).map(({ name }) => name),
    count: tools.length,
    message,
  };
}
