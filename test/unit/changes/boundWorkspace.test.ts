import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { createLimiter } from '../../../src/api/http/limiter';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { createClient } from '../../../src/api/service/client';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { deliver } from '../../../src/features/changes/model/delivering';
import { readRepositories } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { startAgentServer } from '../../service/agent/byItself';
import { conversationPorts } from '../../support/builders/ports';
import { hastyClock } from '../api/support/client';
import { TestSandbox, until } from './support';

const never = new AbortController().signal;
/** More than fits into the shell’s output. */
const many = Object.fromEntries(
  Array.from({ length: 700 }, (_, at) => [`new/${at}${'a'.repeat(200)}`, `${at}\n`]),
);

describe('a workspace that is bound to the conversation’s folder', () => {
  let sandbox: TestSandbox;
  /** Folders that come and go, by what git said of them while they were there. */
  let seen: { place: string; status: string }[];
  let uploads: string[];
  beforeEach(() => {
    sandbox = new TestSandbox();
    [seen, uploads] = [[], []];
  });
  afterEach(() => sandbox.dispose());

  const scratchIn = (folder: string) =>
    [folder, path.join(folder, '.git')]
      .filter((place) => statSync(place, { throwIfNoEntry: false })?.isDirectory())
      .flatMap((place) => readdirSync(place))
      .filter((name) => name.includes('agent-workspace'));

  /** The sandbox’s workspace, which refuses whatever isn’t inside the folder. */
  function bound(folder: string): SandboxWorkspace {
    const check = (place: string) => {
      const isInside = place === folder || place.startsWith(`${folder}/`);
      assert.ok(isInside && !place.includes('/../'), `${place} is outside`);
      return place;
    };
    const look = (place: string) => {
      seen.push({ place, status: sandbox.git(path.relative(sandbox.folder, folder), 'status', '--short') });
    };
    const { workspace } = sandbox;
    return {
      ...workspace,
      isBound: true,
      execute: (call) => workspace.execute({ ...call, cwd: check(call.cwd) }),
      download: (file, limits) => {
        look(check(file));
        return workspace.download(file, limits);
      },
      upload: async (file, content) => {
        await workspace.upload(check(file), content);
        uploads.push(file);
        look(file);
      },
    };
  }

  /** Reads all changes of a folder, and one content of each repository. */
  async function read(folder: string) {
    const at = sandbox.at(folder);
    const all = await readRepositories(bound(at), { folder: at, branch: null, at: null }, new ContentCache());
    const contents = all.map(async ({ source, changes }) => {
      const after = changes.files.find((file) => file.after)?.after;
      return after && Buffer.from(await source.content(after)).toString();
    });
    return { all, contents: await Promise.all(contents) };
  }

  const layouts: Record<string, { folder: string; make: () => void; place: RegExp }> = {
    'the root of a repository': {
      folder: 'work/shop',
      make: () => void sandbox.clone({ a: '1' }),
      place: /^\.git\/agent-workspace-answer-\w+\/answer$/,
    },
    'a folder in a repository': {
      folder: 'work/shop/sub',
      make: () => void sandbox.clone({ 'sub/a': '1' }),
      place: /^\.agent-workspace-answer-\w+\/answer$/,
    },
    'a worktree': {
      folder: 'work/tree',
      make: () => {
        sandbox.clone({ a: '1' });
        sandbox.git('work/shop', 'worktree', 'add', '--quiet', '-b', 'fix', sandbox.at('work/tree'));
      },
      place: /^\.agent-workspace-answer-\w+\/answer$/,
    },
    'a repository whose own folder is a link': {
      folder: 'work/shop',
      make: () => {
        sandbox.clone({ a: '1' });
        renameSync(sandbox.at('work/shop/.git'), sandbox.at('git'));
        sandbox.link(sandbox.at('git'), 'work/shop/.git');
      },
      place: /^\.agent-workspace-answer-\w+\/answer$/,
    },
    'a folder with blanks, quotes and a dollar sign in its name': {
      folder: 'work/a \'b\' "c" $(d)',
      make: () => sandbox.create('work/a \'b\' "c" $(d)', { a: '1' }),
      place: /^\.git\/agent-workspace-answer-\w+\/answer$/,
    },
  };
  for (const [what, { folder, make, place }] of Object.entries(layouts))
    it(`keeps long answers inside ${what}, unseen by git, and removes them`, async () => {
      make();
      for (const [name, content] of Object.entries(many)) sandbox.write(path.join(folder, name), content);
      const before = sandbox.git(folder, 'status', '--short');
      const { all, contents } = await read(folder);
      assert.equal(all.length, 1);
      assert.equal(all[0]?.changes.files.length, 700);
      assert.match(contents[0] ?? '', /^\d+\n$/);
      const [first] = seen;
      assert.match(path.relative(sandbox.at(folder), first?.place ?? ''), place);
      assert.equal(first?.status, before);
      await until(() => scratchIn(sandbox.at(folder)).length === 0);
      assert.equal(sandbox.git(folder, 'status', '--short', '--ignored'), before);
      assert.deepEqual(readdirSync(sandbox.at('tmp')), []);
    });

  it('reads repositories below a folder that is in none', async () => {
    sandbox.create('work/one', { a: '1' });
    sandbox.create('work/two', { a: '1' });
    sandbox.write('work/two/b', '2');
    const at = sandbox.at('work');
    const found = await readRepositories(
      { ...sandbox.workspace, isBound: true },
      { folder: at, branch: null, at: null },
      new ContentCache(),
    );
    assert.deepEqual(
      found.map(({ changes }) => changes.files.map(({ path: name }) => name)),
      [[], ['b']],
    );
    assert.deepEqual(readdirSync(at).toSorted(), ['one', 'two']);
  });

  it('removes after an hour what nobody fetched', async () => {
    sandbox.clone({ a: '1' });
    const [left, fresh] = ['agent-workspace-answer-Old', 'agent-workspace-answer-New'];
    for (const name of [left, fresh]) mkdirSync(sandbox.at('work/shop/.git', name));
    utimesSync(sandbox.at('work/shop/.git', left), new Date(0), new Date(0));
    await read('work/shop');
    assert.deepEqual(scratchIn(sandbox.at('work/shop')), [fresh]);
  });

  for (const fits of [true, false])
    it(`${fits ? 'takes' : 'refuses'} changes with a patch that lies inside, and is removed`, async () => {
      const root = sandbox.clone({ a: '1\n' });
      sandbox.write('origin/a', '2\n');
      const patch = Buffer.from(sandbox.git('origin', 'diff') + '\n');
      sandbox.git('origin', 'add', '--all');
      const parcel = {
        id: 'one',
        repository: 'acme/shop',
        base: sandbox.git('work/shop', 'rev-parse', 'HEAD'),
        branch: null,
        tree: fits ? sandbox.git('origin', 'write-tree') : 'b'.repeat(40),
      };
      const reach = () => Promise.resolve({ workspace: bound(root), workingDir: root });
      const done = deliver(parcel, patch, reach, () => undefined, never);
      if (fits) await done;
      else await assert.rejects(done, /differ/);
      assert.match(path.relative(root, uploads[0] ?? ''), /^\.git\/agent-workspace-answer-\w+\/[\w.-]+$/);
      assert.deepEqual(
        seen.map(({ status }) => status),
        [''],
      );
      await until(() => scratchIn(root).length === 0);
    });
});

