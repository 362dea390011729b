import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** An MCP server on this computer to which its user has to sign in. */
export interface OauthServer {
  /** Of its MCP endpoint. */
  readonly url: string;
  /** The tokens that it gave, oldest first. */
  readonly given: readonly string[];
  close(): Promise<void>;
}

/** Starts one that lets everybody in, and has one tool. */
export async function startOauthServer(): Promise<OauthServer> {
  const given: string[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    const json = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    else if (pathname.startsWith('/.well-known/'))
      json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    else if (pathname === '/register')
      void read(request).then((body) =>
        json(201, { ...(JSON.parse(body) as object), client_id: 'client-of-the-test' }),
      );
    else if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'code-of-the-test');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { Location: back.href });
      response.end();
    } else if (pathname === '/token') {
      given.push(`token-canary-${given.length}`);
      json(200, {
        access_token: given.at(-1),
        refresh_token: 'refresh-canary',
        token_type: 'Bearer',
        expires_in: 3600,
      });
    } else if (!given.some((token) => request.headers.authorization === `Bearer ${token}`))
      json(
        401,
        {},
        {
          'WWW-Authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      );
    else if (request.method !== 'POST') json(405, {});
    else void read(request).then((body) => answer(body, json));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    given,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function answer(body: string, json: (status: number, body: object) => void): void {
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params?: { protocolVersion?: string };
  };
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'guarded_tool', inputSchema: { type: 'object' } }] },
  };
  if (id === undefined) json(202, {});
  else json(200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
}
