import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { servePage } from '../../src/features/place/model/pageServer';
import { listeningPorts } from '../../src/features/place/model/ports';
import { SandboxTunnel } from '../../src/features/place/model/tunnel';
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
});
