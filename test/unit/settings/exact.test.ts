import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../../src/api/service/client';
import { createLimiter } from '../../../src/api/http/limiter';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { fakeService } from './fakeService';
import { safeguards } from '../core/settings/safeguards';
import { newEntry, saveAs, serverAt, withServer } from './support';

describe('settings: values JavaScript would alter', () => {
  it('posts numbers too large for JavaScript unchanged, in any field', async () => {
    const shown =
      '{"llm_api_key_set":false,"language":"de","max_iterations":9223372036854775807,"quota":12345678901234567890,' +
      '"limits":{"deep":[1e400,-1e400,0.1]},"mcp_config":{"shttp_servers":[{"url":"https://a.example.com","id":9007199254740993}]}}';
    let posted = '';
    const server = createServer((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        if (request.method === 'POST') posted = body;
        response.setHeader('Content-Type', 'application/json');
        response.end(request.method === 'POST' ? '{}' : shown);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      sessionKey: 'key',
      limiter: createLimiter(),
    });
    try {
      const document = await SettingsDocument.load(client, safeguards());
      assert.equal(document.model.values.max_iterations, 9223372036854775807);
      assert.deepEqual(document.model.other, [
        { name: 'quota', text: '12345678901234567890' },
        { name: 'limits', text: 'Object' },
      ]);
      const { notes } = await saveAs('saved', document, { values: { agent: 'Mine' } });
      for (const part of [
        '"max_iterations":9223372036854775807,',
        '"quota":12345678901234567890,',
        '"limits":{"deep":[1e400,-1e400,0.1]}',
        '"id":9007199254740993}',
      ])
        assert.ok(posted.includes(part), `${part} in ${posted}`);
      assert.deepEqual(
        notes.map(({ label }) => label),
        ['agent'],
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('keeps and edits an environment variable named __proto__', async () => {
    const env = JSON.parse('{"__proto__":"secret","MODE":"x"}') as Record<string, string>;
    const service = fakeService('observed', {
      mcp_config: {
        sse_servers: [],
        stdio_servers: [{ name: 'tool', command: 'run', args: [], env }],
        shttp_servers: [],
      },
    });
    const postedEnv = () => JSON.stringify(service.posts.at(-1)?.mcp_config?.stdio_servers[0]?.env);
    const document = await SettingsDocument.load(service.client, service.safeguards);
    assert.deepEqual(
      serverAt(document, 'tool').env.map(({ name }) => name),
      ['__proto__', 'MODE'],
    );
    const { document: next } = await saveAs('saved', document, { values: { language: 'it' } });
    assert.equal(postedEnv(), '{"__proto__":"secret","MODE":"x"}');
    const mcpServers = withServer(next, 'tool', ({ env: entries }) => ({
      env: [...entries, newEntry('NEW')],
    }));
    next.setSecret({ at: 'mcpEnv', id: serverAt(next, 'tool').id, name: 'NEW' }, 'new');
    await saveAs('saved', next, { mcpServers });
    assert.equal(postedEnv(), '{"__proto__":"secret","MODE":"x","NEW":"new"}');
  });
});
