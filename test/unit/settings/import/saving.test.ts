import assert from 'node:assert/strict';
import { fill } from '../../../../src/features/settings/model/import/fill';
import { SettingsDocument } from '../../../../src/features/settings/model/document';
import { fakeService } from '../fakeService';
import { saveAs } from '../support';
import { serversOf } from './support';

describe('MCP import: saving to the service', () => {
  it('adds imported servers and their secrets to the existing ones', async () => {
    const held = { url: 'https://held.example/mcp', api_key: 'held-key', timeout: 30 };
    const service = fakeService('observed', {
      mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers: [held] },
    });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    const answers = new Map([['input:key', 'typed-key']]);
    const filled = serversOf({
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: {
        remote: { url: 'https://e.example/sse', headers: { Authorization: 'Bearer ${input:key}' } },
        'a tool': { command: 'npx -y tool', env: { TOKEN: 'file-token', MODE: '' } },
      },
    }).map((parsed, index) => fill(parsed, answers, {}, `new-${index}`));

    for (const { secrets } of filled)
      for (const { target, value } of secrets) document.setSecret(target, value);
    const added = filled.map(({ server }) => server);
    assert.doesNotMatch(JSON.stringify(added), /typed-key|file-token/);
    const mcpServers = [...document.model.mcpServers, ...added];
    const { notes } = await saveAs('saved', document, { mcpServers });

    assert.deepEqual(notes, []);
    assert.deepEqual(service.state.settings?.mcp_config, {
      sse_servers: [{ url: 'https://e.example/sse', api_key: 'typed-key' }],
      stdio_servers: [
        { name: 'a-tool', command: 'npx', args: ['-y', 'tool'], env: { TOKEN: 'file-token', MODE: '' } },
      ],
      shttp_servers: [held],
    });
  });
});
