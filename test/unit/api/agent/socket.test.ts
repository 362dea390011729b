import assert from 'node:assert/strict';
import type { WebSocket } from 'ws';
import { openEventSocket, type OpenSocket } from '../../../../src/api/agent/socket';
import { createOpenSocket } from '../../../../src/editor/networkFetch';
import { deadOrigin } from '../support/servers';
import { serveSockets, type SocketServer } from '../support/sockets';

const sandboxKey = 'canary-sandbox-key-93d1';

const event = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    kind: 'PauseEvent',
    timestamp: '2026-01-01T00:00:00.000001',
    source: 'user',
    ...more,
  });

describe('socket of an agent server', () => {
  let open: OpenSocket;
  before(async () => {
    open = await createOpenSocket({}, undefined);
  });

  /** Listens until the socket ends; `told` is all that the listener was told. */
  const hear = ({ origin }: Pick<SocketServer, 'origin'>, opener: OpenSocket = open) => {
    const told: string[] = [];
    let stop: () => void = () => undefined;
    const ended = new Promise<string[]>((resolve) => {
      stop = openEventSocket(
        { baseUrl: `${origin}/prefix`, origin, id: 'c1' },
        sandboxKey,
        {
          opened: () => told.push('opened'),
          heard: ({ id, kind }) => told.push(`${id} ${kind}`),
          ended: (why) => resolve([...told, why]),
        },
        opener,
      );
    });
    return { ended, told, stop };
  };

  it('is opened with the key in a header, and never in the address', async () => {
    const server = await serveSockets((socket) => socket.close(1001));
    assert.deepEqual(await hear(server).ended, ['opened', 'lost']);
    const [request] = server.requests;
    assert.equal(request?.headers['x-session-api-key'], sandboxKey);
    assert.equal(request.url, '/prefix/sockets/events/c1');
  });

  it('reports events, and tolerates frames that it doesn’t understand', async () => {
    const server = await serveSockets((socket) => {
      socket.send(event('e1', { key: 'full_state', kind: 'ConversationStateUpdateEvent' }));
      for (const frame of ['', 'no JSON', '[]', 'null', '{"kind":"PauseEvent"}', '['.repeat(100)])
        socket.send(frame);
      socket.send(Buffer.from(event('binary')));
      socket.send(event('e2', { kind: 'BrandNewEvent' }));
      socket.send(event('e3'));
      socket.close(1000);
    });
    assert.deepEqual(await hear(server).ended, ['opened', 'e1 hidden', 'e2 other', 'e3 paused', 'lost']);
  });

  for (const [code, why] of [
    [4001, 'refused'],
    [4004, 'refused'],
    [1013, 'lost'],
    [1011, 'lost'],
  ] as const) {
    it(`ends with code ${code} as ${why}`, async () => {
      const server = await serveSockets((socket) => socket.close(code));
      assert.deepEqual(await hear(server).ended, ['opened', why]);
    });
  }

  it('ends at a handshake that is answered with 403', async () => {
    const server = await serveSockets(() => undefined, { refuse: '403 Forbidden' });
    assert.deepEqual(await hear(server).ended, ['lost']);
  });

  it('never follows a redirect with the key', async () => {
    const elsewhere = await serveSockets((socket) => socket.close());
    const refuse = `307 Temporary Redirect\r\nLocation: ${elsewhere.origin}/sockets/events/c1`;
    const server = await serveSockets(() => undefined, { refuse });
    assert.deepEqual(await hear(server).ended, ['lost']);
    assert.equal(elsewhere.requests.length, 0);
  });

  it('ends if nobody listens, and if the host has no sockets', async () => {
    assert.deepEqual(await hear({ origin: await deadOrigin() }).ended, ['lost']);
    const none: OpenSocket = () => {
      throw new Error(`no sockets for ${sandboxKey}`);
    };
    assert.deepEqual(await hear({ origin: 'http://127.0.0.1' }, none).ended, ['lost']);
  });

  it('ends at a frame of more than 16 MB', async () => {
    const server = await serveSockets((socket) => socket.send('x'.repeat(17 * 1024 * 1024)));
    assert.deepEqual(await hear(server).ended, ['opened', 'lost']);
  });

  it('reports nothing after it’s stopped, even before it’s open', async () => {
    let closed: (code: number) => void = () => undefined;
    const closing = new Promise<number>((resolve) => (closed = resolve));
    let opened: WebSocket | undefined;
    const server = await serveSockets((socket) => {
      opened = socket;
      socket.on('close', closed);
      socket.send(event('e1'));
    });
    const listening = hear(server);
    listening.stop();
    assert.deepEqual(listening.told, []);
    const other = hear(server);
    while (!other.told.includes('e1 paused')) await new Promise(setImmediate);
    other.stop();
    opened?.send(event('e2'));
    await closing;
    assert.deepEqual(other.told, ['opened', 'e1 paused']);
  });
});
