import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAgentServer, type AgentOptions, type KnownAgentServer } from '../../../src/api/agent/client';
import { parseConversationUrl } from '../../../src/api/agent/address';
import { createSandboxWorkspace } from '../../../src/api/agent/workspace';
import { createClient } from '../../../src/api/service/client';
import { createLimiter } from '../../../src/api/http/limiter';
import type { Release } from '../../service/agent/release';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { failureOf, hastyClock } from '../api/support/client';

const id = '0123456789abcdef0123456789abcdef';
const key = 'sandbox-key-1';
const cwd = '/workspace/project/shop';
const odd = '/workspace/project/a b/né #%?\n“x”..txt';

describe('files of simulated sandboxes', () => {
  let service: ReferenceService;
  let folder: string | undefined;
  afterEach(async () => {
    await service.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });

  async function connect(agents: Release, origins: Record<string, string> = {}) {
    service = await startService({ profile: 'observed', agents, origins });
    service.state.sandboxes.set('box', makeSandbox({ id: 'box', session_api_key: key }));
    const selected = { sandbox_id: 'box', selected_repository: 'acme/shop', execution_status: 'idle' };
    service.state.conversations.set(id, makeConversation({ id, ...selected }));
    const clock = hastyClock();
    const options: AgentOptions = { clock, limiter: createLimiter(clock) };
    const client = createClient({ ...options, baseUrl: service.url, sessionKey: service.sessionKey });
    const address = parseConversationUrl((await client.getConversation(id))!.conversation_url!)!;
    const server = await readAgentServer(address, options);
    const workspaceOf = (sandboxKey: string, info: Partial<KnownAgentServer> = {}) =>
      createSandboxWorkspace(address, sandboxKey, { ...server, ...info }, options);
    const git = (path: string) =>
      fetch(`${address.baseUrl}/api/git/${path}`, { headers: { 'X-Session-API-Key': key } });
    return { workspace: workspaceOf(key), workspaceOf, git };
  }

  for (const release of ['1.7.1', '1.15.0', '1.58.0'] as const) {
    it(`come back as they were sent, whatever their names are (${release})`, async () => {
      const { workspace } = await connect(release);
      const content = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
      await workspace.upload(odd, content);
      assert.deepEqual(await workspace.download(odd, { maxBytes: 70_000 }), content);
      await workspace.upload(odd, new Uint8Array());
      assert.equal((await workspace.download(odd, { maxBytes: 0 })).byteLength, 0);
    });

    it(`are in a real repository, with the agent’s edits (${release})`, async () => {
      const { workspace } = await connect(release);
      const { exitCode, stdout } = await workspace.execute({ command: 'git status --short', cwd });
      assert.equal(exitCode, 0);
      assert.match(stdout, /^ M src\/slug\.py$/m);
    });

    it(`need the sandbox’s key (${release})`, async () => {
      const { workspaceOf } = await connect(release);
      for (const stranger of ['', service.sessionKey]) {
        const workspace = workspaceOf(stranger);
        const calls = [
          workspace.execute({ command: 'true', cwd }),
          workspace.download(`${cwd}/README.md`, { maxBytes: 100 }),
          workspace.upload(`${cwd}/new`, new Uint8Array()),
        ];
        for (const call of calls) assert.equal((await failureOf(call)).reason, 'unauthorized');
      }
    });

    it(`fail as a whole in the server’s list of changes for a path with a blank (${release})`, async () => {
      const { workspace, git } = await connect(release);
      const address = release === '1.58.0' ? `changes?path=${cwd}` : `changes/${encodeURIComponent(cwd)}`;
      const change = (command: string) => workspace.execute({ command, cwd });
      await change('git add -A && git commit -qm all && git update-ref refs/remotes/origin/main HEAD');
      await change('rm README.md');
      assert.deepEqual(await (await git(address)).json(), [{ status: 'DELETED', path: 'README.md' }]);
      await change('echo 1 > "a b" && git add -A');
      assert.equal((await git(address)).status, release === '1.58.0' ? 400 : 500);
    });

    it(`lose carriage returns and the last newline in the server’s diff, up to 1 MiB (${release})`, async () => {
      const { workspace, git } = await connect(release);
      const file = `${cwd}/src/cart.py`;
      const address = release === '1.58.0' ? `diff?path=${file}` : `diff/${encodeURIComponent(file)}`;
      await workspace.upload(file, new TextEncoder().encode('a\r\nb\r\n'));
      assert.equal(((await (await git(address)).json()) as { modified: string }).modified, 'a\nb');
      await workspace.upload(file, new Uint8Array(1024 * 1024 + 1));
      assert.equal((await git(address)).status, release === '1.58.0' ? 400 : 500);
    });
  }

  it('are asked for by the path in the address before 1.15, and by a query since', async () => {
    const { workspaceOf } = await connect('1.58.0');
    assert.equal(
      (
        await failureOf(
          workspaceOf(key, { release: '1.12.0', capabilities: [] }).download(`${cwd}/README.md`, {
            maxBytes: 9,
          }),
        )
      ).reason,
      'notFound',
    );
  });

  it('compare with the empty tree without an origin on 1.7.1, and fail for a deleted file', async () => {
    const { workspace, git } = await connect('1.7.1');
    const address = `changes/${encodeURIComponent(cwd)}`;
    await workspace.execute({ command: 'git symbolic-ref -d refs/remotes/origin/HEAD', cwd });
    const all = (await (await git(address)).json()) as { status: string; path: string }[];
    assert.ok(all.some(({ status, path: name }) => status === 'ADDED' && name === 'README.md'));
  });

  it('are refused when they are too large', async () => {
    const { workspace } = await connect('1.58.0');
    await workspace.execute({ command: 'truncate -s 100M big', cwd });
    const error = await failureOf(workspace.download(`${cwd}/big`, { maxBytes: 1_000 }));
    assert.equal(error.reason, 'tooLarge');
  });

  it('are refused when their path is relative, or can’t be sent', async () => {
    const { workspace } = await connect('1.58.0');
    for (const file of ['', 'a', '../a', '/a\0b', '/\ud800'])
      assert.equal((await failureOf(workspace.download(file, { maxBytes: 1 }))).reason, 'badId');
  });

  it('answer -1 for a command that takes too long, and for a folder that doesn’t exist', async () => {
    const { workspace } = await connect('1.58.0');
    assert.equal((await workspace.execute({ command: 'sleep 9', cwd, timeoutSeconds: 1 })).exitCode, -1);
    assert.equal((await workspace.execute({ command: 'true', cwd: '/workspace/project/none' })).exitCode, -1);
    const both = await workspace.execute({ command: 'echo out; echo err >&2; exit 3', cwd });
    assert.deepEqual(both, { exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('are a clone of the repository that stands for the remote, and gone when the service closes', async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent-workspace-origin-'));
    const git = (...args: string[]) => execFileSync('git', ['-C', folder!, ...args], { encoding: 'utf8' });
    git('init', '--quiet', '--initial-branch=trunk');
    writeFileSync(path.join(folder, 'a'), 'a');
    git('add', '--all');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'One');
    const { workspace } = await connect('1.58.0', { 'acme/shop': folder });
    const run = async (command: string) => (await workspace.execute({ command, cwd })).stdout.trim();
    assert.equal(await run('git config remote.origin.url'), 'https://github.com/acme/shop.git');
    assert.equal(await run('git rev-parse origin/trunk'), git('rev-parse', 'HEAD').trim());
    await run('git fetch');
    const place = await run('pwd');
    assert.ok(existsSync(place));
    await service.close();
    assert.ok(!existsSync(place));
  });
});
