import * as l10n from '@vscode/l10n';
import type { ProbeResult } from '../../../../api/mcp/probe';
import { sentences } from '../../../../shared/joined';
import { mostToolsShown, type TestResult } from '../../shared/messages';
import { hides } from '../../model/hidden';
import { movesOf, secretsMayGo } from '../destinations';
import type { FormHost } from '../formHost';
import { noEdits, type OpenForm } from '../openForm';
import { thrownWords } from '../../../../shared/thrown';

/**
 * Tests a URL server with its unsaved changes and the key a save would send, and reports the result to the form. A new
 * test cancels the previous one of the same server.
 */
export async function testServer(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const list = open.edits.mcpServers ?? open.document.model.mcpServers;
  const server = list.find((one) => one.id === id);
  if (server === undefined || server.kind === 'stdio') return;
  const { kind, url } = server;
  const known = open.document.secretsOf(server).apiKey;
  const isHidden =
    hides(known) ||
    (known === null && server.apiKey.presence === 'set' && server.apiKey.intention === 'keep');
  const sent = isHidden || known === null ? noEdits : { ...noEdits, mcpServers: [server] };
  const moves = movesOf(open.document.newDestinations(sent));
  if (moves.length > 0) {
    if (!(await secretsMayGo(host.ports, moves, l10n.t('Test'), open.agreed)) || host.open !== open) return;
  }

  await host.tests.run(server, known, async (signal) => {
    const options = { kind, url, apiKey: isHidden ? null : known, signal };
    return shown(await host.ports.servers.test(options).catch(notRun), isHidden);
  });
}

/** Ends the test in the row, which would otherwise show it running forever. */
function notRun(error: unknown): ProbeResult {
  const words = thrownWords(error);
  return { ok: false, reason: 'untestable', message: l10n.t('Couldn’t run the test: {0}', words) };
}

function shown(result: ProbeResult, isHidden: boolean): TestResult {
  const withoutKey = l10n.t('The service hides this server’s key, so the test didn’t send it.');
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
