import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { systemClock } from '../../src/api/http/clock';
import { SandboxFiles } from '../../src/features/place/model/files';
import { ListeningWatch } from '../../src/features/place/model/listening';
import { servePage } from '../../src/features/place/model/pageServer';
import { listeningPorts } from '../../src/features/place/model/ports';
import { serveFiles } from '../../src/features/place/model/staticPages';
import { SandboxTunnel } from '../../src/features/place/model/tunnel';
import { message, terminal } from '../support/conversation/entries';
import { FakeModel } from '../support/conversation/fakeModel';
import { realSuite } from './support/suite';
import { openWorkplace, type Workplace } from './support/workplace';

realSuite('pages of a sandbox', ['first', 'current', 'agentServer'], function () {
  this.timeout(300_000);
  let model: Workplace['model'];
  let place: Workplace['place'];
  let shell: Workplace['shell'];

  before(async () => {
    ({ model, place, shell } = await openWorkplace());
  });
  after(() => model.dispose());

  it('come through a port that isn’t exposed, and leave nothing behind', async () => {
    const content = randomBytes(3_000_000);
    await place.workspace.upload(`${place.workingDir}/site/big`, content);
    await place.workspace.upload(`${place.workingDir}/site/index.html`, Buffer.from('<p>hello</p>'));
    const server = `import http.server as h, os, sys
s = h.ThreadingHTTPServer(("127.0.0.1", 0), h.SimpleHTTPRequestHandler); print(s.server_port, flush=True)
if os.fork(): os._exit(0)
os.setsid(); n = os.open("/dev/null", os.O_RDWR); [os.dup2(n, i) for i in (0, 1, 2)]; open("pid", "w").write(str(os.getpid())); s.serve_forever()`;
    const port = Number(await shell(`cd site && python3 -c '${server}' < /dev/null`));
    const listed = await listeningPorts(place);
    assert.ok(listed.some((one) => one.port === port && !one.isOpen && one.isInFolder));
    const page = await servePage(new SandboxTunnel(place, port), port);
    try {
      assert.equal(await (await fetch(page.url)).text(), '<p>hello</p>');
      const began = performance.now();
      const big = Buffer.from(await (await fetch(new URL('big', page.url))).arrayBuffer());
      const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      assert.equal(hash(big), hash(content));
      console.log(`      3 MB in ${Math.round(performance.now() - began)} ms`);
      await shell('kill "$(cat site/pid)"');
      const { status } = await fetch(page.url);
      assert.equal(status, 502);
    } finally {
      page.close();
    }
    // The relay ends by itself.
    await shell(
      'i=0; while [ -e .agent-workspace ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done; [ ! -e .agent-workspace ]',
    );
  });

  it('are made of the files there, without any port', async () => {
    const { workspace, workingDir: root } = place;
    await workspace.upload(`${root}/built/index.html`, Buffer.from('<script src="/app.js"></script>'));
    await workspace.upload(`${root}/built/app.js`, Buffer.from('start()'));
    const files = new SandboxFiles(
      () => Promise.resolve(place),
      () => performance.now(),
    );
    const page = await serveFiles(files, root, `${root}/built/index.html`);
    try {
      assert.match(await (await fetch(page.url)).text(), /app\.js/);
      const headers = { referer: page.url.href };
      assert.equal(await (await fetch(new URL('/app.js', page.url), { headers })).text(), 'start()');
      const folder = await fetch(new URL('../built', page.url));
      assert.deepEqual([folder.status, folder.url], [200, page.url.href]);
      const script = new URL('app.js', page.url);
      const whole = await fetch(script);
      const known = whole.headers.get('etag') ?? '';
      assert.equal(await whole.text(), 'start()');
      const part = await fetch(script, { headers: { range: 'bytes=2-4', 'if-range': known } });
      assert.deepEqual(
        [part.status, part.headers.get('content-range'), await part.text()],
        [206, 'bytes 2-4/7', 'art'],
      );
      const none = await fetch(script, { headers: { range: 'bytes=7-' } });
      assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */7']);
      assert.equal((await fetch(script, { headers: { 'if-none-match': known } })).status, 304);
      for (const missing of ['none.html', '../', '../../../etc/hostname'])
        assert.equal((await fetch(new URL(missing, page.url))).status, 404, missing);
    } finally {
      page.close();
    }
  });

  it('are found when the agent’s program begins to listen', async () => {
    const server = `import http.server as h, os
s = h.ThreadingHTTPServer(("127.0.0.1", 0), h.SimpleHTTPRequestHandler); print(s.server_port, flush=True)
if os.fork(): os._exit(0)
os.setsid(); n = os.open("/dev/null", os.O_RDWR); [os.dup2(n, i) for i in (0, 1, 2)]; open("pid", "w").write(str(os.getpid())); s.serve_forever()`;
    const shown = new FakeModel();
    // What listens before the first look ends isn’t new.
    let looked: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (looked = resolve));
    const execute: typeof place.workspace.execute = (call) => place.workspace.execute(call).finally(looked);
    const watched = { ...place, workspace: { ...place.workspace, execute } };
    Object.assign(shown, { changes: { place: () => Promise.resolve(watched) } });
    shown.set({ head: { execution: 'running' }, entries: [message('user', 'Serve it')] });
    const port = new Promise<number>((resolve) => {
      const watch = new ListeningWatch(shown, systemClock, (found) => {
        watch.dispose();
        resolve(found);
      });
    });
    await first;
    const started = Number(await shell(`cd built && python3 -c '${server}' < /dev/null`));
    shown.set({ entries: [message('user', 'Serve it'), terminal('npm start', '')] });
    assert.equal(await port, started);
    await shell('kill "$(cat built/pid)"');
  });
});
