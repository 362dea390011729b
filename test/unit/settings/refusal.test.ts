import assert from 'node:assert/strict';
import type { ErrorTarget } from '../../../src/features/settings/shared/form';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { fakeService } from './fakeService';
import { newEntry, newServer, saveAs, serverAt } from './support';

async function opened() {
  const service = fakeService('observed', {
    mcp_config: {
      sse_servers: [{ url: 'https://sse.example.com' }],
      stdio_servers: [{ name: 'tool', command: 'x', args: [], env: { A: 'a', args: 'b' } }],
      shttp_servers: [{ url: 'https://one.example.com' }, { url: 'https://two.example.com' }],
    },
  });
  return { service, document: await SettingsDocument.load(service.client, service.safeguards) };
}

describe('settings: a 422 lands where its loc points', () => {
  type Row = [name: string, loc: unknown[], target: (document: SettingsDocument) => ErrorTarget];
  const at = (label: string, member: string) => (document: SettingsDocument) =>
    ({ at: 'mcp', id: serverAt(document, label).id, member }) as const;
  const form = () => ({ at: 'form' }) as const;
  const rows: Row[] = [
    ['a field', ['body', 'max_iterations'], () => ({ at: 'field', field: 'max_iterations' })],
    ['a field without "body"', ['git_user_name'], () => ({ at: 'field', field: 'git_user_name' })],
    ['a secret', ['body', 'llm_api_key'], () => ({ at: 'field', field: 'llm_api_key' })],
    [
      'a member of a server',
      ['body', 'mcp_config', 'shttp_servers', 1, 'timeout'],
      at('https://two.example.com', 'timeout'),
    ],
    [
      'a position as text',
      ['body', 'mcp_config', 'sse_servers', '0', 'url'],
      at('https://sse.example.com', 'url'),
    ],
    ['a path without "body" and "mcp_config"', ['stdio_servers', 0, 'command'], at('tool', 'command')],
    [
      'a model name in between',
      ['body', 'mcp_config', 'MCPConfig', 'sse_servers', 0, 'MCPSSEServerConfig', 'api_key'],
      at('https://sse.example.com', 'apiKey'),
    ],
    [
      'a server behind a part with the name of a member',
      ['body', 'args', 'stdio_servers', 0, 'command'],
      at('tool', 'command'),
    ],
    ['an argument', ['body', 'mcp_config', 'stdio_servers', 0, 'args', 2], at('tool', 'args')],
    ['a variable', ['body', 'mcp_config', 'stdio_servers', 0, 'env', 'A'], at('tool', 'env.0')],
    [
      'a variable with the name of a member',
      ['body', 'mcp_config', 'stdio_servers', 0, 'env', 'args'],
      at('tool', 'env.1'),
    ],
    [
      'a variable that the form does not show',
      ['body', 'mcp_config', 'stdio_servers', 0, 'env', 'Z'],
      at('tool', 'env'),
    ],
    ['a whole server', ['body', 'mcp_config', 'shttp_servers', 0], at('https://one.example.com', 'server')],
    ['a server that was not posted', ['body', 'mcp_config', 'shttp_servers', 9, 'url'], form],
    ['a server without a position', ['body', 'mcp_config', 'shttp_servers'], form],
    ['a server with an empty position', ['body', 'mcp_config', 'shttp_servers', '', 'url'], form],
    ['the configuration as a whole', ['body', 'mcp_config'], form],
    ['an unknown field', ['body', 'condenser_max_size'], form],
    ['a field every object inherits', ['body', 'constructor'], form],
    ['nothing', [], form],
  ];
  for (const [name, loc, target] of rows) {
    it(`lands on ${name}`, async () => {
      const { service, document } = await opened();
      const answer = { status: 422, body: { detail: [{ loc, msg: 'Input is wrong', type: 'value_error' }] } };
      service.rewrite = (given) => (service.counts.postSettings > 0 ? answer : given);
      const { errors } = await saveAs('invalid', document, { values: { language: 'it' } });
      assert.deepEqual(
        errors.map((error) => error.target),
        [target(document)],
      );
      assert.match(errors[0]?.message ?? '', /Input is wrong/);
    });
  }

  it('names a place that the form doesn’t have', async () => {
    for (const [loc, message] of [
      [['body', 'vault', 'key'], 'vault.key: Input is wrong'],
      [[], 'Input is wrong'],
    ] as const) {
      const { service, document } = await opened();
      const answer = { status: 422, body: { detail: [{ loc, msg: 'Input is wrong', type: 'value_error' }] } };
      service.rewrite = (given) => (service.counts.postSettings > 0 ? answer : given);
      const { errors } = await saveAs('invalid', document, { values: { language: 'it' } });
      assert.deepEqual(
        errors.map((error) => error.message),
        [message],
      );
    }
  });

  it('reads positions in the order posted, not in the form’s order', async () => {
    const { service, document } = await opened();
    // Another client added a server before those in the form.
    service.state.settings?.mcp_config?.shttp_servers.unshift({ url: 'https://zero.example.com' });
    const bad = newServer({
      id: 'new-1',
      kind: 'stdio',
      name: 'bad',
      command: 'y',
      args: ['ok'],
      env: [newEntry('E', 'clear')],
    });
    service.rewrite = (given) =>
      service.counts.postSettings > 0
        ? {
            status: 422,
            body: {
              detail: [
                { loc: ['body', 'mcp_config', 'shttp_servers', 2, 'url'], msg: 'a', type: 'x' },
                { loc: ['body', 'mcp_config', 'stdio_servers', 0, 'env', 'E'], msg: 'b', type: 'x' },
                { loc: ['body', 'mcp_config', 'shttp_servers', 0, 'url'], msg: 'c', type: 'x' },
              ],
            },
          }
        : given;
    // The new server comes first: each kind has its own list.
    const { errors } = await saveAs('invalid', document, { mcpServers: [bad, ...document.model.mcpServers] });
    assert.deepEqual(
      errors.map(({ target }) => target),
      [
        { at: 'mcp', id: serverAt(document, 'https://two.example.com').id, member: 'url' },
        { at: 'mcp', id: 'new-1', member: 'env.0' },
        { at: 'form' },
      ],
    );
  });

  for (const [name, body, message] of [
    ['{"detail":"text"}', { detail: 'no such thing' }, /no such thing/],
    ['{"error":"text"}', { error: 'refused \u001b[31mred' }, /refused red/],
    ['a bare string', 'just words', /just words/],
    ['nothing readable', {}, /refused the settings|\{\}/],
  ] as const) {
    it(`shows a 400 with ${name} for the whole form`, async () => {
      const { service, document } = await opened();
      service.rewrite = (given) => (service.counts.postSettings > 0 ? { status: 400, body } : given);
      const { errors } = await saveAs('invalid', document, { values: { language: 'it' } });
      assert.deepEqual(
        errors.map(({ target }) => target),
        [{ at: 'form' }],
      );
      assert.match(errors[0]?.message ?? '', message);
    });
  }
});
