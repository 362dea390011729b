import assert from 'node:assert/strict';
import { readAgentServer, type AgentOptions } from '../../../src/api/agent/client';
import { parseConversationUrl } from '../../../src/api/agent/address';
import { createSandboxWorkspace, type SandboxWorkspace } from '../../../src/api/agent/workspace';
import { systemClock } from '../../../src/api/http/clock';
import { createLimiter } from '../../../src/api/http/limiter';
import { createClient } from '../../../src/api/service/client';
import { SandboxTerminal } from '../../../src/features/place/model/terminal';
import { isThisComputer } from '../../../src/features/place/model/here';
import type { TerminalEnd } from '../../../src/features/place/model/terminalLine';
import type { Release } from '../../service/agent/release';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { hastyClock } from '../api/support/client';
import { eventually } from '../place/terminalSupport';

const id = '0123456789abcdef0123456789abcdef';
const key = 'sandbox-key-1';
const workingDir = '/workspace/project';

for (const release of ['1.7.1', '1.58.0'] satisfies Release[]) {
  describe(`terminals in simulated sandboxes (${release})`, () => {
    let service: ReferenceService;
    let workspace: SandboxWorkspace;
    let text: string;
    let end: TerminalEnd | undefined;
    beforeEach(async () => {
      [text, end] = ['', undefined];
      service = await startService({ profile: 'observed', agents: release });
      service.state.sandboxes.set('box', makeSandbox({ id: 'box', session_api_key: key }));
      service.state.conversations.set(id, makeConversation({ id, sandbox_id: 'box' }));
      const clock = hastyClock();
      const options: AgentOptions = { clock, limiter: createLimiter(clock) };
      const client = createClient({ ...options, baseUrl: service.url, sessionKey: service.sessionKey });
      const address = parseConversationUrl((await client.getConversation(id))?.conversation_url ?? '');
      assert.ok(address);
      const server = await readAgentServer(address, options);
      workspace = createSandboxWorkspace(address, key, server, { ...options, clock: systemClock });
    });
    afterEach(() => service.close());

    const open = () =>
      SandboxTerminal.open(
        {
          reach: () => Promise.resolve({ workspace, workingDir }),
          clock: systemClock,
          on: {
            output: (bytes) => (text += Buffer.from(bytes).toString()),
            skipped: () => assert.fail('nothing is left out'),
            stalled: (reason) => assert.fail(`stalled: ${reason}`),
            ended: (how) => (end = how),
          },
        },
        { cols: 80, rows: 24 },
      );
    const shows = (what: string) =>
      eventually(
        () => text.includes(what),
        () => `${what} in ${JSON.stringify(text.slice(-300))}`,
      );
    const type = (terminal: SandboxTerminal, keys: string) => terminal.type(new TextEncoder().encode(keys));

    it('open, show what is typed and 2 MB of output, and end with their exit code', async () => {
      const terminal = await open();
      type(terminal, 'stty -echo; echo "in ${PWD##*/}"\r');
      await shows('in project');
      type(terminal, 'head -c 2000000 /dev/zero | tr "\\0" z; echo; sleep 0.3; echo la""te; exit 4\r');
      await eventually(
        () => end !== undefined,
        () => text.slice(-300),
      );
      assert.deepEqual(end, { exitCode: 4 });
      assert.equal(text.match(/z/g)?.length, 2_000_000);
      assert.ok(text.includes('late'));
    });

    it('interrupt what runs, however much it writes', async () => {
      const terminal = await open();
      type(terminal, 'yes\r');
      await shows('y\r\ny\r\ny\r\n');
      type(terminal, '\u0003');
      type(terminal, 'echo "code $?"; exit\r');
      await shows('code 130');
    });

    it('aren’t taken for this computer, where their folder isn’t', async () => {
      assert.equal(await isThisComputer({ workspace, workingDir }), false);
    });
  });
}
