import assert from 'node:assert/strict';
import type { FormModel } from '../../../../src/features/settings/shared/form';
import type { McpServer } from '../../../../src/shared/mcp';
import { openForm, setRows, type Form } from '../../../../src/features/settings/page/model';
import { neededBy, neededSecrets } from '../../../../src/features/settings/page/view/notices';
import { copyOf, deleteRow, newServer } from '../../../../src/features/settings/page/rows';
import { formMessage, sampleModel } from '../../../ui/form/samples';

const set = { presence: 'set', intention: 'keep' } as const;
const http: McpServer = { ...newServer('http', 'shttp'), url: 'https://a.example', apiKey: set };
const command: McpServer = {
  ...newServer('cmd', 'stdio'),
  name: 'tool',
  command: 'npx',
  env: [
    { ...set, name: 'KEY' },
    { ...set, name: 'PLAIN' },
  ],
};
const hiddenSecrets: FormModel['hiddenSecrets'] = [
  { at: 'mcpApiKey', id: 'http' },
  { at: 'mcpEnv', id: 'cmd', name: 'KEY' },
];

describe('the secrets that a save of changed servers needs', () => {
  const opened = () =>
    openForm(
      formMessage(sampleModel({ mcpServers: [http, command], hidesServerSecrets: true, hiddenSecrets })),
    );
  const withRows = (servers: readonly McpServer[], form: Form = opened()) =>
    setRows(
      form,
      servers.map((server) => ({ server, deleted: false })),
      '',
    );
  const added: McpServer = { ...newServer('new-1', 'shttp'), url: 'https://b.example' };

  it('are none while no server is changed', () => {
    assert.deepEqual(neededSecrets(opened()), []);
  });

  it('are those of all servers that stay, once one is added', () => {
    const form = withRows([http, command, added]);
    assert.deepEqual(neededSecrets(form), hiddenSecrets);
    assert.deepEqual(neededBy(form, neededSecrets(form)), ['https://a.example', 'tool']);
  });

  it('are not those that are replaced, cleared, or gone', () => {
    const replaced: McpServer = { ...http, apiKey: { presence: 'set', intention: 'replace' } };
    const cleared: McpServer = { ...command, env: [{ ...set, name: 'KEY', intention: 'clear' }] };
    const without: McpServer = { ...command, env: [{ ...set, name: 'PLAIN' }] };
    assert.deepEqual(neededSecrets(withRows([replaced, cleared, added])), []);
    assert.deepEqual(neededSecrets(withRows([replaced, without, added])), []);
    assert.deepEqual(
      neededSecrets(withRows([replaced, { ...command, kind: 'sse', url: 'https://c.example' }])),
      [],
    );
    const form = opened();
    const deleted = setRows(form, deleteRow(form.model.mcpServers, form.rows, 'http'), 'http');
    assert.deepEqual(neededSecrets(deleted), [hiddenSecrets[1]]);
  });

  it('are those of a renamed variable and of a copy, too', () => {
    const renamed: McpServer = { ...command, env: [{ ...set, name: 'OTHER', originalName: 'KEY' }] };
    const copy = copyOf(http, 'new-copy', true);
    assert.deepEqual(neededSecrets(withRows([http, renamed, copy])), [
      ...hiddenSecrets,
      { at: 'mcpApiKey', id: 'new-copy' },
    ]);
  });
});
