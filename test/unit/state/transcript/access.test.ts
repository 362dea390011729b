import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import { SandboxAccess } from '../../../../src/state/transcript/access';
import type { TranscriptPorts } from '../../../../src/state/transcript/ports';

/** The limit of a conversation whose agent server at `conversation_url` doesn’t answer. */
async function limitAt(conversation_url: string, baseUrl: string) {
  const access = new SandboxAccess({
    client: { baseUrl } as TranscriptPorts['client'],
    readVersion: () => Promise.reject(new ApiError('timeout', 'GET', '/server_info')),
    createAgentClient: () => assert.fail('no client'),
    createWorkspace: () => assert.fail('no workspace'),
    acceptOrigin: () => Promise.resolve(true),
    now: () => 0,
  });
  const found = await access.of({ id: 'a', conversation_url, session_api_key: 'key' });
  return found.kind === 'none' && found.limit;
}

describe('an agent server that can’t be reached', () => {
  const url = 'http://127.0.0.1:4000/api/conversations/a';

  it('leaves the page of its service to go to', async () => {
    assert.equal(await limitAt(url, 'http://127.0.0.1:3000'), 'unreachable');
  });

  it('leaves nothing but to try again where it’s the connection itself', async () => {
    assert.equal(await limitAt(url, 'http://127.0.0.1:4000'), 'serverUnreachable');
  });
});
