import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { servePage } from '../../src/features/place/model/pageServer';
import { listeningPorts } from '../../src/features/place/model/ports';
import { SandboxTunnel } from '../../src/features/place/model/tunnel';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import type { SandboxPlace } from '../../src/features/sandboxChanges/model/conversationChanges';
import { startConversation, startOnServer, useModel, writingStep } from './support/conversations';
import { follow, until } from './support/followed';
import { real, realClient, realSuite } from './support/suite';

realSuite('pages of a sandbox', ['first', 'current', 'agentServer'], function () {
  this.timeout(300_000);
  let model: LiveConversation;
  let place: SandboxPlace;
  const shell = async (command: string) => {
    const { exitCode, stdout, stderr } = await place.workspace.execute({ command, cwd: place.workingDir });
    assert.equal(exitCode, 0, stderr);
    return stdout.trim();
  };

  before(async () => {
    const isServer = real().release.generation === 'agentServer';
    if (!isServer) await useModel();
    real().model.script(writingStep('by-the-agent.txt', 'by the agent'));
    const client = realClient();
    await checkConnection(client);
    const id = isServer
      ? await startOnServer()
      : (await startConversation(client, 'Write the file.')).app_conversation_id;
    assert.ok(id);
    model = follow(id, await createOpenSocket({}, undefined), client);
    model.keepCurrent();
    if (isServer) {
      await until(model, ({ readAt }) => readAt !== null);
      assert.deepEqual(await model.send('Write the file.'), { kind: 'done' });
    }
    await until(model, ({ execution }) => execution === 'finished');
    place = await model.changes.place();
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
    assert.ok(listed.some((one) => one.port === port && !one.isOpen));
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
