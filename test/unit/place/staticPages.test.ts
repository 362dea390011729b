import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createLimiter } from '../../../src/api/http/limiter';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { createClient } from '../../../src/api/service/client';
import { SandboxFiles } from '../../../src/features/place/model/files';
import type { ServedPage } from '../../../src/features/place/model/loopback';
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
  '.agent-workspace/t/1/o/0': 'a terminal',
};

for (const [release, runtime] of [
  ['1.7.1', 'local'],
  ['1.58.0', 'local'],
  ['1.58.0', 'docker'],
] as const)
  describe(`a page made of files in a sandbox (${release}, ${runtime})`, function () {
    this.timeout(60_000);
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
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    };

    it('comes with what belongs to it: beside it, above it, and by absolute addresses', async () => {
      const page = await serve('site/dist/index.html');
      const [, secret = ''] = page.url.pathname.split('/');
      assert.match(page.url.href, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/site\/dist\/$/);
      const first = await get(page, page.url.pathname);
      assert.equal(first.body, site['site/dist/index.html']);
      assert.equal(first.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(first.headers['cache-control'], 'no-store');
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

    it('is known by a random path only, and can neither be written to nor lead elsewhere', async () => {
      const page = await serve('site/style.css');
      const below = page.url.pathname.split('/')[1] ?? '';
      assert.equal((await get(page, page.url.pathname)).body, 'beside');
      assert.equal((await get(page, page.url.pathname, {}, 'POST')).status, 405);
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
