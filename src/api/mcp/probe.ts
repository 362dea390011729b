import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import type { McpKind } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { concealing } from '../http/errorBody';
import { ProbeExchange } from './exchange';
import { Failure, notUnderstood, type ProbeFailure } from './failure';
import { initializedSchema, toolsSchema, understood, versions } from './schemas';
import { createSession, McpError, type McpSession } from './session';

/** What to test. Not stdio servers, because nothing is ever run on this computer. */
export interface ProbeOptions {
  kind: Exclude<McpKind, 'stdio'>;
  url: string;
  /** Sent as a bearer token, and only to the origin of `url`; null for none. */
  apiKey: string | null;
  /** The editor’s own follows its proxy and certificate settings. */
  fetch: typeof fetch;
  signal?: AbortSignal;
  /** For the whole test, in milliseconds; default 15,000. Ending the session may add a second. */
  timeoutMs?: number;
}

/** One line of plain text each, at most 200 characters. */
interface ProbeTool {
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

/** Talks to a URL server as an agent would: initialize, then tools/list. Cleans up after itself and never rejects. */
export async function probeMcpServer(options: ProbeOptions): Promise<ProbeResult> {
  const { kind, apiKey, signal, timeoutMs = 15_000 } = options;
  const hide = apiKey ? concealing([apiKey]) : (text: string) => text;
  const show = (text: string) => plainText(hide(text.slice(0, 100_000)), longestName);
  const url = parseUrl(options.url.trim());
  const headers = headersWith(apiKey);
  const obstacle = obstacleTo(url, headers);
  if (url === undefined || headers === undefined || obstacle !== undefined)
    return { ok: false, reason: 'untestable', message: fromHere(obstacle ?? '') };

  const exchange = new ProbeExchange(kind, url, headers, options.fetch);
  const session = createSession(kind, url, exchange);
  const cancel = () => exchange.stop(new Failure('canceled', l10n.t('The test was canceled.')));
  const timer = setTimeout(() => exchange.stop(tooLate(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    const started = performance.now();
    const { server, tools, more } = await exchange.unlessStopped(() => converse(session));
    const ms = Math.round(performance.now() - started);
    const message = fromHere(
      more
        ? l10n.t('The server answered in {0} ms and has more than {1} tools.', ms, tools.length)
        : l10n.t('The server answered in {0} ms. Tools: {1}.', ms, tools.length),
    );
    await leave(session, exchange);
    return {
      ok: true,
      serverName: show(server.title ?? server.name),
      serverVersion: show(server.version),
      tools: tools.map((tool) => shownTool(tool, show)),
      more,
      ms,
      message,
    };
  } catch (error) {
    const failure = failureOf(error, show);
    return { ok: false, reason: failure.reason, message: fromHere(hide(failure.message)) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    exchange.stop(new Failure('canceled', ''));
  }
}

type Tools = z.infer<typeof toolsSchema>['tools'];

interface Found {
  server: z.infer<typeof initializedSchema>['serverInfo'];
  tools: Tools;
  /** True if the server has more tools than were read. */
  more: boolean;
}

async function converse(session: McpSession): Promise<Found> {
  const [protocolVersion] = versions;
  const clientInfo = { name: 'agent-workspace', version: '1' };
  const greeting = await session.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
  const { serverInfo: server, capabilities, ...agreed } = understood(initializedSchema, greeting);
  if (!versions.some((version) => version === agreed.protocolVersion))
    throw new Failure('protocol', unsupported(agreed.protocolVersion));
  session.agree(agreed.protocolVersion);
  await session.notify('notifications/initialized');
  if (capabilities.tools === undefined) return { server, tools: [], more: false };
  return { server, ...(await readTools(session)) };
}

async function readTools(session: McpSession): Promise<Pick<Found, 'tools' | 'more'>> {
  let tools: Tools = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
    const answer = understood(toolsSchema, await session.request('tools/list', { cursor }));
    tools = tools.concat(answer.tools);
    cursor = answer.nextCursor;
    // Some servers name an empty cursor at the end.
    if (!cursor) break;
  }
  return { tools: tools.slice(0, mostTools), more: Boolean(cursor) || tools.length > mostTools };
}

/** Ends the server's session, if there is one, without waiting long. */
async function leave(session: McpSession, exchange: ProbeExchange): Promise<void> {
  const timer = setTimeout(() => exchange.stop(new Failure('canceled', '')), farewellMs);
  await exchange.unlessStopped(() => session.leave()).catch(() => undefined);
  clearTimeout(timer);
}

function shownTool({ name, title }: Tools[number], show: (text: string) => string): ProbeTool {
  return { name: show(name), ...(title !== undefined && { title: show(title) }) };
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

function unsupported(version: string): string {
  return l10n.t('The server uses MCP {0}, which this extension doesn’t support.', plainText(version, 60));
}

function failureOf(error: unknown, show: (text: string) => string): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof McpError)) return notUnderstood();
  return new Failure('protocol', l10n.t('The server answered with an error: {0}', show(error.message)));
}