describe('the changes of an agent in a container', () => {
  for (const release of ['1.49.1', '1.58.0'] as const)
    it(`never touch the server’s own computer (${release})`, async () => {
      const server = await startAgentServer({ release, seed: true, runtime: 'docker' });
      const clock = hastyClock();
      const options = { clock, limiter: createLimiter(clock) };
      const client = createClient({ ...options, baseUrl: server.url, sessionKey: server.sessionKey });
      await checkConnection(client);
      const [{ id } = { id: '' }] = (await client.listConversations()).items;
      const model = new LiveConversation(id, conversationPorts(client, options));
      try {
        const place = await model.changes.place();
        await place.workspace.execute({
          command: 'git init && git commit --allow-empty -m 1',
          cwd: place.workingDir,
        });
        await place.workspace.upload(`${place.workingDir}/a`, Buffer.from('the agent’s'));
        const [found] = await model.changes.repositories();
        const after = found?.changes.files.find(({ path: name }) => name === 'a')?.after;
        assert.ok(found && after);
        assert.equal(Buffer.from(await found.source.content(after)).toString(), 'the agent’s');
        const parcel = { id: 'one', repository: 'acme/shop', base: 'a'.repeat(40), branch: null, tree: '' };
        await assert.rejects(
          deliver(
            parcel,
            Buffer.from('patch'),
            () => model.changes.place(),
            () => undefined,
            never,
          ),
          /doesn’t have the commit/,
        );
        const general = server.asked.filter((asked) => /^\/api\/(?:bash|file|git)\//.test(asked));
        assert.deepEqual(general, []);
        assert.ok(server.asked.some((asked) => asked.endsWith('/bash/execute_bash_command')));
      } finally {
        model.dispose();
        await server.close();
      }
    });
});
