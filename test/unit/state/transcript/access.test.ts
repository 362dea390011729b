import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import { SandboxAccess } from '../../../../src/state/transcript/access';
import type { TranscriptPorts } from '../../../../src/state/transcript/ports';

/** Access to agent servers that don’t answer, from a service at `baseUrl`. */
const access = (baseUrl: string, readVersion: TranscriptPorts['readVersion']) =>
  new SandboxAccess({
    client: { baseUrl } as TranscriptPorts['client'],
    readVersion,
    createAgentClient: () => ({}) as ReturnType<TranscriptPorts['createAgentClient']>,
    createWorkspace: () => ({}) as ReturnType<TranscriptPorts['createWorkspace']>,
    acceptOrigin: () => Promise.resolve(true),
    now: () => 0,
  });

/** The limit of a conversation whose agent server at `conversation_url` doesn’t answer. */
async function limitAt(conversation_url: string, baseUrl: string) {
  const silent = access(baseUrl, () => Promise.reject(new ApiError('timeout', 'GET', '/server_info')));
  const found = await silent.of({ id: 'a', conversation_url, session_api_key: 'key' });
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

describe('an agent server that refuses the key', () => {
  const url = 'http://127.0.0.1:4000/api/conversations/a';
  const limitAfterRefusal = async (baseUrl: string) => {
    const answering = access(baseUrl, () => Promise.resolve('1.58.0'));
    await answering.of({ id: 'a', conversation_url: url, session_api_key: 'key' });
    return answering.report(new ApiError('unauthorized', 'GET', '/api/conversations/{id}'));
  };

  it('belongs to a sandbox, whose key is read again', async () => {
    assert.equal(await limitAfterRefusal('http://127.0.0.1:3000'), 'refused');
  });

  it('lacks the right session key where it’s the connection itself', async () => {
    assert.equal(await limitAfterRefusal('http://127.0.0.1:4000'), 'serverRefused');
  });
});
