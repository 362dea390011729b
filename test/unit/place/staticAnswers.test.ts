import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FilePiece } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import type { SandboxFiles } from '../../../src/features/place/model/files';
import type { ServedPage } from '../../../src/features/place/model/loopback';
import { pieceBytes } from '../../../src/features/place/model/sentFile';
import { serveFiles } from '../../../src/features/place/model/staticPages';

const failure = (status: number) => new ApiError('unexpectedStatus', 'GET', '/', { status });

describe('a page made of files, whatever the sandbox answers', () => {
  let piece: SandboxFiles['piece'];
  /** What was asked for: the path, the first byte, and the number of bytes. */
  let asked: string[];
  const pages: ServedPage[] = [];
  beforeEach(() => {
    asked = [];
    piece = pieceOf('0123456789');
  });
  afterEach(() => {
    for (const one of pages.splice(0)) one.close();
  });

  const pieceOf = (content: string, tag?: string): SandboxFiles['piece'] => {
    const whole = Buffer.from(content);
    return (_file, { from, length }) =>
      Promise.resolve({ bytes: whole.subarray(from, from + length), from, size: whole.length, tag });
  };
  const serve = async (shown: string, root = '/work') => {
    const files = {
      piece: (...args: Parameters<SandboxFiles['piece']>) => {
        asked.push(`${args[0]} ${args[1].from}+${args[1].length}`);
        return piece(...args);
      },
    };
    const page = await serveFiles(files, root, shown);
    pages.push(page);
    return page;
  };
  const ask = ({ url }: ServedPage, path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const [, secret] = url.pathname.split('/');
    const whole = path.startsWith('//') ? path.slice(1) : `/${secret}/${path}`;
    return request({ hostname: url.hostname, port: url.port, path: whole, headers, method, agent: false });
  };
  const get = async (...args: Parameters<typeof ask>) => {
    const [response] = (await once(ask(...args).end(), 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };

  it('says what is wrong: with the address, with the file, or with the sandbox', async () => {
    const page = await serve('/work/a.html');
    const [none, index, silent] = [
      'There’s no such page here.\n',
      'This folder has no index.html.\n',
      'The sandbox doesn’t answer.\n',
    ];
    for (const [path, error, status, body] of [
      ['a', new FileRefusal('missing'), 404, none],
      ['a/', new FileRefusal('missing'), 404, index],
      ['a/', failure(400), 404, index],
      ['a', new FileRefusal('tooLarge'), 413, 'The file is too large to open.\n'],
      ['a', failure(500), 502, silent],
      ['a/', failure(500), 502, silent],
      ['a', new Refusal('It’s paused.'), 502, silent],
    ] as const) {
      piece = () => Promise.reject(error);
      const got = await get(page, path);
      assert.deepEqual([got.status, got.body], [status, body], path);
      assert.equal(got.headers['x-content-type-options'], 'nosniff');
    }
    asked = [];
    for (const path of [
      '.git',
      'a/.git/b',
      '.agent-workspace-answer-1/content',
      'a/./b',
      'a/../b',
      '%',
      'a%00',
    ])
      assert.deepEqual([(await get(page, path)).status, asked], [404, []], path);
    const posted = await get(page, 'a', {}, 'PUT');
    assert.deepEqual([posted.status, posted.body], [405, 'Files can only be read here.\n']);
  });

  it('leads from a folder’s name to its page, with what was asked, and this time only', async () => {
    const page = await serve('/work/a.html');
    piece = () => Promise.reject(failure(400));
    for (const [path, to] of [
      ['dir/a%20b%3F', './a%20b%3F/'],
      ['dir?x?y', './dir/?x?y'],
      ['dir?', './dir/?'],
    ] as const) {
      const { status, headers } = await get(page, path);
      assert.deepEqual([status, headers.location, headers['cache-control']], [307, to, 'no-store'], path);
    }
  });

  it('begins where it’s shown, and is led back to by its absolute links', async () => {
    for (const [root, shown, path, file] of [
      ['/work', '/work/index.html', '/', '/work/index.html'],
      ['/work', '/work/a b.html', '/a%20b.html', '/work/a b.html'],
      ['/work', '/work/a b/', '/a%20b/', '/work/a b/index.html'],
      ['/work', '/work/a b/c/d.html', '/a%20b/c/d.html', '/work/a b/c/d.html'],
      ['/', '/a/index.html', '/a/', '/a/index.html'],
    ] as const) {
      const page = await serve(shown, root);
      const [, secret = ''] = page.url.pathname.split('/');
      assert.equal(page.url.pathname, `/${secret}${path}`);
      await get(page, path.slice(1));
      assert.equal(asked.at(-1), `${file} 0+${pieceBytes}`);
      const base = path.slice(0, path.lastIndexOf('/'));
      const start = await get(page, `//${secret}`);
      assert.deepEqual([start.status, start.headers.location], [307, `/${secret}${base}/`]);
      const absolute = await get(page, '//x/y', { referer: page.url.href });
      assert.equal(absolute.headers.location, `/${secret}${base}/x/y`);
    }
  });

  it('says of each file what it is, and of any other that it’s to be downloaded', async () => {
    const page = await serve('/work/index.html');
    for (const [path, type] of [
      ['a.HTML', 'text/html; charset=utf-8'],
      ['a.json', 'application/json; charset=utf-8'],
      ['a.webmanifest', 'application/manifest+json; charset=utf-8'],
      ['a.svg', 'image/svg+xml; charset=utf-8'],
      ['a.xml.png', 'image/png'],
      ['a.wasm', 'application/wasm'],
      ['html', 'application/octet-stream'],
      ['.html', 'application/octet-stream'],
      ['a.constructor', 'application/octet-stream'],
    ])
      assert.equal((await get(page, path ?? '')).headers['content-type'], type, path);
  });

  it('reads no more than it needs', async () => {
    const page = await serve('/work/a');
    const reads = async (headers: Record<string, string>, method = 'GET') => {
      asked = [];
      await get(page, 'a', headers, method);
      return asked.map((one) => one.slice('/work/a '.length));
    };
    piece = pieceOf('0123456789', '"1"');
    assert.deepEqual(await reads({}), [`0+${pieceBytes}`]);
    assert.deepEqual(await reads({ range: 'bytes=2-4' }), ['0+1', '2+3']);
    assert.deepEqual(await reads({ range: 'bytes=0-0' }), ['0+1']);
    assert.deepEqual(await reads({ 'if-none-match': '"1"' }), ['0+1']);
    assert.deepEqual(await reads({}, 'HEAD'), ['0+1']);
    // Older servers answer with all of it, whatever part is asked for.
    piece = () => Promise.resolve({ bytes: Buffer.from('0123456789'), from: 0, size: 10, tag: undefined });
    assert.deepEqual(await reads({ range: 'bytes=2-4' }), ['0+1']);
    assert.equal((await get(page, 'a', { range: 'bytes=2-4' })).body, '234');
    const { status, headers } = await get(page, 'a', { 'if-none-match': '*' });
    assert.deepEqual([status, headers.etag], [200, undefined]);
    assert.equal((await get(page, 'a', { range: 'xbytes=2-4' })).status, 200);
    assert.equal((await get(page, 'a', { range: ' bytes=2-4 ' })).status, 206);
    assert.equal((await get(page, 'a', { range: 'bytes=2-4x' })).status, 200);
  });

  it('is cut off when its file changes while it’s sent, and never repeats or mixes anything', async () => {
    const page = await serve('/work/a');
    const size = pieceBytes + 10;
    const first = { bytes: Buffer.alloc(pieceBytes, 'a'), from: 0, size, tag: '"1"' };
    const rest = { bytes: Buffer.alloc(10, 'b'), from: pieceBytes, size, tag: '"1"' };
    const cuts: [string, Partial<FilePiece>][] = [
      ['another version', { tag: '"2"' }],
      ['another size', { size: size + 1 }],
      ['a later part', { from: pieceBytes + 1 }],
      ['nothing', { bytes: Buffer.alloc(0) }],
    ];
    const answer = async (second: FilePiece | Error) => {
      piece = (_file, { from }) =>
        from === 0
          ? Promise.resolve(first)
          : second instanceof Error
            ? Promise.reject(second)
            : Promise.resolve(second);
      return get(page, 'a');
    };
    for (const [about, cut] of cuts) await assert.rejects(answer({ ...rest, ...cut }), /aborted/, about);
    await assert.rejects(answer(failure(500)), /aborted/);
    await assert.rejects(answer(failure(400)), /aborted/);
    const whole = await answer(rest);
    // A server that always begins one byte too late.
    const asks = (from: number) =>
      from === 0 ? first : { bytes: Buffer.alloc(4, 'b'), from: from + 1, size, tag: '"1"' };
    piece = (_file, { from }) => Promise.resolve(asks(from));
    await assert.rejects(get(page, 'a'), /aborted/);
    assert.equal(whole.body, 'a'.repeat(pieceBytes) + 'b'.repeat(10));
    // One that begins before the part that was asked for has that part, too.
    assert.equal(
      (await answer({ ...rest, bytes: Buffer.alloc(12, 'b'), from: pieceBytes - 2 })).body,
      whole.body,
    );
  });

  it('isn’t read anymore when the browser has left', async () => {
    const page = await serve('/work/a');
    let ends: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (ends = resolve));
    const begun = new Promise<void>((begin) => {
      piece = (_file, _of, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            ends();
            reject(failure(400));
          });
          begin();
        });
    });
    const asking = ask(page, 'a').end();
    asking.on('error', () => undefined);
    await begun;
    asking.destroy();
    await ended;
    assert.equal(asked.length, 1);
  });
});
