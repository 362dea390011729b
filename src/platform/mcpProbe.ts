import * as l10n from '@vscode/l10n';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListToolsResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { McpKind } from '../shared/mcp';
import { plainText } from '../shared/plainText';
import { parseUrl } from '../shared/url';
import { Failure, ProbeExchange, type ProbeFailure } from './mcpProbeExchange';

/*
 * Everything that needs the MCP SDK is in this chunk, which is loaded when the first server is tested. Doesn't use
 * `vscode`, so it can be tested against real servers in plain Node.
 */

/** What to test. Not stdio servers, because nothing is ever run on this computer. */
export interface ProbeOptions {
  kind: Exclude<McpKind, 'stdio'>;
  url: string;
  /** Sent as a bearer token, and only to the origin of `url`; null for none. */
  apiKey: string | null;
  fetch: typeof fetch;
  /** The editor's translations. The probe is bundled separately, with its own copy of the l10n library. */
  translations?: Record<string, string> | undefined;
  signal?: AbortSignal;
  /** For the whole test, in milliseconds; default 15,000. Ending the session may add a second. */
  timeoutMs?: number;
}

/** One line of plain text each, at most 200 characters. */
export interface ProbeTool {
  name: string;
  title?: string;
}

/** The result of a test. All text is plain, bounded and without the key; `message` says where the test ran from. */
export type ProbeResult =
  | {
      ok: true;
      serverName: string;
      serverVersion: string;
      /** At most 1,000; `more` is true if the server has others. */
      tools: ProbeTool[];
      more: boolean;
      /** From the first request to the last tool, in milliseconds. */
      ms: number;
      message: string;
    }
  | { ok: false; reason: ProbeFailure; message: string };

const mostTools = 1000;
/** A server could send empty pages forever. */
const mostPages = 200;
const longestName = 200;
/** Time for ending the session, after the result is known. */
const farewellMs = 1000;

/** Validates results of tools. No tool is called here, so this keeps the SDK's large validator out of the chunk. */
const unusedValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not judged' }),
};

/** Talks to a URL server as an agent would: initialize, then tools/list. Cleans up after itself and never rejects. */
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
  const cancel = () => exchange.stop(new Failure('canceled', l10n.t('The test was canceled.')));
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
    // The event stream failed; the SDK would keep reopening it.
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
        : l10n.t('The server answered in {0} ms. Tools: {1}.', ms, tools.length),
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
    exchange.stop(new Failure('canceled', ''));
  }
}

/** Never reopens a stream that ended: by then the test is over or has failed. */
const neverAgain = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};

interface Found {
  tools: { name: string; title?: string | undefined }[];
  /** True if the server has more tools than were read. */
  more: boolean;
}

async function converse(client: Client, transport: Transport, timeout: number): Promise<Found> {
  await client.connect(transport, { timeout });
  const tools: Found['tools'] = [];
  if (client.getServerCapabilities()?.tools === undefined) return { tools, more: false };
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    // `listTools` would compile the schemas the server sends.
    const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (tools.length >= mostTools) break;
    if (cursor === undefined) return { tools, more: false };
  }
  return { tools: tools.slice(0, mostTools), more: cursor !== undefined || tools.length > mostTools };
}

/** Ends the server's session, if there is one, without waiting long. */
async function leave(transport: StreamableHTTPClientTransport, exchange: ProbeExchange): Promise<void> {
  if (transport.sessionId === undefined) return;
  const timer = setTimeout(() => exchange.stop(new Failure('canceled', '')), farewellMs);
  await exchange.unlessStopped(() => transport.terminateSession()).catch(() => undefined);
  clearTimeout(timer);
}

function shownTool({ name, title }: Found['tools'][number], show: (text: string) => string): ProbeTool {
  return { name: show(name), ...(title !== undefined && { title: show(title) }) };
}

/** Makes the server's text safe to show, without the key, which a server may repeat. */
function shower(apiKey: string | null): (text: string) => string {
  return (text) => plainText(apiKey ? text.slice(0, 100_000).replaceAll(apiKey, '•••') : text, longestName);
}

/** `connection: close` leaves no idle socket behind. Undefined if the key can't be sent in a header. */
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
    return l10n.t('WebSocket addresses (ws or wss) can’t be tested.');
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return l10n.t('To test, enter an address that starts with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    return l10n.t('Addresses that contain a user name or password can’t be tested.');
  return headers === undefined
    ? l10n.t('The API key contains characters that can’t be sent. Enter it again.')
    : undefined;
}

/** The result is valid only for this computer; the sandbox may be in a different network. */
function fromHere(message: string): string {
  return l10n.t('{0} Tested from this computer, not from the sandbox.', message);
}

function tooLate(timeoutMs: number): Failure {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  return new Failure('timeout', l10n.t('The server didn’t answer within {0} s.', seconds));
}

function notUnderstood(): Failure {
  return new Failure('protocol', l10n.t('The server’s answer isn’t valid MCP.'));
}

function streamLost(): Failure {
  return new Failure('unreachable', l10n.t('The server closed its event stream before answering.'));
}

/** True for an error about a server's message that isn't MCP. */
function isGarbage(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && 'issues' in error);
}

/** The failure if the exchange itself went well, but not the server's answer. */
function spoken(error: unknown, show: (text: string) => string): Failure {
  if (isGarbage(error)) return notUnderstood();
  const words = show(error instanceof Error ? error.message : String(error));
  return new Failure(
    'protocol',
    error instanceof McpError
      ? l10n.t('The server answered with an error: {0}', words)
      : l10n.t('MCP communication with the server failed: {0}', words),
  );
}
