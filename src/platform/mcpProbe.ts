import * as l10n from '@vscode/l10n';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListToolsResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { plainText } from '../shared/plainText';
import { parseUrl } from '../shared/url';
import { Failure, ProbeExchange } from './mcpProbeExchange';
import type { ProbeOptions, ProbeResult, ProbeTool } from './mcpTest';

/*
 * Everything that needs the MCP SDK is here, in a chunk that is read when the first server is tested. Without `vscode`,
 * so that it is tested against real servers in plain Node.
 */

const mostTools = 1000;
/** A server may answer page after page with nothing on it. */
const mostPages = 200;
const longestName = 200;
/** For taking leave of the server, after the result is known. */
const farewellMs = 1000;

/** Judges what a tool returns. No tool is called here, so the SDK's own, which is large, is left out of the chunk. */
const unusedValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not judged' }),
};

/** Speaks to a URL server as an agent would: initialize, then tools/list. Ends everything it began, and never rejects. */
export async function probeMcpServer(options: ProbeOptions): Promise<ProbeResult> {
  const { kind, apiKey, signal, translations, timeoutMs = 15_000 } = options;
  if (translations) l10n.config({ contents: translations });
  const show = shower(apiKey);
  const withKey = Boolean(apiKey);
  const url = parseUrl(options.url.trim());
  const headers = headersWith(apiKey);
  const obstacle = obstacleTo(url, headers);
  if (url === undefined || headers === undefined || obstacle !== undefined)
    return { ok: false, reason: 'untestable', message: fromHere(obstacle ?? '') };

  const exchange = new ProbeExchange(kind, url, options.fetch);
  const cancel = () => exchange.stop(new Failure('cancelled', l10n.t('The test was cancelled.')));
  const timer = setTimeout(() => exchange.stop(tooLate(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();

  const init = { fetch: exchange.fetch, requestInit: { headers } };
  const transport =
    kind === 'sse'
      ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- The service has a list of its own for these servers.
        new SSEClientTransport(url, init)
      : new StreamableHTTPClientTransport(url, { ...init, reconnectionOptions: neverAgain });
  const client = new Client(
    { name: 'agent-workspace', version: '1' },
    { jsonSchemaValidator: unusedValidator },
  );
  client.onerror = (error) => {
    if (isGarbage(error)) exchange.stop(notUnderstood());
    // The event stream failed, which its library would open again and again.
    if (error instanceof SseError) exchange.stop(exchange.explain(error, withKey) ?? streamLost());
  };
  try {
    const started = performance.now();
    const found = await exchange.unlessStopped(() => converse(client, transport as Transport, timeoutMs));
    const ms = Math.round(performance.now() - started);
    const server = client.getServerVersion();
    const serverName = show(server?.title ?? server?.name ?? '');
    const tools = found.tools.map((tool) => shownTool(tool, show));
    const message = fromHere(
      found.more
        ? l10n.t('The server answered in {0} ms and has more than {1} tools.', ms, tools.length)
        : l10n.t('The server answered in {0} ms; tools: {1}.', ms, tools.length),
    );
    const serverVersion = show(server?.version ?? '');
    if (transport instanceof StreamableHTTPClientTransport) await leave(transport, exchange);
    return { ok: true, serverName, serverVersion, tools, more: found.more, ms, message };
  } catch (error) {
    const failure = exchange.explain(error, withKey) ?? spoken(error, show);
    return { ok: false, reason: failure.reason, message: fromHere(failure.message) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    await client.close().catch(() => undefined);
    exchange.stop(new Failure('cancelled', ''));
  }
}

/** A stream that ends is not opened again: the test is over then, or has failed. */
const neverAgain = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};

interface Found {
  tools: { name: string; title?: string | undefined }[];
  /** True when the server has more than were asked for. */
  more: boolean;
}

async function converse(client: Client, transport: Transport, timeout: number): Promise<Found> {
  await client.connect(transport, { timeout });
  const tools: Found['tools'] = [];
  if (client.getServerCapabilities()?.tools === undefined) return { tools, more: false };
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    // Not `listTools`, which compiles the schemas that the server sends.
    const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (tools.length >= mostTools) break;
    if (cursor === undefined) return { tools, more: false };
  }
  return { tools: tools.slice(0, mostTools), more: cursor !== undefined || tools.length > mostTools };
}

/** Ends the session at the server, where it keeps one, but waits for that no longer than is polite. */
async function leave(transport: StreamableHTTPClientTransport, exchange: ProbeExchange): Promise<void> {
  if (transport.sessionId === undefined) return;
  const timer = setTimeout(() => exchange.stop(new Failure('cancelled', '')), farewellMs);
  await exchange.unlessStopped(() => transport.terminateSession()).catch(() => undefined);
  clearTimeout(timer);
}

function shownTool({ name, title }: Found['tools'][number], show: (text: string) => string): ProbeTool {
  return { name: show(name), ...(title !== undefined && { title: show(title) }) };
}

/** The server's words for the screen. A server may well repeat the key that it was sent. */
function shower(apiKey: string | null): (text: string) => string {
  return (text) => plainText(apiKey ? text.slice(0, 100_000).replaceAll(apiKey, '•••') : text, longestName);
}

/** `connection: close` leaves no idle socket behind. Undefined when the key cannot be sent in a header. */
function headersWith(apiKey: string | null): Record<string, string> | undefined {
  const headers = {
    connection: 'close',
    ...(apiKey !== null && apiKey !== '' && { Authorization: `Bearer ${apiKey}` }),
  };
  try {
    new Headers(headers);
    return headers;
  } catch {
    return undefined;
  }
}

function obstacleTo(url: URL | undefined, headers: object | undefined): string | undefined {
  if (url?.protocol === 'ws:' || url?.protocol === 'wss:')
    return l10n.t('A server with a WebSocket address (ws or wss) cannot be tested.');
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return l10n.t('There is no address that begins with http:// or https:// to test.');
  if (url.username !== '' || url.password !== '')
    return l10n.t('An address with a user name or password in it cannot be tested.');
  return headers === undefined
    ? l10n.t('The API key has characters in it that cannot be sent. Enter it again.')
    : undefined;
}

/** What the test shows holds for this computer; the sandbox may be in quite another network. */
function fromHere(message: string): string {
  return l10n.t('{0} Tested from this computer, not from the sandbox.', message);
}

function tooLate(timeoutMs: number): Failure {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  return new Failure('timeout', l10n.t('The server did not answer within {0} s.', seconds));
}

function notUnderstood(): Failure {
  return new Failure('protocol', l10n.t('The server answered with something that is not MCP.'));
}

function streamLost(): Failure {
  return new Failure('unreachable', l10n.t('The server ended its event stream before it had answered.'));
}

/** True for what reading a message of the server threw because it is none. */
function isGarbage(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && 'issues' in error);
}

/** What is left when the exchange itself went well: what the server said was wrong. */
function spoken(error: unknown, show: (text: string) => string): Failure {
  if (isGarbage(error)) return notUnderstood();
  const words = show(error instanceof Error ? error.message : String(error));
  return new Failure(
    'protocol',
    error instanceof McpError
      ? l10n.t('The server answered with an error: {0}', words)
      : l10n.t('The MCP exchange with the server failed: {0}', words),
  );
}
