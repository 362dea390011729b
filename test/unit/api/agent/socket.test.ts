import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { WebSocket } from 'ws';
import { openEventSocket, type EventSocket, type OpenSocket } from '../../../../src/api/agent/socket';
import { createOpenSocket } from '../../../../src/editor/networkFetch';
import { closeServers, deadOrigin, serveRaw } from '../support/servers';
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
  const hear = ({ origin }: Pick<SocketServer, 'origin'>, opener: OpenSocket = open, counts = false) => {
    const told: string[] = [];
    let stop: EventSocket = () => undefined;
    const ended = new Promise<string[]>((resolve) => {
      stop = openEventSocket(
        { baseUrl: `${origin}/prefix`, origin, id: 'c1' },
        sandboxKey,
        {
          opened: () => told.push('opened'),
          heard: ({ id, kind }) => told.push(`${id} ${kind}`),
          counted: (place) => told.push(String(place)),
          written: ({ id, attempt, order, text, isOver }) =>
            told.push([id, attempt, order ?? '-', text, isOver ? 'over' : ''].join(' ').trim()),
          ended: (why) => resolve([...told, why]),
        },
        opener,
        counts,
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

  it('tells what is being written, and tolerates parts that it doesn’t understand', async () => {
    const server = await serveSockets((socket) => {
      for (const frame of [
        { type: 'item_started', item_id: 'm1', attempt: 1, anchor_seq: 4 },
        { type: 'delta', item_id: 'm1', attempt: 1, order: 0, kind: 'reasoning', content: 'Hm' },
        { type: 'delta', item_id: 'm1', attempt: 1, order: 1, kind: 'text', content: 'Hel' },
        { type: 'delta', item_id: 'm1', order: 2, content: 'lo' },
        { type: 'delta', order: 3, content: 'of nothing' },
        { type: 'delta', item_id: {}, order: 3 },
        { type: 'delta', item_id: 'm1', attempt: 'first', content: 'x' },
        { type: 'delta', item_id: 7, attempt: 2, order: 0, kind: 'text', content: 4 },
        { type: 'item_aborted', item_id: 'm1', attempt: 1, reason: 'error' },
      ])
        socket.send(JSON.stringify(frame));
      socket.close(1001);
    });
    assert.deepEqual(await hear(server, open, true).ended, [
      'opened',
      ...['m1 1 -', 'm1 1 0', 'm1 1 1 Hel', 'm1 1 2 lo', '7 2 0', 'm1 1 -  over'],
      'lost',
    ]);
    const legacy = await serveSockets((socket) => {
      socket.send(JSON.stringify({ type: 'delta', item_id: 'm1', order: 0, content: 'x' }));
      socket.close(1001);
    });
    assert.deepEqual(await hear(legacy).ended, ['opened', 'lost']);
  });

  it('needs nobody who listens to places or to what is being written', async () => {
    const server = await serveSockets((socket) => {
      const known = JSON.parse(event('e1')) as object;
      for (const frame of [
        { type: 'sync', through_seq: 6 },
        { type: 'delta', item_id: 'e1', order: 0, content: 'x' },
        { type: 'durable', seq: 7, event: known },
      ])
        socket.send(JSON.stringify(frame));
      socket.close(1001);
    });
    const address = { baseUrl: server.origin, origin: server.origin, id: 'c1' };
    const heard: string[] = [];
    const ended = new Promise((resolve) => {
      const listener = { opened: () => undefined, heard: ({ id }: { id: string }) => void heard.push(id) };
      openEventSocket(address, sandboxKey, { ...listener, ended: resolve }, open, true);
    });
    assert.deepEqual([await ended, heard], ['lost', ['e1']]);
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

  it('tells the places of events where the server does, even of one that can’t be read', async () => {
    const server = await serveSockets((socket) => {
      const paused = JSON.parse(event('e')) as object;
      const frames = [
        { type: 'sync', through_seq: 6 },
        { type: 'transient', event: { ...paused, id: 'e1' } },
        { type: 'durable', seq: 7, event: { ...paused, id: 'e2' } },
        { type: 'item_started', item_id: 'e4', attempt: 1 },
        { type: 'delta', item_id: 'e4', attempt: 1, order: 0, content: 'word' },
        { type: 'durable', seq: 8, event: { kind: 'PauseEvent' } },
        { type: 'durable', seq: 'many', event: { ...paused, id: 'e3' } },
        { type: 'error', code: 'x' },
        paused,
      ];
      for (const frame of frames) socket.send(JSON.stringify(frame));
      socket.close(1000);
    });
    const told = await hear(server, open, true).ended;
    assert.deepEqual(told, [
      ...['opened', '6', 'e1 paused', '7', 'e2 paused', 'e4 1 -', 'e4 1 0 word', '8', 'e3 paused', 'lost'],
    ]);
    assert.equal(server.requests[0]?.url, '/prefix/sockets/session/c1');
    const fresh = await serveSockets((socket) => {
      socket.send('{"type":"sync"}');
      socket.close(1000);
    });
    assert.deepEqual(await hear(fresh, open, true).ended, ['opened', '-1', 'lost']);
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

  /** A server that accepts a socket, sends these bytes, and never ends it. */
  const says = (bytes: readonly number[]) =>
    serveRaw((connection, _number, request) => {
      const [, key = ''] = /^sec-websocket-key: (.*)\r$/im.exec(request) ?? [];
      const accepted = createHash('sha1')
        .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      connection.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accepted}\r\n\r\n`);
      connection.write(Buffer.from(bytes));
    });
  afterEach(closeServers);

  for (const [what, ...bytes] of [
    ['with a code', 0x88, 2, 0x03, 0xe8],
    ['without a code', 0x88, 0],
    ['as refused', 0x88, 2, 0x0f, 0xa1],
  ] as const)
    it(`tells that a server says that it closes, ${what}, and doesn’t`, async () => {
      const { stop, told } = hear(await says(bytes));
      while (stop.isClosing?.() !== true) await new Promise(setImmediate);
      assert.deepEqual(told, ['opened']);
      stop();
    });

  for (const [what, ...bytes] of [
    ['no code at all', 0x88, 1, 3],
    ['a code of no meaning', 0x88, 2, 0x03, 0xe7],
    ['a code that nobody may send', 0x88, 2, 0x03, 0xee],
    ['a broken reason', 0x88, 4, 0x03, 0xe8, 0xff, 0xfe],
    ['a broken text', 0x81, 2, 0xff, 0xfe],
    ['an unknown frame', 0x83, 1, 65],
  ] as const)
    it(`ends at ${what}, although the connection stays open`, async () => {
      assert.deepEqual(await hear(await says(bytes)).ended, ['opened', 'lost']);
    });

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
