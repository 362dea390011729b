import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { pageOf } from '../../../../src/api/page';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import type { ErrorReason } from '../../../../src/api/http/errors';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve, serveRaw } from '../support/servers';

const MiB = 1024 * 1024;
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const page = '{"items":[{"id":"a"}],"next_page_id":null}';
const half = page.slice(0, page.length / 2);

/** Sends text with a content type. */
const text =
  (contentType: string, body: string | Buffer, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Type': contentType, ...headers }).end(body);
const jsonText = (body: string | Buffer, headers = {}) => text('application/json', body, headers);

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Unusable 200 responses, with the result for a list and for an action that ignores the body. */
const answers: [
  name: string,
  answer: (response: ServerResponse) => void,
  list: ErrorReason | 'fine',
  action: ErrorReason | 'fine',
][] = [
  [
    'a web page',
    text('text/html; charset=utf-8', '<!doctype html><title>App</title>'),
    'notService',
    'notService',
  ],
  ['plain text', text('text/plain', 'hello'), 'notService', 'notService'],
  ['JSON sent as text', text('text/plain', page), 'notService', 'notService'],
  ['no content type', (response) => void response.writeHead(200).end(page), 'notService', 'notService'],
  ['a web page of 20 MB', text('text/html', 'x'.repeat(20 * MiB)), 'notService', 'notService'],
  ['an empty body', jsonText(''), 'badShape', 'fine'],
  ['204', (response) => void response.writeHead(204).end(), 'badShape', 'fine'],
  ['an empty web page', text('text/html', ''), 'badShape', 'fine'],
  ['not JSON', jsonText('this is not JSON'), 'badShape', 'badShape'],
  ['two values', jsonText('{} {}'), 'badShape', 'badShape'],
  ['truncated JSON', jsonText(half), 'truncated', 'truncated'],
  ['JSON truncated in a string', jsonText('{"items":[{"id":"a\\"'), 'truncated', 'truncated'],
  ['JSON with a wrong ending', jsonText('{"items":[]'), 'truncated', 'truncated'],
  ['null', jsonText('null'), 'badShape', 'fine'],
  ['a number', jsonText('7'), 'badShape', 'fine'],
  ['a string', jsonText('"done"'), 'badShape', 'fine'],
  ['an object without items', jsonText('{"sandboxes":[]}'), 'badShape', 'fine'],
  ['items that are not a list', jsonText('{"items":{}}'), 'badShape', 'fine'],
  ['only elements without IDs', jsonText('[{"name":"a"},7,"b"]'), 'badShape', 'fine'],
  ['another JSON type', text('application/problem+json; charset=utf-8', page), 'fine', 'fine'],
  ['upper case', text('Application/JSON', page), 'fine', 'fine'],
  ['a byte order mark', jsonText(`\ufeff${page}`), 'fine', 'fine'],
  [
    'invalid UTF-8',
    jsonText(Buffer.concat([Buffer.from('[{"id":"'), Buffer.from([0xff]), Buffer.from('"}]')])),
    'fine',
    'fine',
  ],
  ['arrays 100,000 deep', jsonText(deep('[', ']', 100_000)), 'badShape', 'badShape'],
  [
    'objects 100,000 deep',
    jsonText(`{"items":[{"id":"a","x":${deep('{"a":', '}', 100_000).replace(':}', ':1}')}}]}`),
    'fine',
    'badShape',
  ],
  [
    'a list that is deep itself',
    jsonText(`{"items":[{"id":"a"}],"x":${deep('[', ']', 100)},"next_page_id":null}`),
    'fine',
    'badShape',
  ],
  ['65 levels', jsonText(deep('[', ']', 65)), 'badShape', 'badShape'],
  ['brackets in strings', jsonText(`[{"id":"a","title":"${'[{\\"'.repeat(1_000)}"}]`), 'fine', 'fine'],
  ['gzip', jsonText(gzipSync(page), { 'Content-Encoding': 'gzip' }), 'fine', 'fine'],
  ['deflate', jsonText(deflateSync(page), { 'Content-Encoding': 'deflate' }), 'fine', 'fine'],
  ['invalid gzip', jsonText('not gzip', { 'Content-Encoding': 'gzip' }), 'truncated', 'truncated'],
  [
    'truncated gzip',
    jsonText(gzipSync(page).subarray(0, 25), { 'Content-Encoding': 'gzip' }),
    'truncated',
    'truncated',
  ],
];

describe('responses with status 200', () => {
  afterEach(closeServers);

  for (const [name, answer, list, action] of answers) {
    it(`handles ${name}: ${list} for a list, ${action} for an action`, async () => {
      const server = await serve((_request, response) => answer(response));
      const { client } = testClient(server.origin);
      const listing = client.searchSandboxes();
      if (list === 'fine') assert.equal((await listing).items.length, 1);
      else assert.equal((await failureOf(listing)).reason, list);
      const acting = client.pauseSandbox('a');
      if (action === 'fine') await acting;
      else {
        const error = await failureOf(acting);
        assert.deepEqual([error.reason, error.outcomeUnknown], [action, true]);
      }
    });
  }

  for (const [name, answer] of [
    ['a length greater than the body', `${head}Content-Length: 999\r\n\r\n${page}`],
    ['a length smaller than the body', `${head}Content-Length: ${half.length}\r\n\r\n${page}`],
    ['a chunk cut short', `${head}Transfer-Encoding: chunked\r\n\r\nff\r\n${half}`],
    [
      'a last chunk that never comes',
      `${head}Transfer-Encoding: chunked\r\n\r\n${page.length.toString(16)}\r\n${page}\r\n`,
    ],
    ['an invalid chunk', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${page}\r\n`],
  ] as const) {
    it(`reports truncation: ${name}`, async () => {
      const server = await serveRaw((socket) => socket.end(answer));
      assert.equal((await failureOf(testClient(server.origin).client.searchSandboxes())).reason, 'truncated');
    });
  }

  it('reports a reset in the middle of the body', async () => {
    const server = await serveRaw((socket) => {
      socket.write(`${head}Content-Length: 999\r\n\r\n${half}`);
    });
    // The reset must come after the client has read the headers, or there is no response at all.
    const fetch: typeof globalThis.fetch = async (...args) => {
      const response = await globalThis.fetch(...args);
      server.resetAll();
      return response;
    };
    assert.equal(
      (await failureOf(testClient(server.origin, { fetch }).client.searchSandboxes())).reason,
      'reset',
    );
  });

  it('skips malformed elements, counts them, and drops prototypes', async () => {
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(
          '{"__proto__":{"next_page_id":"2"},"items":[{"id":"a","status":7,"new":{"x":1}},null,{"id":3},{"id":""},"x",{"id":{"length":{"toString":null}}},' +
            '{"id":"b","__proto__":{"status":"RUNNING"},"constructor":{"prototype":{"polluted":true}}}]}',
        ),
    );
    const { client, events } = testClient(server.origin);
    const { items, nextPageId } = await client.searchSandboxes();
    assert.deepEqual(
      items.map(({ id, status }) => [id, status]),
      [
        ['a', null],
        ['b', undefined],
      ],
    );
    assert.equal(nextPageId, null);
    assert.deepEqual(items[0]?.['new'], { x: 1 });
    assert.equal(events[0]?.skipped, 4);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.ok(items.every((item) => Object.getPrototypeOf(item) === Object.prototype));
  });
});

describe('very large responses', () => {
  afterEach(closeServers);

  it('stops reading 50 MB at the limit and closes the connection', async () => {
    let written = 0;
    let closed: Promise<unknown> | undefined;
    const server = await serve((_request, response) => {
      closed = once(response, 'close');
      const chunk = Buffer.alloc(256 * 1024, 'x');
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('"');
      const pour = () => {
        while (written < 50 * MiB && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pour);
        }
        response.end('"');
      };
      pour();
    });
    const error = await failureOf(testClient(server.origin).client.searchSandboxes());
    assert.equal(error.reason, 'tooLarge');
    await closed;
    assert.ok(written < 40 * MiB, `the server got rid of ${written} bytes`);
  });

  it('refuses a large response that comes in one piece as too large, too', async () => {
    const whole = new Uint8Array(17 * MiB).fill(0x20);
    const headers = { 'Content-Type': 'application/json' };
    const fetch = () => Promise.resolve(new Response(whole, { headers }));
    const error = await failureOf(testClient('http://127.0.0.1:1', { fetch }).client.searchSandboxes());
    assert.equal(error.reason, 'tooLarge');
  });

  it('stops decompressing 50 MB sent as 50 kB', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('["'), Buffer.alloc(50 * MiB, 'a'), Buffer.from('"]')]));
    assert.ok(bomb.length < 60_000, `${bomb.length} bytes`);
    const server = await serve((_request, response) =>
      jsonText(bomb, { 'Content-Encoding': 'gzip' })(response),
    );
    let unpacked = 0;
    const fetch: typeof globalThis.fetch = async (...args) => {
      const response = await globalThis.fetch(...args);
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          unpacked += chunk.byteLength;
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body!.pipeThrough(counting), response);
    };
    const error = await failureOf(testClient(server.origin, { fetch }).client.searchSandboxes());
    assert.equal(error.reason, 'tooLarge');
    assert.ok(unpacked <= 17 * MiB, `${unpacked} bytes were unpacked`);
  });

  it('reads responses up to the limit', async () => {
    const server = await serve((_request, response) =>
      json(response, { items: [{ id: 'a', title: 'x'.repeat(15 * MiB) }] }),
    );
    const { client, events } = testClient(server.origin);
    assert.equal((await client.searchSandboxes()).items.length, 1);
    assert.ok(events[0]!.bytes > 15 * MiB);
  });

  it('reads only as much of an error as needed', async () => {
    const server = await serve((_request, response) =>
      json(response, { message: 'x'.repeat(20 * MiB) }, 404),
    );
    const { client, events } = testClient(server.origin);
    const error = await failureOf(client.searchSandboxes());
    assert.equal(error.reason, 'notFound');
    assert.ok(events[0]!.bytes <= 64 * 1024);
    assert.ok(error.serverText!.length <= 200);
  });

  it('keeps the event loop responsive while reading a list of 10,000', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({ id: `c${index}` }));
    const server = await serve((_request, response) => json(response, items));
    let turns = 0;
    let reading = true;
    const body = async () => {
      const response = await globalThis.fetch(server.origin);
      const whole = await response.text();
      // The whole response has arrived: from here on, only the client can yield to the event loop.
      const count = () => {
        turns += 1;
        if (reading) setImmediate(count);
      };
      setImmediate(count);
      return new Response(whole, response);
    };
    const result = await testClient(server.origin, { fetch: body }).client.searchSandboxes();
    reading = false;
    assert.equal(result.items.length, 10_000);
    assert.ok(turns >= 9, `only ${turns} turns`);
  });

  it('keeps the event loop responsive while reading few elements that take long', async () => {
    const slow = z.pipe(
      z.unknown(),
      z.transform((value) => {
        for (const until = performance.now() + 5; performance.now() < until;);
        return value;
      }),
    );
    let turns = 0;
    let reading = true;
    const count = () => {
      turns += 1;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    const items = Array.from({ length: 40 }, (_, index) => index);
    const page = await pageOf(slow)({ items }, { skipped: 0 });
    reading = false;
    assert.deepEqual(page?.items, items);
    assert.ok(turns >= 8, `only ${turns} turns`);
  });
});
