import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { askAgentStart } from '../../../src/features/start/commands/askAgentStart';
import type { AgentChoice } from '../../../src/features/start/model/choice';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { answering, declining } from '../answering';

const start = 'Start Conversation';

describe('the options of a start on an agent server', () => {
  let server: AgentServerByItself;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true });
    server.starts.secrets.set('DEPLOY_TOKEN', { value: 'canary', description: null });
  });
  afterEach(() => server.close());

  async function ask(
    answers: Parameters<typeof answering>[0],
    former?: AgentChoice,
    setUpModel: () => Promise<void> = () => Promise.reject(new Error('There is a model.')),
    place: { folder?: string | undefined; about?: string } = { folder: '/workspace/shop' },
  ) {
    const client = createClient({ baseUrl: server.url, sessionKey: server.sessionKey });
    await checkConnection(client);
    const { rows, said, details, restore } = answering(answers);
    try {
      const before = { place: { kind: 'default' }, ...(former && { agent: former }) } as const;
      const options = { isWithChanges: false, folder: undefined, setUpModel };
      const chosen = await askAgentStart(client, before, { ...options, ...place });
      const lines = rows.map((shown) => shown.find((row) => row.startsWith('Secrets:'))).filter(Boolean);
      const last = (...names: string[]) =>
        rows.flatMap((shown) => shown.filter((row) => names.some((name) => row.startsWith(`${name}:`))));
      const [folder = ''] = last('Folder').slice(-1);
      return { agent: chosen?.agent, lines, said, details, folder, where: last('Worktree', 'Container') };
    } finally {
      restore();
    }
  }

  it('come once a model is set up, and only then', async () => {
    const { models } = server.starts;
    models.clear();
    const left = await ask([start], undefined, () => Promise.resolve());
    assert.equal(left.agent, undefined);
    assert.match(left.said.join(), /no model yet.*Your message is still here/);
    const { agent, said } = await ask([start], undefined, async () => {
      await Promise.resolve();
      models.set('default', { model: 'demo/large', hasKey: true });
    });
    assert.deepEqual([agent?.profile.name, said], ['default', []]);
  });

  it('begin with the open folder of the file that the message is about', async () => {
    const folders = await Promise.all(
      ['one', 'two'].map(async (name, index) => {
        const uri = vscode.Uri.file(await mkdtemp(path.join(tmpdir(), 'agent-workspace-test-')));
        return { uri, name, index };
      }),
    );
    const [one, two] = folders.map(({ uri }) => uri.fsPath);
    const property = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
    const { getWorkspaceFolder } = vscode.workspace;
    const folderOf = (uri: vscode.Uri) => folders.find((one) => uri.fsPath.startsWith(`${one.uri.fsPath}/`));
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...property, get: () => folders });
    Object.assign(vscode.workspace, { getWorkspaceFolder: folderOf });
    try {
      const about = vscode.Uri.file(path.join(two ?? '', 'a.ts')).toString();
      const folderFor = async (former?: AgentChoice, of?: string) =>
        (await ask([start], former, undefined, of === undefined ? {} : { about: of })).agent;
      const first = await folderFor();
      assert.equal(first?.folder, one);
      assert.equal((await folderFor(first, about))?.folder, two);
      assert.equal((await folderFor(first))?.folder, one);
    } finally {
      Object.assign(vscode.workspace, { getWorkspaceFolder });
      Object.defineProperty(vscode.workspace, 'workspaceFolders', property ?? {});
      for (const { uri } of folders) await rm(uri.fsPath, { recursive: true });
    }
  });

  it('give all secrets unless some are chosen, and remember only names', async () => {
    const all = await ask([start]);
    assert.deepEqual([all.agent?.secrets, all.lines], [undefined, ['Secrets: All: NPM_TOKEN, DEPLOY_TOKEN']]);
    const some = await ask(['Secrets', 'Only Some…', 'DEPLOY_TOKEN', start]);
    assert.deepEqual(some.agent?.secrets, ['DEPLOY_TOKEN']);
    assert.equal(some.lines.at(-1), 'Secrets: DEPLOY_TOKEN');
    assert.doesNotMatch(JSON.stringify(some.agent), /canary/);
    const none = await ask(['Secrets', 'Only Some…', 'nothing of these', start], some.agent);
    assert.deepEqual([none.agent?.secrets, none.lines.at(-1)], [[], 'Secrets: None']);
    const again = await ask(['Secrets', 'All, Including Those Added Later', start], some.agent);
    assert.equal(again.agent?.secrets, undefined);
  });

  it('say where the agent works, why a worktree may be better, and what it begins with', async () => {
    const folder = '/workspace/shop';
    const { files } = server;
    mkdirSync(files.place(folder));
    assert.match((await ask([start])).folder, /becomes a Git repository$/);
    await files.execute('git init -q -b main && touch a.txt', folder, 20);
    const early = await ask(['Worktree', 'In a new worktree, from the default branch', start]);
    assert.equal(early.agent, undefined);
    await files.execute('git commit -q --allow-empty -m First', folder, 20);
    const {
      agent,
      where,
      folder: shown,
    } = await ask(['Worktree', 'In a new worktree, from another branch…', 'release/2', start]);
    assert.deepEqual([agent?.isWorktree, agent?.worktreeBase], [true, { kind: 'ref', ref: 'release/2' }]);
    assert.match(shown, /main · 1 file isn’t committed$/);
    assert.match(where[0] ?? '', /works with the uncommitted changes/);
    assert.match(where.at(-1) ?? '', /New worktree from release\/2 .*not in the worktree/);
  });

  it('clone a repository into a folder of its name', async () => {
    server.shell.repositories = ['acme/docs'];
    const typed = { type: 'acme/shop', pick: 'acme/shop' };
    const { agent, folder } = await ask(['Repository', typed, start]);
    assert.deepEqual([agent?.clone, agent?.folder], ['https://github.com/acme/shop.git', '/workspace/shop']);
    assert.match(folder, /will be cloned here/);
    const listed = await ask(['Repository', { type: '', pick: 'acme/docs' }, start]);
    assert.deepEqual(
      [listed.agent?.clone, listed.agent?.folder],
      ['https://github.com/acme/docs.git', '/workspace/docs'],
    );
  });

  it('offer the models of an ACP agent', async () => {
    const { agent } = await ask(['Agent', 'claude', 'Model', { type: '', pick: 'Opus' }, start]);
    assert.equal(agent?.agentModel, 'opus');
    const back = await ask(['Model', 'Selected by the agent', start], agent);
    assert.equal(back.agent?.agentModel, undefined);
    const other = await ask(['Agent', 'default', start], agent);
    assert.equal(other.agent?.agentModel, undefined);
  });

  it('take plugins of the catalog and others by their address, and leave them out again', async () => {
    const { agent, said } = await ask([
      'Plugins',
      { type: '', pick: 'reviewer' },
      'Plugins',
      { type: 'github:a/tools', pick: 'github:a/tools' },
      start,
    ]);
    assert.deepEqual(agent?.plugins, [
      { source: 'github:catalog/reviewer', ref: 'v2', repoPath: 'plugins/reviewer' },
      { source: 'github:a/tools' },
    ]);
    assert.deepEqual(said, [
      'Use the plugin from github:catalog/reviewer?',
      'Use the plugin from github:a/tools?',
    ]);
    const fewer = await ask(['Plugins', 'github:catalog/reviewer', start], agent);
    assert.deepEqual(fewer.agent?.plugins, [{ source: 'github:a/tools' }]);
  });

  it('ask once about the folder’s hooks, and again about others', async () => {
    const file = path.join(server.files.place('/workspace/shop'), '.openhands', 'hooks.json');
    const write = (...commands: string[]) => {
      mkdirSync(path.dirname(file), { recursive: true });
      const hooks = commands.map((command) => ({ command }));
      writeFileSync(file, JSON.stringify({ PreToolUse: [{ matcher: 'terminal', hooks }] }));
    };
    assert.equal((await ask([start])).agent?.hooks, undefined);
    write('./сheck.sh # \u202esafe\nevil größer 確認');
    const question = 'Run the hooks in .openhands/hooks.json of “/workspace/shop”?';
    const left = await ask([start, declining]);
    assert.deepEqual([left.said, left.agent], [[question], undefined]);
    const first = await ask([start]);
    assert.match(
      first.details.join(),
      /\n\n• pre_tool_use terminal: \.\/‹U\+0441›heck\.sh # ‹U\+202E›safe ⏎ evil größer 確認$/,
    );
    assert.equal(first.agent?.hooks?.isOn, true);
    const again = await ask([start], first.agent);
    assert.deepEqual([again.said, again.agent?.hooks], [[], first.agent.hooks]);
    const changed = await ask(['Hooks', 'Leave Out', start], again.agent);
    assert.deepEqual(changed.said, [question]);
    assert.equal(changed.agent?.hooks?.isOn, false);
    write(...Array.from({ length: 21 }, (_, at) => `./${at}.sh`));
    const others = await ask([start], changed.agent);
    // In sight, whatever follows.
    assert.match(
      others.details.join(),
      /\n\nThere’s more in them\. Look at the file first\.\n\n.*\/0\.sh\n[^]*\/19\.sh$/,
    );
    write(...Array.from({ length: 9 }, () => `echo ${'\u0430'.repeat(999)}`));
    const long = (await ask([start], others.agent)).details.join();
    assert.match(long, /There’s more in them/);
    assert.ok(long.length < 1_500, `${long.length} characters`);
    write('\ud800');
    const unread = await ask([start], others.agent);
    assert.deepEqual(unread.said, [
      'The hooks in .openhands/hooks.json of “/workspace/shop” can’t be read. Start without them?',
    ]);
    assert.equal(unread.agent?.hooks?.isOn, false);
    rmSync(file);
    assert.equal((await ask([start], others.agent)).agent?.hooks, undefined);
  });

  it('show what the agent still gets of the secrets chosen the last time', async () => {
    const { agent } = await ask(['Secrets', 'Only Some…', 'DEPLOY_TOKEN', start]);
    server.starts.secrets.delete('DEPLOY_TOKEN');
    assert.deepEqual((await ask([start], agent)).lines, ['Secrets: None']);
  });
});
