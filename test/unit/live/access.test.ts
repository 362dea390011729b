import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { SandboxAccess } from '../../../src/features/live/model/access';
import { aClient } from '../../support/builders/client';
import type { TranscriptPorts } from '../../../src/features/live/model/ports';

/** Access to agent servers that don’t answer, from a service at `baseUrl`. */
const access = (baseUrl: string, readServer: TranscriptPorts['readServer']) =>
  new SandboxAccess({
    client: aClient({ baseUrl }),
    readServer,
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

  it('is said to be at the service’s own computer where its address is only good there', async () => {
    for (const own of ['localhost:4000', '127.0.0.1:38123', '[::1]:4000', '0.0.0.0:4000'])
      assert.equal(
        await limitAt(`http://${own}/api/conversations/a`, 'https://agents.example'),
        'onService',
        own,
      );
    for (const elsewhere of ['https://box.example', 'http://10.0.0.5:4000'])
      assert.equal(
        await limitAt(`${elsewhere}/api/conversations/a`, 'https://agents.example'),
        'unreachable',
        elsewhere,
      );
  });

  it('says that a conversation is deleted, not its sandbox, where there are no sandboxes', async () => {
    const gone = async (client: TranscriptPorts['client']) => {
      const found = await new SandboxAccess({ client } as never).of(null);
      return found.kind === 'none' && found.limit;
    };
    assert.equal(await gone(aClient({ sandboxes: undefined })), 'deleted');
    assert.equal(await gone(aClient()), 'gone');
  });

  it('can only be tried again if it’s the connection itself', async () => {
    assert.equal(await limitAt(url, 'http://127.0.0.1:4000'), 'serverUnreachable');
  });
});

describe('an agent server that refuses the key', () => {
  const url = 'http://127.0.0.1:4000/api/conversations/a';
  const limitAfterRefusal = async (baseUrl: string) => {
    const answering = access(baseUrl, () => Promise.resolve({ release: '1.58.0', capabilities: [] }));
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

describe('the way to an agent server', () => {
  const url = 'https://box.example/api/conversations/a';
  const record = { id: 'a', conversation_url: url, session_api_key: 'key', sandbox_status: 'RUNNING' };
  let time: number;
  let asked: string[];
  let failure: Error | undefined;
  let accepts: boolean;
  let way: SandboxAccess;
  beforeEach(() => {
    [time, asked, failure, accepts] = [0, [], undefined, true];
    way = new SandboxAccess({
      client: aClient({ baseUrl: 'https://service.example' }),
      readServer: ({ origin }) => {
        asked.push(origin);
        return failure ? Promise.reject(failure) : Promise.resolve({ release: '1.58.0', capabilities: [] });
      },
      createAgentClient: (_address, key) => ({ key }) as never,
      createWorkspace: (_address, key) => ({ key }) as never,
      acceptOrigin: () => Promise.resolve(accepts),
      now: () => time,
    });
  });
  const fail = (reason: ApiError['reason']) => (failure = new ApiError(reason, 'GET', '/server_info'));
  const limit = async (change: Partial<typeof record> = {}) => {
    const found = await way.of({ ...record, ...change });
    return found.kind === 'none' ? found.limit : found.kind;
  };

  it('is found once for each address and key', async () => {
    const first = await way.of(record);
    const second = await way.of(record);
    assert.ok(first.kind === 'live' && second.kind === 'live' && first.agent === second.agent);
    assert.equal(asked.length, 1);
    const other = await way.of({ ...record, session_api_key: 'other' });
    assert.deepEqual(
      [other.kind === 'live' && other.agent, other.kind === 'live' && other.workspace],
      [{ key: 'other' }, { key: 'other' }],
    );
    assert.equal(await limit({ conversation_url: 'https://box2.example/api/conversations/a' }), 'live');
    assert.deepEqual(asked, ['https://box.example', 'https://box.example', 'https://box2.example']);
  });

  it('isn’t there without a conversation, or without its address or key, as its sandbox says', async () => {
    const none = await way.of(null);
    assert.equal(none.kind === 'none' && none.limit, 'gone');
    const rows = {
      RUNNING: 'stored',
      STARTING: 'stored',
      ERROR: 'stored',
      PAUSED: 'asleep',
      MISSING: 'gone',
    };
    for (const [sandbox_status, expected] of Object.entries(rows)) {
      assert.equal(await limit({ sandbox_status, conversation_url: '' }), expected);
      assert.equal(await limit({ sandbox_status, session_api_key: '' }), expected);
    }
    assert.deepEqual(asked, []);
  });

  it('isn’t asked for where the address can’t be read, or its origin wasn’t accepted', async () => {
    assert.equal(await limit({ conversation_url: 'box' }), 'unreachable');
    accepts = false;
    const exposed = { conversation_url: 'http://box.example/api/conversations/a' };
    assert.equal(await limit(exposed), 'notAccepted');
    assert.deepEqual(asked, []);
    accepts = true;
    assert.equal(await limit(exposed), 'live');
  });

  it('is tried again half a minute after it failed, or at once with another key, or if told so', async () => {
    fail('timeout');
    assert.equal(await limit(), 'unreachable');
    failure = undefined;
    time = 29_999;
    assert.equal(await limit(), 'unreachable');
    assert.equal(asked.length, 1);
    time = 30_000;
    assert.equal(await limit(), 'live');
    fail('timeout');
    assert.equal(await limit({ session_api_key: 'other' }), 'unreachable');
    failure = undefined;
    assert.equal(await limit({ session_api_key: 'third' }), 'live');
    assert.equal(await limit({ session_api_key: 'fourth' }), 'live');
    fail('timeout');
    assert.equal(await limit({ session_api_key: 'fifth' }), 'unreachable');
    failure = undefined;
    way.retry();
    assert.equal(await limit({ session_api_key: 'fifth' }), 'live');
  });

  it('hasn’t failed when asking was canceled', async () => {
    fail('canceled');
    assert.equal(await limit(), 'unreachable');
    failure = undefined;
    assert.equal(await limit(), 'live');
  });

  it('fails with a defect as it is', async () => {
    failure = new TypeError('defect');
    await assert.rejects(limit(), /defect/);
  });

  it('is out of reach for a while after a request failed', async () => {
    assert.equal(way.report(fail('timeout')), undefined);
    failure = undefined;
    assert.equal(await limit(), 'live');
    const error = (reason: ApiError['reason']) => new ApiError(reason, 'GET', '/api/conversations/a');
    assert.equal(way.report(error('canceled')), undefined);
    assert.equal(await limit(), 'live');
    for (const [reason, expected] of [
      ['unauthorized', 'refused'],
      ['forbidden', 'refused'],
      ['timeout', 'unreachable'],
    ] as const) {
      time += 100_000;
      assert.equal(way.report(error(reason)), expected);
      assert.equal(await limit(), expected);
      time += 30_000;
      assert.equal(await limit(), 'live');
    }
  });
});
