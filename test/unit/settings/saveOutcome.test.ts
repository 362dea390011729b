import assert from 'node:assert/strict';
import type { McpKind } from '../../../src/shared/mcp';
import type { Meant } from '../../../src/features/settings/model/saveRequest';
import { serverResults } from '../../../src/features/settings/model/saveOutcome';
import type { Snapshot } from '../../../src/features/settings/model/merge';
import { readServers } from '../../../src/features/settings/model/servers';

/** SSE and HTTP servers, which may have the same URLs. */
const servers = (sse: readonly string[], shttp: readonly string[]) => {
  const list = (urls: readonly string[]) => urls.map((url) => ({ url, api_key: null }));
  return readServers({ sse_servers: list(sse), shttp_servers: list(shttp) });
};

describe('a read-back of MCP servers', () => {
  it('proves a change of order within one kind, whatever the order of another kind', () => {
    const [a, b] = ['https://a.example', 'https://b.example'];
    const before = servers([a, b], [a, b]);
    const sent = servers([a, b], [b, a]);
    const results = (after: ReturnType<typeof servers>) => {
      const ofKind = (wanted: McpKind) => sent.filter(({ kind }) => kind === wanted);
      const posted = { sse: ofKind('sse'), shttp: ofKind('shttp'), stdio: [] };
      const meant = { merged: { fresh: { servers: before } }, post: { posted } } as unknown as Meant;
      return serverResults(meant, { servers: after, hidesSecrets: false } as unknown as Snapshot);
    };
    assert.deepEqual(results(sent), [true]);
    assert.deepEqual(results(before), [false]);
  });
});
