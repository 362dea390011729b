import * as vscode from 'vscode';
import type { McpKind } from '../shared/mcp';

/** What to test. A stdio server is none of it: nothing is ever run on this computer. */
export interface ProbeOptions {
  kind: Exclude<McpKind, 'stdio'>;
  url: string;
  /** Sent as a bearer token to the origin of `url` and to no other; null where there is none. */
  apiKey: string | null;
  fetch: typeof fetch;
  /** The editor's translations: the probe is bundled apart, and so has a copy of its own of what reads them. */
  translations?: Record<string, string> | undefined;
  signal?: AbortSignal;
  /** For all of the test, 15 s unless told; taking leave of the server may add a second. */
  timeoutMs?: number;
}

/** Why a test failed. */
export type ProbeFailure =
  /** No connection: name, port, network, proxy, or lost on the way. */
  | 'unreachable'
  | 'tls'
  /** 401 or 403. */
  | 'unauthorized'
  /** Whatever answers does not speak MCP at this address: a web page, 404, 405. */
  | 'notMcp'
  /** It sends to another place, where the key was not taken. */
  | 'redirected'
  /** 429 or 5xx. */
  | 'serverError'
  | 'timeout'
  /** It speaks MCP, but wrongly, or answered with an error. */
  | 'protocol'
  /** Nothing was sent: WebSocket, no URL, a key that fits no header. */
  | 'untestable'
  | 'cancelled';

/** One line of plain text each, at most 200 characters. */
export interface ProbeTool {
  name: string;
  title?: string;
}

/** How a test ended. All text is plain, bounded and without the key; `message` says where the test ran from. */
export type ProbeResult =
  | {
      ok: true;
      serverName: string;
      serverVersion: string;
      /** At most 1,000; `more` tells that the server has others. */
      tools: ProbeTool[];
      more: boolean;
      /** From the first request to the last tool, in milliseconds. */
      ms: number;
      message: string;
    }
  | { ok: false; reason: ProbeFailure; message: string };

/**
 * Tests a URL server by a real MCP initialize and tools/list from this computer. By the editor's own fetch, which
 * follows its proxy and certificate settings. Never rejects.
 */
export async function testMcpServer(
  options: Omit<ProbeOptions, 'fetch' | 'translations'>,
): Promise<ProbeResult> {
  const { probeMcpServer } = await import('./mcpProbe');
  return probeMcpServer({
    ...options,
    translations: vscode.l10n.bundle,
    fetch: (input, init) => globalThis.fetch(input, init),
  });
}
