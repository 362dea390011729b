import assert from 'node:assert/strict';
import { createLimiter } from '../../../src/api/http/limiter';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { createClient } from '../../../src/api/service/client';
import { FileRefusal } from '../../../src/features/place/model/fileRefusal';
import { hashOf, SandboxFiles } from '../../../src/features/place/model/files';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { startAgentServer } from '../../service/agent/byItself';
import { conversationPorts } from '../../support/builders/ports';
import { hastyClock } from '../api/support/client';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('files of a sandbox on agent servers', () => {
  for (const [release, runtime] of [
    ['1.7.1', 'local'],
    ['1.58.0', 'docker'],
    ['1.58.0', 'local'],
  ] as const)
    it(`are read and written by its routes (${release}, ${runtime})`, async () => {
      const server = await startAgentServer({ release, seed: true, runtime });
      const clock = hastyClock();
      const options = { clock, limiter: createLimiter(clock) };
      const client = createClient({ ...options, baseUrl: server.url, sessionKey: server.sessionKey });
      await checkConnection(client);
      const [{ id } = { id: '' }] = (await client.listConversations()).items;
      const model = new LiveConversation(id, conversationPorts(client, options));
      try {
        const { workingDir: root } = await model.changes.place();
        const files = new SandboxFiles(
          () => model.changes.place(),
          () => performance.now(),
        );
        for (const name of ['a b', 'new\nline', `q"u'o$te`, 'ünï 😀 100%', '#?&+']) {
          const file = `${root}/odd/${name}`;
          await files.write(file, bytes(name), null);
          assert.equal(Buffer.from(await files.read(file)).toString(), name);
          await files.write(file, bytes('more'), hashOf(bytes(name)));
          await assert.rejects(files.write(file, bytes('mine'), hashOf(bytes(name))), FileRefusal);
          assert.equal(Buffer.from(await files.read(file)).toString(), 'more');
        }
        assert.equal((await files.list(`${root}/odd`)).size, 5);
        await files.rename(`${root}/odd`, `${root}/even`, false);
        await files.delete(`${root}/even`, true);
        await assert.rejects(files.list(`${root}/even`), FileRefusal);
        await assert.rejects(files.read('/etc/hostname'), FileRefusal);
      } finally {
        model.dispose();
        await server.close();
      }
    });
});
