import * as l10n from '@vscode/l10n';
import type { ProbeResult } from '../../../../api/mcp/probe';
import { testSeconds, type ServerTestCalls } from '../../../../api/service/agentServerMcp';
import { isJsonObject } from '../../../../shared/json';
import { sentences } from '../../../../shared/joined';
import type { McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { mostToolsShown, type TestResult } from '../../shared/messages';
import { hides } from '../../model/hiddenSecrets';
import { movesOf, secretsMayGo } from '../asking';
import type { FormHost } from '../formHost';
import { noEdits, type OpenForm } from '../openForm';
import { thrownWords } from '../../../../shared/thrown';

/**
 * Tests a server with its unsaved changes and the secrets a save would send, and reports the result to the form: by the
 * service if it can, else from here if it’s a URL. A new test cancels the previous one of the same server.
 */
export async function testServer(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const list = open.edits.mcpServers ?? open.document.model.mcpServers;
  const server = list.find((one) => one.id === id);
  if (server === undefined) return;
  const { kind, url } = server;
  const calls = open.document.model.testsServers ? open.client.agents : undefined;
  if (kind === 'stdio' && !calls) return;
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
    const there = calls && (await testThere(calls, open, server, signal).catch(notRun));
    if (there) return shown(there, false);
    if (kind === 'stdio')
      return shown(untestable(l10n.t('This release of the agent server can’t test servers.')), false);
    const options = { kind, url, apiKey: isHidden ? null : known, signal };
    return shown(await host.ports.servers.test(options).catch(notRun), isHidden);
  });
}

/** Undefined if the service can’t. */
async function testThere(
  calls: ServerTestCalls,
  { document }: OpenForm,
  server: McpServer,
  signal: AbortSignal,
): Promise<ProbeResult | undefined> {
  const wire = document.wireOf(server);
  if (!isJsonObject(wire)) return untestable(l10n.t('Enter the secrets of this server again to test it.'));
  const { kind } = server;
  const started = performance.now();
  const about = { kind, server: wire, heldName: document.heldNameOf(server) };
  const outcome = await calls.testServer(about, signal);
  const ms = Math.round(performance.now() - started);
  const there = (message: string) => l10n.t('{0} Tested by the agent server.', message);
  if (outcome.ok) {
    const tools = outcome.tools.map((name) => ({ name: plainText(name, 200) }));
    const message = there(l10n.t('The server answered in {0} ms. Tools: {1}.', ms, tools.length));
    return { ok: true, serverName: '', serverVersion: '', tools, more: false, ms, message };
  }
  switch (outcome.reason) {
    case 'unsupported':
      return undefined;
    case 'masked':
      return untestable(l10n.t('Enter the secrets of this server again to test it.'));
    case 'timeout':
      return untestable(there(l10n.t('The server didn’t answer within {0} s.', testSeconds[kind])));
    case 'failed':
      return untestable(l10n.t('The agent server’s test failed: {0}', plainText(outcome.error, 500)));
  }
}

const untestable = (message: string): ProbeResult => ({ ok: false, reason: 'untestable', message });

/** Ends the test in the row, which would otherwise show it running forever. */
function notRun(error: unknown): ProbeResult {
  return untestable(l10n.t('Couldn’t run the test: {0}', thrownWords(error)));
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
