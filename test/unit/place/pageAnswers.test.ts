import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { ApiError } from '../../../src/api/http/errors';
import type { ServedPage } from '../../../src/features/place/model/loopback';
import { servePage } from '../../../src/features/place/model/pageServer';
import { NoListener, type SandboxTunnel } from '../../../src/features/place/model/tunnel';
import { settled } from '../../support/settled';

const largestBody = 16 * 1024 * 1024;

describe('a page of a port, whatever the sandbox answers', () => {
  let page: ServedPage;
  let exchange: SandboxTunnel['exchange'];
  let sent: string[];
  const pages: ServedPage[] = [];
  let closed: number;
  const serve = async (port = 3000) => {
    const tunnel = {
      exchange: (...args: Parameters<SandboxTunnel['exchange']>) => {
        sent.push(Buffer.from(args[0]).toString('latin1'));
        return exchange(...args);
      },
      close: () => {
        closed += 1;
        return Promise.reject(new ApiError('reset', 'POST', '/'));
      },
    };
    page = await servePage(tunnel, port);
    pages.push(page);
  };
  beforeEach(async () => {
    sent = [];
    closed = 0;
    answers('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
    await serve();
  });
  afterEach(() => {
    for (const one of pages.splice(0)) one.close();
  });

  function answers(...parts: (string | Uint8Array)[]): void {
    exchange = async (_sent, take) => {
      for (const part of parts) await take(Buffer.from(part));
    };
  }
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { hostname, port, pathname } = page.url;
    return request({ hostname, port, path: pathname + path, headers, method, agent: false });
  };
  const answerOf = async (asked: ClientRequest) => {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };
  const get = async (path = '', headers: Record<string, string> = {}) => {
    const response = await answerOf(ask(path, headers).end());
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };

  it('says that nothing answers when the answer changes the protocol, isn’t one, or fails', async () => {
    const silent = [502, 'The sandbox doesn’t answer.\n'];
    for (const answer of [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nmore',
      'SSH-2.0\r\n',
      'HTTP/1.1 200 OK\r\nContent-Le',
      '',
    ]) {
      answers(answer);
      const { status, body } = await get();
      assert.deepEqual([status, body], silent, answer);
    }
    exchange = () => Promise.reject(new ApiError('reset', 'GET', '/'));
    assert.equal((await get()).body, silent[1]);
    exchange = () => Promise.reject(new NoListener());
    assert.equal((await get()).body, 'Nothing is listening on port 3000 in the sandbox.\n');
  });

  it('is complete for a browser that reads slowly, and the program waits for that', async () => {
    const parts = Array.from({ length: 250 }, (_, n) => Buffer.alloc(65_536, n));
    let taken = 0;
    exchange = async (_sent, take) => {
      await take(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${250 * 65_536}\r\n\r\n`));
      for (const part of parts) {
        await take(part);
        taken += 1;
      }
    };
    const response = await answerOf(ask('').end());
    // As much as fits between here and there.
    for (let before = -1; before < taken; await settled()) before = taken;
    assert.ok(taken < parts.length, `${taken}`);
    let count = 0;
    for await (const part of response) count += (part as Buffer).length;
    assert.equal(count, 250 * 65_536);
  });

  it('is cut off where the answer ends too soon, or fails', async () => {
    for (const end of [() => Promise.resolve(), () => Promise.reject(new NoListener())]) {
      exchange = async (_sent, take) => {
        await take(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'));
        await end();
      };
      await assert.rejects(get(), /aborted/);
    }
  });

  it('stops reading from the sandbox when the browser leaves', async () => {
    let left: () => void = () => undefined;
    const leaves = new Promise<void>((resolve) => (left = resolve));
    exchange = async (_sent, take, signal) => {
      await take(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
      const more = async () => take(Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`));
      while (!signal.aborted) await more();
      // What was read together with that.
      for (let count = 0; count < 10; count += 1) await more();
      left();
    };
    const asked = ask('').end();
    await answerOf(asked);
    asked.destroy();
    await leaves;
    exchange = (_sent, _take, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          left();
          reject(new NoListener());
        });
        left();
      });
    const begins = new Promise<void>((resolve) => (left = resolve));
    const waiting = ask('').end();
    waiting.on('error', () => undefined);
    await begins;
    const ends = new Promise<void>((resolve) => (left = resolve));
    waiting.destroy();
    await ends;
  });

  it('takes what a page sends up to a limit, and says what is too much', async () => {
    const post = async (size: number) => answerOf(ask('', {}, 'POST').end(Buffer.alloc(size, 'x')));
    assert.equal((await post(largestBody)).statusCode, 200);
    assert.match(sent[0] ?? '', new RegExp(`\r\ncontent-length: ${largestBody}\r\n`, 'i'));
    assert.ok(sent[0]?.endsWith('\r\n\r\n' + 'x'.repeat(largestBody)));
    const asked = ask('', { 'content-length': String(largestBody + 1) }, 'POST');
    // The rest isn’t taken.
    asked.on('error', () => undefined);
    asked.write(Buffer.alloc(largestBody + 1));
    const response = await answerOf(asked);
    assert.deepEqual([response.statusCode, sent.length], [413, 1]);
    assert.equal((await buffer(response)).toString(), 'This is too much to send to the sandbox.\n');
  });

  it('is asked for like by a browser on its own computer, without what is for others', async () => {
    await get('a?b', {
      ...{ 'x-forwarded-for': 'me', 'sec-websocket-key': 'k', te: 'trailers' },
      ...{ forwarded: 'for=me', 'proxy-authorization': 'secret', cookie: 'c', 'accept-language': 'de' },
      ...{ 'x-own-x-forwarded-for': 'kept' },
    });
    assert.deepEqual(
      sent[0]?.split('\r\n').map((line) => line.toLowerCase()),
      [
        ...['get /a?b http/1.1', 'accept-language: de', 'x-own-x-forwarded-for: kept'],
        ...['host: localhost:3000', 'connection: close', '', ''],
      ],
    );
  });

  it('leads on only within its port, also if that is the usual one of pages', async () => {
    const leadsTo = async (location: string) => {
      answers(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
      const { status, headers } = await get('dir/a');
      return status === 302 ? headers.location?.slice(page.url.pathname.length - 1) : status;
    };
    for (const host of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])
      assert.equal(await leadsTo(`http://${host}:3000/x?y#z`), '/x?y#z');
    assert.equal(await leadsTo('http://localhost/x'), 502);
    assert.equal(await leadsTo('http://[/'), 502);
    await serve(80);
    assert.equal(await leadsTo('http://localhost/x'), '/x');
    assert.equal(await leadsTo('http://localhost:3000/x'), 502);
    answers('HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\n\r\nbody');
    assert.equal(
      (await get()).body,
      'This page leads to http://evil.example/, which isn’t in the sandbox.\n',
    );
  });

  it('is no proxy, and closes what it was asked through when it’s closed', async () => {
    const socket = connect(Number(page.url.port), '127.0.0.1');
    socket.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n');
    assert.equal(await text(socket), '');
    exchange = () => new Promise(() => undefined);
    const waiting = ask('').end();
    const failed = once(waiting, 'error');
    while (sent.length === 0) await settled();
    page.close();
    await failed;
    assert.equal(closed, 1);
    await assert.rejects(get());
  });
});
