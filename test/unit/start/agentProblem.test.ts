import assert from 'node:assert/strict';
import { Refusal } from '../../../src/core/basics/refusal';
import { agentProblem, changeAgent } from '../../../src/features/start/model/agentProblem';

describe('an agent profile', () => {
  const works = { isValid: true, errors: [], hasModel: true, hasKey: true, missingServers: [] };

  it('has no problem if the server knows of none', () => {
    assert.equal(agentProblem('work', works), undefined);
    // What the server calls valid works without them.
    assert.equal(agentProblem('work', { ...works, missingServers: ['docs'] }), undefined);
  });

  it('can’t work without its model, without its MCP servers, or for a reason that the server gives', () => {
    assert.equal(
      agentProblem('work', { ...works, hasModel: false }),
      'The agent “work” names a model profile that the server doesn’t have.',
    );
    const refused = { ...works, isValid: false, errors: ['no\u202e such', 'tool'] };
    assert.equal(
      agentProblem('work\n', { ...refused, missingServers: ['docs', 'web'] }),
      'The agent “work” names MCP servers that the server doesn’t have: docs, web.',
    );
    assert.equal(
      agentProblem('work', refused),
      'The server says that the agent “work” can’t work: no such; tool',
    );
  });

  it('is changed, or was changed by somebody else in the meantime', async () => {
    const asked: unknown[] = [];
    const server = (kept: boolean) => ({
      changeAgentProfile: (...call: unknown[]) => Promise.resolve((asked.push(call), kept)),
    });
    await changeAgent(server(true), 'work', { a: 1 });
    assert.deepEqual(asked, [['work', { a: 1 }]]);
    await assert.rejects(changeAgent(server(false), 'work', {}), Refusal);
  });
});
