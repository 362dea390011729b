import * as vscode from 'vscode';
import type { ProbeOptions, ProbeResult } from './mcpProbe';

/**
 * Tests a URL server with a real MCP initialize and tools/list from this computer. Uses the editor's own fetch, which
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
