import assert from 'node:assert/strict';
import {
  type FormEdits,
  identityOf,
  intentionsOf,
  renamed,
  withIntention,
  withServerIntention,
} from '../../../../src/features/settings/shared/form';
import type { McpServer } from '../../../../src/shared/mcp';

const secret = { presence: 'set', intention: 'keep' } as const;
const server = (id: string): McpServer => ({
  id,
  kind: 'stdio',
  url: '',
  apiKey: secret,
  timeout: null,
  name: 'tool',
  command: 'npx',
  args: [],
  env: [
    { ...secret, name: 'NEW', originalName: 'OLD' },
    { ...secret, name: 'OTHER' },
  ],
});
const edits = (change: Partial<FormEdits> = {}): FormEdits => ({
  values: {},
  secrets: {},
  mcpServers: null,
  ...change,
});

describe('a variable that is renamed', () => {
  it('is known by its first name, and by no other once it has that again', () => {
    const entry = { ...secret, name: 'A' };
    const once = renamed(entry, 'B');
    assert.deepEqual(once, { ...secret, name: 'B', originalName: 'A' });
    assert.deepEqual([identityOf(entry), identityOf(once)], ['A', 'A']);
    assert.deepEqual(renamed(once, 'C'), { ...secret, name: 'C', originalName: 'A' });
    assert.deepEqual(renamed(once, 'A'), entry);
  });
});

describe('what a save does to secrets', () => {
  it('is set for a field, and forgotten once it’s kept', () => {
    const target = { at: 'field', field: 'llm_api_key' } as const;
    const before = edits({ secrets: { search_api_key: 'clear' } });
    const replaced = withIntention(before, [], target, 'replace');
    assert.deepEqual(replaced.secrets, { search_api_key: 'clear', llm_api_key: 'replace' });
    assert.deepEqual(withIntention(replaced, [], target, 'keep'), before);
  });

  it('is set for a server’s key or one of its variables, by the name that it’s known by', () => {
    const cleared = { presence: 'set', intention: 'clear' } as const;
    const key = withServerIntention(server('a'), null, 'clear');
    assert.deepEqual(key, { ...server('a'), apiKey: cleared });
    const variable = withServerIntention(server('a'), 'OLD', 'clear');
    assert.deepEqual(variable.env, [{ ...cleared, name: 'NEW', originalName: 'OLD' }, server('a').env[1]]);
    assert.deepEqual(withServerIntention(server('a'), 'NEW', 'clear'), server('a'));
  });

  it('touches the list of servers only if it has to', () => {
    const held = [server('a'), server('b')];
    const key = (id: string) => ({ at: 'mcpApiKey', id }) as const;
    const untouched = edits();
    assert.equal(withIntention(untouched, held, key('a'), 'keep'), untouched);
    assert.equal(withIntention(untouched, held, key('gone'), 'clear'), untouched);
    const cleared = withIntention(untouched, held, key('b'), 'clear');
    assert.deepEqual(cleared.mcpServers, [held[0], withServerIntention(server('b'), null, 'clear')]);
    assert.deepEqual(withIntention(cleared, held, key('b'), 'keep').mcpServers, held);
    const variable = { at: 'mcpEnv', id: 'a', name: 'OTHER' } as const;
    assert.deepEqual(
      withIntention(edits({ mcpServers: [server('a')] }), held, variable, 'replace').mcpServers,
      [withServerIntention(server('a'), 'OTHER', 'replace')],
    );
  });

  it('is told about everything that isn’t kept', () => {
    assert.deepEqual(intentionsOf(edits()), []);
    const mcpServers = [
      withServerIntention(withServerIntention(server('a'), 'OLD', 'clear'), null, 'replace'),
      server('b'),
    ];
    assert.deepEqual(intentionsOf(edits({ secrets: { llm_api_key: 'clear' }, mcpServers })), [
      { target: { at: 'field', field: 'llm_api_key' }, intention: 'clear' },
      { target: { at: 'mcpApiKey', id: 'a' }, intention: 'replace' },
      { target: { at: 'mcpEnv', id: 'a', name: 'OLD' }, intention: 'clear' },
    ]);
  });
});
