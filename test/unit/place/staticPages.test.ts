import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createLimiter } from '../../../src/api/http/limiter';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { createClient } from '../../../src/api/service/client';
import { SandboxFiles } from '../../../src/features/place/model/files';
import type { ServedPage } from '../../../src/features/place/model/loopback';
import { pieceBytes } from '../../../src/features/place/model/sentFile';
import { serveFiles } from '../../../src/features/place/model/staticPages';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { startAgentServer } from '../../service/agent/byItself';
import { conversationPorts } from '../../support/builders/ports';
import { hastyClock } from '../api/support/client';

const site = {
  'site/dist/index.html': '<script src="/app.js"></script><p>hello',
  'site/dist/app.js': 'start()',
  'site/dist/100% #1?.css': 'p {}',
  'site/dist/sub/index.html': 'below',
  'site/dist/empty/x.bin': '\0',
  'site/style.css': 'beside',
  'site/empty.txt': '',
  'site/öé – 100%.mp4': '0123456789',
  '.agent-workspace/t/1/o/0': 'a terminal',
};

for (const [release, runtime] of [
  ['1.7.1', 'local'],
  ['1.58.0', 'local'],
  ['1.58.0', 'docker'],
] as const)
  describe(`a page made of files in a sandbox (${release}, ${runtime})`, function () {
    this.timeout(120_000);
    let server: Awaited<ReturnType<typeof startAgentServer>>;
    let model: LiveConversation;
    let files: SandboxFiles;
    let root: string;
    const pages: ServedPage[] = [];
    before(async () => {
      server = await startAgentServer({ release, seed: true, runtime });
      const clock = hastyClock();
      const options = { clock, limiter: createLimiter(clock) };
      const client = createClient({ ...options, baseUrl: server.url, sessionKey: server.sessionKey });
      await checkConnection(client);
      const [{ id } = { id: '' }] = (await client.listConversations()).items;
      model = new LiveConversation(id, conversationPorts(client, options));
      const place = await model.changes.place();
      root = place.workingDir;
      for (const [name, content] of Object.entries(site))
        await place.workspace.upload(`${root}/${name}`, Buffer.from(content));
      files = new SandboxFiles(
        () => model.changes.place(),
        () => performance.now(),
      );
    });
    after(async () => {
      for (const page of pages) page.close();
      model.dispose();
      await server.close();
    });

    const serve = async (shown: string) => {
      const page = await serveFiles(files, root, `${root}/${shown}`);
      pages.push(page);
      return page;
    };
    /** Asks for exactly this path, which `fetch` would tidy. */
    const get = async ({ url }: ServedPage, path: string, headers = {}, method = 'GET') => {
      const of = { hostname: url.hostname, port: url.port, path, headers, method, agent: false };
      const [response] = (await once(request(of).end(), 'response')) as [IncomingMessage];
      const bytes = await buffer(response);
      return { status: response.statusCode, headers: response.headers, bytes, body: bytes.toString() };
    };

    it('comes with what belongs to it: beside it, above it, and by absolute addresses', async () => {
      const page = await serve('site/dist/index.html');
      const [, secret = ''] = page.url.pathname.split('/');
      assert.match(page.url.href, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/site\/dist\/$/);
      const first = await get(page, page.url.pathname);
      assert.equal(first.body, site['site/dist/index.html']);
      assert.equal(first.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(first.headers['cache-control'], 'private, no-cache');
      const referer = page.url.href;
      const absolute = await get(page, '/app.js?v=1', { referer });
      assert.deepEqual(
        [absolute.status, absolute.headers.location],
        [307, `/${secret}/site/dist/app.js?v=1`],
      );
      const script = await get(page, absolute.headers.location ?? '');
      assert.deepEqual(
        [script.body, script.headers['content-type']],
        ['start()', 'text/javascript; charset=utf-8'],
      );
      const of = async (address: string) => get(page, new URL(address, page.url).pathname);
      assert.equal((await of('100%25%20%231%3F.css')).body, 'p {}');
      assert.equal((await of('../style.css')).body, 'beside');
      assert.equal((await of('sub/')).body, 'below');
      const folder = await of('sub');
      assert.deepEqual([folder.status, folder.headers.location], [307, './sub/']);
      assert.equal(await (await fetch(new URL('sub', page.url))).text(), 'below');
      const head = await get(page, page.url.pathname, {}, 'HEAD');
      assert.deepEqual([head.status, head.body], [200, '']);
      assert.equal(head.headers['content-length'], String(site['site/dist/index.html'].length));
    });

    it('is sent in the parts that a video or a document asks for', async () => {
      const page = await serve('site/öé – 100%.mp4');
      const { pathname } = page.url;
      const part = async (range: string, more = {}, method = 'GET') => {
        const { status, headers, body } = await get(page, pathname, { range, ...more }, method);
        return [status, headers['content-range'], headers['content-length'], body];
      };
      const whole = [200, undefined, '10', '0123456789'];
      const { headers } = await get(page, pathname);
      assert.deepEqual([headers['content-type'], headers['accept-ranges']], ['video/mp4', 'bytes']);
      const all = [206, 'bytes 0-9/10', '10', '0123456789'];
      for (const range of ['bytes=0-', 'bytes=0-9', 'bytes=0-99', 'bytes=-10', 'bytes=-99'])
        assert.deepEqual(await part(range), all, range);
      assert.deepEqual(await part('bytes=3-5'), [206, 'bytes 3-5/10', '3', '345']);
      assert.deepEqual(await part('bytes=9-'), [206, 'bytes 9-9/10', '1', '9']);
      assert.deepEqual(await part('bytes=-2'), [206, 'bytes 8-9/10', '2', '89']);
      for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0'])
        assert.deepEqual(await part(range), [416, 'bytes */10', '0', ''], range);
      // What isn’t one range is answered with the whole.
      for (const range of ['bytes=0-1,3-4', 'bytes=5-3', 'bytes=-', 'lines=1-2', 'bytes=a-b'])
        assert.deepEqual(await part(range), whole, range);
      assert.deepEqual(await part('bytes=3-5', {}, 'HEAD'), [200, undefined, '10', '']);
      const { etag } = headers;
      assert.deepEqual(await part('bytes=3-5', { 'if-range': etag }), [206, 'bytes 3-5/10', '3', '345']);
      assert.deepEqual(await part('bytes=3-5', { 'if-range': '"other"' }), whole);
      const empty = await serve('site/empty.txt');
      const nothing = await get(empty, empty.url.pathname);
      assert.deepEqual([nothing.status, nothing.body], [200, '']);
      assert.equal((await get(empty, empty.url.pathname, { range: 'bytes=0-' })).status, 416);
    });

    it('isn’t sent again to a browser that has it, until the agent changes it', async () => {
      const page = await serve('site/dist/app.js');
      const { pathname } = page.url;
      const { headers } = await get(page, pathname);
      for (const known of [headers.etag, `"other", ${headers.etag}`, `W/${headers.etag}`, '*']) {
        const again = await get(page, pathname, { 'if-none-match': known });
        assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', headers.etag]);
      }
      const { workspace } = await model.changes.place();
      await workspace.upload(`${root}/site/dist/app.js`, Buffer.from('start(now)'));
      const changed = await get(page, pathname, { 'if-none-match': headers.etag });
      assert.deepEqual([changed.status, changed.body], [200, 'start(now)']);
      await workspace.upload(`${root}/site/dist/app.js`, Buffer.from(site['site/dist/app.js']));
    });

    it('comes in pieces, however large it is, and is cut off if its file changes', async () => {
      const content = randomBytes(2 * pieceBytes + 77);
      const { workspace } = await model.changes.place();
      await workspace.upload(`${root}/site/large.bin`, content);
      const page = await serve('site/large.bin');
      const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      const { bytes, headers } = await get(page, page.url.pathname);
      assert.equal(headers['content-type'], 'application/octet-stream');
      assert.equal(hash(bytes), hash(content));
      const from = pieceBytes - 10;
      const range = `bytes=${from}-${2 * pieceBytes + 9}`;
      const part = await get(page, page.url.pathname, { range });
      assert.equal(hash(part.bytes), hash(content.subarray(from, 2 * pieceBytes + 10)));
      const { hostname, port, pathname } = page.url;
      const [response] = (await once(
        request({ hostname, port, path: pathname, agent: false }).end(),
        'response',
      )) as [IncomingMessage];
      // More than fits between here and there: the next piece is read only when this one was taken.
      await workspace.upload(`${root}/site/large.bin`, randomBytes(2 * pieceBytes + 77));
      await assert.rejects(buffer(response), /aborted/);
    });

    it('is known by a random path only, and can neither be written to nor lead elsewhere', async () => {
      const page = await serve('site/style.css');
      const below = page.url.pathname.split('/')[1] ?? '';
      assert.equal((await get(page, page.url.pathname)).body, 'beside');
      const posted = await get(page, page.url.pathname, {}, 'POST');
      assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
      for (const path of [
        ...['/', '/site/style.css', `/${below}x/site/style.css`],
        ...[
          '/etc/hostname',
          '../../../../etc/hostname',
          '%2e%2e/%2e%2e/etc/hostname',
          '..%2f..%2fetc%2fhostname',
        ].map((one) => `/${below}/${one}`),
        ...[
          '.agent-workspace/t/1/o/0',
          'site/%00',
          'site/%ff',
          'site/none',
          'site//style.css',
          '.git/config',
        ].map((one) => `/${below}/${one}`),
        `/${below}/site/dist/empty/`,
      ]) {
        const { status, body, headers } = await get(page, path);
        assert.equal(status, 404, path);
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
        assert.ok(!body.includes(server.sessionKey) && !body.includes('terminal'), path);
      }
      assert.ok(!JSON.stringify(await get(page, page.url.pathname)).includes(server.sessionKey));
      page.close();
      await assert.rejects(get(page, page.url.pathname));
    });
  });
