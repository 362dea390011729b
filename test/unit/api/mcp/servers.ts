import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ListToolsRequestSchema, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { serve, type TestServer } from '../support/servers';

/** The name and version of a test server. */
export interface Manners {
  name?: string;
  /** Returns the page of tools at a cursor. */
  page?: (cursor: string | undefined) => ListToolsResult;
  /** Offers no tools at all. */
  toolless?: boolean;
}

const schema = { type: 'object' as const };

/** Pages of `size` tools named from `tool-0` on. */
export function pagesOf(count: number, size: number): NonNullable<Manners['page']> {
  return (cursor) => {
    const start = Number(cursor ?? 0);
    const end = Math.min(start + size, count);
    const tools = Array.from({ length: end - start }, (_none, index) => ({
      name: `tool-${start + index}`,
      inputSchema: schema,
    }));
    return { tools, ...(end < count && { nextCursor: String(end) }) };
  };
}

function mcpServer({ name = 'Weather', page = pagesOf(2, 10), toolless = false }: Manners): McpServer {
  const capabilities = toolless ? {} : { tools: {} };
  const mcp = new McpServer({ name, version: '1.2.3' }, { capabilities });
  if (!toolless) mcp.server.setRequestHandler(ListToolsRequestSchema, ({ params }) => page(params?.cursor));
  return mcp;
}

/** A real streamable HTTP server at `/mcp` with sessions; `open` counts the sessions that haven’t ended. */
export async function serveHttp(manners: Manners = {}): Promise<TestServer & { open: () => number }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await mcpServer(manners).connect(transport);
    await transport.handleRequest(request, response);
  };
  const server = await serve((request, response) => void answer(request, response));
  return Object.assign(server, { open: () => sessions.size });
}

/** A real SSE server at `/sse`; `open` counts its event streams. */
export async function serveSse(manners: Manners = {}): Promise<TestServer & { open: () => number }> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- What is deprecated has to be tested too.
  const streams = new Map<string, SSEServerTransport>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST') {
      await streams.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
      return;
    }
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- As above.
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    response.on('close', () => streams.delete(transport.sessionId));
    await mcpServer(manners).connect(transport);
  };
  const server = await serve((request, response) => void answer(request, response));
  return Object.assign(server, { open: () => streams.size });
}
