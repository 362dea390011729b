import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/shared/mcp';
import { markDuplicates, type Candidate } from '../../../../src/features/settings/model/import/fill';
import { newServer } from '../support';

const at = (url: string, kind: 'shttp' | 'sse' = 'shttp'): Candidate => ({ kind, url, name: '' });
const called = (name: string): Candidate => ({ kind: 'stdio', url: '', name });

describe('MCP import: duplicates', () => {
  const pairs: [Candidate, Partial<McpServer>, boolean][] = [
    [at('https://e.example/mcp'), { url: 'https://e.example/mcp' }, true],
    [at('HTTPS://E.Example:443/mcp/'), { url: 'https://e.example/mcp' }, true],
    [at('http://e.example'), { url: 'http://e.example:80/' }, true],
    [at('https://e.example/mcp#a'), { url: ' https://e.example/mcp' }, true],
    [at('https://e.example/mcp', 'sse'), { url: 'https://e.example/mcp' }, true],
    [at('https://e.example/mcp'), { url: 'http://e.example/mcp' }, false],
    [at('https://e.example/mcp'), { url: 'https://e.example/MCP' }, false],
    [at('https://e.example/mcp?a=1'), { url: 'https://e.example/mcp?a=2' }, false],
    [at('https://e.example:8443/mcp'), { url: 'https://e.example/mcp' }, false],
    [at('${BASE}/mcp'), { url: '${BASE}/mcp' }, true],
    [at('${BASE}/mcp'), { url: ' ${BASE}/mcp ' }, true],
    [called('tool'), { kind: 'stdio', name: 'tool' }, true],
    [called('tool'), { kind: 'stdio', name: ' tool ' }, true],
    [called('tool'), { kind: 'stdio', name: 'Tool' }, false],
    [called('tool'), { kind: 'shttp', url: 'https://e.example', name: 'tool' }, false],
    [at('tool'), { kind: 'stdio', name: 'tool' }, false],
  ];
  for (const [candidate, part, same] of pairs)
    it(`${same ? 'matches' : 'distinguishes'} ${candidate.url || candidate.name} ${same ? 'with' : 'from'} ${part.url ?? part.name ?? ''}`, () => {
      const existing = newServer({ id: 'mcp-1', ...part });
      const label = existing.kind === 'stdio' ? existing.name : existing.url;
      assert.deepEqual(markDuplicates([candidate], [existing]), [
        same ? { of: 'existing', id: 'mcp-1', label } : null,
      ]);
    });

  it('finds servers that repeat an earlier one in the file', () => {
    const candidates = [
      called('a'),
      at('https://e.example/'),
      called('a'),
      at('https://E.example'),
      called('b'),
    ];
    assert.deepEqual(markDuplicates(candidates, []), [
      null,
      null,
      { of: 'file', index: 0, label: 'a' },
      { of: 'file', index: 1, label: 'https://e.example/' },
      null,
    ]);
  });

  it('reports existing servers before repeats within the file', () => {
    const marks = markDuplicates(
      [called('a'), called('a')],
      [newServer({ id: 'mcp-1', kind: 'stdio', name: 'a' })],
    );
    assert.deepEqual(
      marks.map((mark) => mark?.of),
      ['existing', 'existing'],
    );
  });
});
